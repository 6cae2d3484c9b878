// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/files/privatefolder.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace gpuledger::base {

namespace {

constexpr char kPrefix[] = "gpuledger-report-";
constexpr int kTries = 5; // in case another process takes a new folder for a leftover

int openFolder(const std::filesystem::path &path)
{
    return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// A folder of ours that no process holds is a leftover.
void removeLeftover(const std::filesystem::path &path)
{
    const int fd = openFolder(path);
    if (fd < 0)
        return;
    struct stat info { };
    std::error_code ignored;
    if (fstat(fd, &info) == 0 && info.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
        std::filesystem::remove_all(path, ignored);
    close(fd);
}

void removeLeftovers(const std::filesystem::path &parent)
{
    std::error_code ec;
    std::filesystem::directory_iterator it(parent, ec);
    for (; !ec && it != std::filesystem::directory_iterator(); it.increment(ec)) {
        if (it->path().filename().string().starts_with(kPrefix))
            removeLeftover(it->path());
    }
}

} // namespace

Result<std::unique_ptr<PrivateFolder>> PrivateFolder::make()
{
    std::error_code ec;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(ec);
    int error = ec.value();
    if (!ec)
        removeLeftovers(parent);
    for (int i = 0; error == 0 && i < kTries; ++i) {
        std::string name = (parent / kPrefix).string() + "XXXXXX";
        if (!mkdtemp(name.data())) {
            error = errno;
            break;
        }
        const int fd = openFolder(name);
        struct stat info { };
        if (fd >= 0 && flock(fd, LOCK_EX) == 0 && fstat(fd, &info) == 0 && info.st_nlink > 0)
            return std::unique_ptr<PrivateFolder>(new PrivateFolder(name, fd));
        if (fd >= 0)
            close(fd);
    }
    const bool full = error == ENOSPC || error == EDQUOT;
    return fail(full ? ErrorCode::StorageFull : ErrorCode::StorageReadOnly,
                "can't create a folder for temporary files in " + printable(parent.string()) + ": "
                    + (error ? std::strerror(error) : "another process keeps removing it"),
                full ? Remedy::FreeTemporaryFolder : Remedy::CheckTemporaryFolder);
}

PrivateFolder::~PrivateFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
    close(m_fd);
}

} // namespace gpuledger::base
