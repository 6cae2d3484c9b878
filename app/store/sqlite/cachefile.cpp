// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/sqlite/cachefile.h"

#include "app/base/remedy.h"
#include "app/base/time/time.h"
#include "app/store/sqlite/migrations.h"
#include "app/store/sqlite/pagevfs.h"

#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr mode_t kPrivateFile = 0600;
constexpr std::size_t kHeaderSize = 100;
constexpr std::uint64_t kFirstPage = 8192; // bytes; Database sets it

auto systemError(int code, const std::string &doing, const std::filesystem::path &path)
{
    const bool full = code == ENOSPC || code == EDQUOT;
    const bool readOnly = code == EACCES || code == EPERM || code == EROFS;
    return fail(base::Error::make(full           ? ErrorCode::StorageFull
                                      : readOnly ? ErrorCode::StorageReadOnly
                                                 : ErrorCode::Storage,
                                  path.string() + ": " + doing + " failed: " + std::strerror(code),
                                  full           ? base::Remedy::FreeDiskSpace
                                      : readOnly ? base::Remedy::AllowDataFolder
                                                 : base::Remedy::CheckDataFolder)
                    .withSource(path.string()));
}

std::uint32_t bigEndian(const unsigned char *p)
{
    return (std::uint32_t{p[0]} << 24) | (std::uint32_t{p[1]} << 16) | (std::uint32_t{p[2]} << 8) | p[3];
}

std::filesystem::path companion(const std::filesystem::path &file, const char *suffix)
{
    return file.string() + suffix;
}

// The header's page count is valid if the counters at 24 and 92 agree.
bool cutShort(const unsigned char *header, std::uint64_t size)
{
    const std::uint32_t raw = (std::uint32_t{header[16]} << 8) | header[17];
    const std::uint64_t pageSize = raw == 1 ? 65536 : raw;
    if (bigEndian(header + 24) != bigEndian(header + 92))
        return false;
    return size < pageSize * bigEndian(header + 28);
}

struct Head {
    std::array<unsigned char, kHeaderSize> bytes{};
    std::uint64_t size = 0; // of the file
};

// Reads it through SQLite: when a process closes any descriptor of a file, it loses all its POSIX locks on that file,
// also those of its other connections. SQLite closes its descriptor only when no lock depends on it.
Result<Head> headOf(const std::filesystem::path &file)
{
    sqlite3_vfs *const vfs = sqlite3_vfs_find(nullptr);
    const char *const name = sqlite3_create_filename(file.c_str(), "", "", 0, nullptr);
    std::vector<std::max_align_t> memory(static_cast<std::size_t>(vfs->szOsFile) / sizeof(std::max_align_t) + 1);
    auto *const opened = reinterpret_cast<sqlite3_file *>(memory.data());
    errno = 0;
    int rc = vfs->xOpen(vfs, name, opened, SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY, nullptr);
    Head head;
    if (rc == SQLITE_OK) {
        sqlite3_int64 size = 0;
        rc = opened->pMethods->xFileSize(opened, &size);
        head.size = static_cast<std::uint64_t>(size);
    }
    if (rc == SQLITE_OK)
        rc = opened->pMethods->xRead(opened, head.bytes.data(), static_cast<int>(kHeaderSize), 0);
    const int code = errno;
    if (opened->pMethods)
        opened->pMethods->xClose(opened);
    sqlite3_free_filename(name);
    if (rc != SQLITE_OK && rc != SQLITE_IOERR_SHORT_READ) // then the rest is zero
        return systemError(code != 0 ? code : EIO, "reading the cache", file);
    return head;
}

} // namespace

Result<void> createPrivateFolder(const std::filesystem::path &folder)
{
    std::error_code error;
    if (std::filesystem::is_directory(folder, error))
        return {};
    const std::filesystem::path parent = folder.parent_path();
    if (!parent.empty() && parent != folder)
        GPULEDGER_TRY(createPrivateFolder(parent));
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return systemError(errno, "creating the data folder", folder);
    if (!std::filesystem::is_directory(folder, error))
        return systemError(ENOTDIR, "creating the data folder", folder);
    return {};
}

