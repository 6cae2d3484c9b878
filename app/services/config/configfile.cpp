// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/configfile.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/services/config/config.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::chrono::milliseconds kPause{20};
constexpr int kReplacingTries = 500; // = ten seconds; no change takes that long

tl::unexpected<base::Error> unreadable(const std::filesystem::path &file, const std::string &why, base::Hint hint)
{
    return base::fail(
        base::Error::make(ErrorCode::InvalidConfig, base::printable(file.string()) + ": " + why, std::move(hint))
            .withSource(file.string()));
}

// std::nullopt if reading fails.
std::optional<std::string> bytesOf(int fd)
{
    std::string text(kMaxConfigBytes + 1, '\0');
    std::size_t got = 0;
    while (got < text.size()) {
        const ssize_t n = ::read(fd, text.data() + got, text.size() - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return std::nullopt;
        if (n == 0)
            break;
        got += static_cast<std::size_t>(n);
    }
    text.resize(got);
    return text;
}

} // namespace

Result<std::optional<std::string>> configBytes(const std::filesystem::path &file)
{
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const int failed = errno;
    if (fd < 0 && (failed == ENOENT || failed == ENOTDIR))
        return std::optional<std::string>();
    struct stat info { };
    const bool known = fd >= 0 && ::fstat(fd, &info) == 0;
    std::optional<std::string> text;
    if (known && S_ISREG(info.st_mode))
        text = bytesOf(fd);
    if (fd >= 0)
        ::close(fd);
    if (known && S_ISDIR(info.st_mode))
        return unreadable(file, "is a folder, not a file", base::Remedy::PassConfigFile);
    if ((known && !S_ISREG(info.st_mode)) || (fd < 0 && failed == ENXIO))
        return unreadable(file, "is a pipe or a device, not a file; it was not read", base::Remedy::PassConfigFile);
    if (!text)
        return unreadable(file, "can't be read", base::Remedy::CheckFilePermissions);
    return text;
}

Result<std::unique_ptr<ConfigLock>> ConfigLock::take(const std::filesystem::path &file)
{
    std::error_code ec;
    const std::filesystem::path folder = std::filesystem::absolute(file, ec).parent_path();
    if (std::filesystem::create_directories(folder, ec))
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ec);
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return base::fail(ErrorCode::StorageReadOnly, base::printable(folder.string()) + ": " + std::strerror(errno),
                          base::Remedy::CheckPermissionsNothingChanged);
    std::unique_ptr<ConfigLock> lock(new ConfigLock(fd));
    for (int i = 0; ::flock(fd, LOCK_EX | LOCK_NB) != 0; ++i) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            break; // the file system has no locks; the contents are compared before the file is replaced
        if (i == kReplacingTries)
            return base::fail(base::Error::make(ErrorCode::StorageBusy,
                                                base::printable(file.string()) + " is being changed by another process",
                                                base::Remedy::TryAgain)
                                  .withSource(file.string()));
        std::this_thread::sleep_for(kPause); // allowed: another process holds the lock; there is nothing to wait on
    }
    return lock;
}

ConfigLock::~ConfigLock()
{
    ::close(m_fd);
}

} // namespace gpuledger::services
