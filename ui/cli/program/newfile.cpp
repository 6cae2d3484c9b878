// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/newfile.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace gpuledger::cli {

using base::ErrorCode;

base::Result<void> writeNewFile(const std::filesystem::path &file, std::string_view content)
{
    const std::string shown = base::printable(file.string());
    const auto failed = [&](int error) {
        const bool full = error == ENOSPC || error == EDQUOT;
        return base::fail(full ? ErrorCode::StorageFull : ErrorCode::StorageReadOnly,
                          shown + " can't be written: " + std::strerror(error),
                          full ? base::Hint(base::Remedy::FreeSpace) : "choose another place with --config");
    };
    const std::filesystem::path folder = file.parent_path();
    std::error_code ec;
    if (!folder.empty() && !std::filesystem::exists(folder, ec)) {
        std::filesystem::create_directories(folder, ec);
        if (ec)
            return failed(ec.value());
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ec);
    }
    const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 && errno == EEXIST)
        return base::fail(ErrorCode::Refused, shown + " is there already and was not changed",
                          "name another file with --config");
    if (fd < 0)
        return failed(errno);
    int error = 0;
    for (std::size_t at = 0; at < content.size() && error == 0;) {
        const ssize_t n = write(fd, content.data() + at, content.size() - at);
        if (n >= 0)
            at += static_cast<std::size_t>(n);
        else if (errno != EINTR)
            error = errno;
    }
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0)
        return {};
    unlink(file.c_str());
    return failed(error);
}

} // namespace gpuledger::cli
