// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/files/syncfolder.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace gpuledger::base {

int syncFolder(const std::filesystem::path &folder)
{
    const int fd = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    const int error = fsync(fd) == 0 || errno == EINVAL ? 0 : errno; // some file systems do not support syncing folders
    close(fd);
    return error;
}

} // namespace gpuledger::base
