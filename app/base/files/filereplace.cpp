// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/files/filereplace.h"

#include "app/base/files/syncfolder.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace gpuledger::base {

namespace {

// Returns 0, or the errno of the failure.
int writeAll(int fd, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t n = write(fd, content.data(), content.size());
        if (n >= 0)
            content.remove_prefix(static_cast<std::size_t>(n));
        else if (errno != EINTR)
            return errno;
    }
    return fsync(fd) == 0 ? 0 : errno;
}

int replaceIn(const std::filesystem::path &file, std::string_view content, mode_t mode)
{
    struct stat old { };
    const bool exists = stat(file.c_str(), &old) == 0;
    std::string temporary = file.string() + ".XXXXXX";
    const int fd = mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = writeAll(fd, content);
    if (error == 0 && exists && (old.st_uid != geteuid() || old.st_gid != getegid())
        && fchown(fd, old.st_uid, old.st_gid) != 0 && errno != EPERM)
        error = errno;
    if (error == 0 && fchmod(fd, exists ? old.st_mode & 07777 : mode) != 0)
        error = errno;
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(temporary.c_str(), file.c_str()) != 0)
        error = errno;
    if (error != 0) {
        unlink(temporary.c_str());
        return error;
    }
    return syncFolder(file.has_parent_path() ? file.parent_path() : ".");
}

} // namespace

Result<void> replaceFile(const std::filesystem::path &file, std::string_view content, mode_t mode)
{
    std::error_code missing, ec;
    const bool link = std::filesystem::is_symlink(file, missing);
    const std::filesystem::path target = link ? std::filesystem::canonical(file, ec) : file;
    const int error = ec ? ec.value() : replaceIn(target, content, mode);
    if (error == 0)
        return {};
    const bool full = error == ENOSPC || error == EDQUOT;
    return fail(full ? ErrorCode::StorageFull : ErrorCode::StorageReadOnly,
                printable(file.string()) + " can't be written: " + std::strerror(error),
                full ? Remedy::FreeSpaceFileKept : Remedy::CheckPermissionsFileKept);
}

} // namespace gpuledger::base