// An existing file is not opened: see headOf().
Result<void> createPrivateFile(const std::filesystem::path &file)
{
    int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kPrivateFile);
    if (fd < 0 && errno == EEXIST && ::faccessat(AT_FDCWD, file.c_str(), F_OK, AT_EACCESS) != 0 && errno == ENOENT)
        fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivateFile); // a link to a file that doesn't exist
    if (fd >= 0)
        ::close(fd);
    else if (errno != EEXIST || ::faccessat(AT_FDCWD, file.c_str(), R_OK | W_OK, AT_EACCESS) != 0)
        return systemError(errno, "opening the file", file);
    return {};
}

Result<FileLook> lookAt(const std::filesystem::path &file)
{
    FileLook look;
    std::error_code failed;
    const auto place = std::filesystem::canonical(file, failed); // SQLite opens no symbolic link
    if (failed == std::errc::no_such_file_or_directory)
        return look;
    if (failed)
        return systemError(failed.value(), "reading the cache", file);
    const auto head = headOf(place);
    GPULEDGER_TRY(head);
    const unsigned char *const header = head->bytes.data();
    std::error_code ignored;
    const auto logSize = std::filesystem::file_size(companion(file, "-wal"), ignored);
    look.hasLog = !ignored && logSize > 0;
    if (head->size == 0)
        return look;
    constexpr char kMagic[] = "SQLite format 3"; // with its terminating zero
    if (head->size < kHeaderSize || std::memcmp(header, kMagic, sizeof kMagic) != 0
        || (!look.hasLog && cutShort(header, head->size))) {
        // Only the first page is written with a journal. If that was interrupted, SQLite takes it back, and the file is
        // empty, as soon as it is opened for writing.
        const auto journalSize = std::filesystem::file_size(companion(file, "-journal"), ignored);
        const bool isBegun = !ignored && journalSize > 0 && head->size <= kFirstPage;
        look.kind = isBegun ? FileLook::Kind::Missing : FileLook::Kind::NotSqlite;
        return look;
    }
    look.version = bigEndian(header + 60);
    look.hasChecksums = saysChecksums(header);
    if (look.version >= kChecksumsSince && !look.hasChecksums) {
        look.kind = FileLook::Kind::NotSqlite;
        return look;
    }
    const std::int64_t application = bigEndian(header + 68);
    // Before its first step a file of ours has neither; a log may contain the step.
    const bool young = application == 0 && (look.version == 0 || look.hasLog);
    look.kind = application == kApplicationId || young ? FileLook::Kind::Ours : FileLook::Kind::Foreign;
    return look;
}

Result<std::filesystem::path> setAside(const std::filesystem::path &file)
{
    std::string stamp = base::toRfc3339(
        std::chrono::floor<base::Seconds>(std::chrono::system_clock::now())); // allowed: only names a file
    std::erase(stamp, ':');
    std::erase(stamp, '-');
    std::filesystem::path to = file.string() + ".damaged-" + stamp;
    std::error_code error;
    for (int n = 2; std::filesystem::exists(to, error); ++n)
        to = file.string() + ".damaged-" + stamp + "-" + std::to_string(n);
    // The log first: a log without its file is never mistaken for another file's.
    for (const char *suffix : {"-wal", "-shm", ""}) {
        std::filesystem::rename(companion(file, suffix), companion(to, suffix), error);
        if (error && error != std::errc::no_such_file_or_directory)
            return systemError(error.value(), "setting the damaged cache aside", file);
    }
    return to;
}

UseLock::UseLock(const std::filesystem::path &file)
    : m_fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivateFile))
{
    m_alone = m_fd >= 0 && ::flock(m_fd, LOCK_EX | LOCK_NB) == 0;
}

UseLock::~UseLock()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

void UseLock::share()
{
    m_alone = false;
    while (m_fd >= 0 && ::flock(m_fd, LOCK_SH) != 0 && errno == EINTR) { }
}

FileIdentity identityOf(const std::filesystem::path &file)
{
    struct stat info { };
    if (::stat(file.c_str(), &info) != 0)
        return {};
    return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino)};
}

} // namespace gpuledger::store
