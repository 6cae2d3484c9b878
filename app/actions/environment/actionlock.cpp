// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/environment/actionlock.h"

#include "app/base/remedy.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace gpuledger::actions {

base::Result<std::unique_ptr<ActionLock>> ActionLock::take(const std::filesystem::path &dataFolder)
{
    const std::filesystem::path file = dataFolder / "actions.lock";
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return base::fail(base::ErrorCode::StorageReadOnly,
                          file.string() + ": " + std::strerror(errno) + "; nothing was stopped");
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        ::close(fd);
        return base::fail(base::ErrorCode::StorageBusy, "another window or command is stopping workloads at the moment",
                          base::Remedy::WaitUntilDone);
    }
    return std::unique_ptr<ActionLock>(new ActionLock(fd));
}

ActionLock::~ActionLock()
{
    ::close(m_fd);
}

} // namespace gpuledger::actions
