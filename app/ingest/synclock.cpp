// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/synclock.h"

#include "app/base/crypto/sha256.h"
#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>

namespace gpuledger::ingest {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::chrono::milliseconds kPause{50}; // flock() has no timeout
constexpr std::size_t kNameDigits = 16; // of the hash of the source's name, which may contain any characters

std::filesystem::path lockFile(const std::filesystem::path &dataFolder, const std::string &source)
{
    return dataFolder / ("sync-" + base::sha256Hex(source).substr(0, kNameDigits) + ".lock");
}

tl::unexpected<base::Error> unusable(const std::filesystem::path &file, int error)
{
    const bool full = error == ENOSPC || error == EDQUOT || error == EMFILE || error == ENFILE;
    return base::fail(full ? ErrorCode::StorageFull : ErrorCode::StorageReadOnly,
                      base::printable(file.string()) + ": " + std::strerror(error) + "; nothing was fetched");
}

// The process that holds the lock, as listed by the system; empty if it is on another machine or in another container.
std::string holderOf(int fd)
{
    struct stat info { };
    if (::fstat(fd, &info) != 0)
        return {};
    char place[64];
    std::snprintf(place, sizeof place, "%02x:%02x:%llu", major(info.st_dev), minor(info.st_dev),
                  static_cast<unsigned long long>(info.st_ino));
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        // "1: FLOCK  ADVISORY  WRITE 4711 08:01:123 0 EOF"; "->" after the number: it is waiting itself.
        std::istringstream fields(line);
        std::string number, kind, advisory, mode, pid, where;
        if (fields >> number >> kind >> advisory >> mode >> pid >> where && kind == "FLOCK" && where == place
            && pid != "0")
            return pid;
    }
    return {};
}

std::string nameOf(const std::string &pid)
{
    return pid.empty() ? "another window or command" : "process " + pid;
}

tl::unexpected<base::Error> busy(const std::string &source, const std::string &pid, std::chrono::milliseconds waited)
{
    return base::fail(ErrorCode::StorageBusy,
                      nameOf(pid) + " has been syncing \"" + base::printable(source, 64) + "\" for more than "
                          + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(waited).count())
                          + " s; nothing was fetched here",
                      base::Remedy::WaitUntilDone);
}

// False: a stop was requested.
bool pause(const std::stop_token &stop)
{
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_for(lock, stop, kPause, [] { return false; });
    return !stop.stop_requested();
}

} // namespace

Result<std::unique_ptr<SyncLock>> SyncLock::take(const std::filesystem::path &dataFolder, const std::string &source,
                                                 std::chrono::milliseconds longest, const std::stop_token &stop)
{
    const std::filesystem::path file = lockFile(dataFolder, source);
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return unusable(file, errno);
    std::unique_ptr<SyncLock> lock(new SyncLock(fd));
    const auto end = std::chrono::steady_clock::now() + longest;
    for (bool told = false; ::flock(fd, LOCK_EX | LOCK_NB) != 0; told = true) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return unusable(file, errno);
        if (!told)
            base::log::info("sync", source + ": waiting for " + nameOf(holderOf(fd)));
        if (std::chrono::steady_clock::now() >= end)
            return busy(source, holderOf(fd), longest);
        if (!pause(stop))
            return base::fail(ErrorCode::Cancelled, "cancelled");
    }
    return lock;
}

SyncLock::~SyncLock()
{
    ::close(m_fd);
}

} // namespace gpuledger::ingest
