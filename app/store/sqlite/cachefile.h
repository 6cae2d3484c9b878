// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

// The cache's file from outside: its folder, permissions, header and the lock that shows whether it is in use. Any
// thread.
namespace gpuledger::store {

// Creates the folder (0700) and its missing parents. Fails with StorageFull, StorageReadOnly or Storage.
[[nodiscard]] base::Result<void> createPrivateFolder(const std::filesystem::path &folder);
// Creates an empty file (0600) unless it exists. SQLite gives its companion files the same permissions.
[[nodiscard]] base::Result<void> createPrivateFile(const std::filesystem::path &file);

// What the header of a cache file shows.
struct FileLook {
    enum class Kind {
        Missing, // or empty, or its creation was interrupted
        Ours,
        Foreign, // a SQLite file of another program
        NotSqlite, // or truncated, or with a damaged header
    };
    Kind kind = Kind::Missing;
    std::int64_t version = 0; // from the header
    bool hasChecksums = false; // in its pages
    bool hasLog = false; // a write-ahead log lies beside it: in use, or its last user did not shut down cleanly
};
// Reads the header; changes nothing. Fails with Storage… codes if the file cannot be read.
[[nodiscard]] base::Result<FileLook> lookAt(const std::filesystem::path &file);

// Renames the file and its companions to NAME.damaged-TIME and returns the new name. Fails with Storage.
[[nodiscard]] base::Result<std::filesystem::path> setAside(const std::filesystem::path &file);

// Shows whether this is the only user of a cache. Held until the object is destroyed or the process ends.
class UseLock {
public:
    // Never waits. If the lock file cannot be written, alone() is false.
    explicit UseLock(const std::filesystem::path &file);
    ~UseLock();
    UseLock(const UseLock &) = delete;
    UseLock &operator=(const UseLock &) = delete;
    // No one else has the cache open, and no one can open it before share().
    bool alone() const { return m_alone; }
    // Lets others open the cache from now on; waits until another user has finished checking the file.
    void share();

private:
    int m_fd = -1;
    bool m_alone = false;
};

// Device and inode, to detect that a file was replaced or removed under its name.
struct FileIdentity {
    std::uint64_t device = 0, inode = 0;
    bool operator==(const FileIdentity &) const = default;
};
FileIdentity identityOf(const std::filesystem::path &file); // zeros if it does not exist

} // namespace gpuledger::store
