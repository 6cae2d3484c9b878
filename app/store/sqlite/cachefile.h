// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

// The cache's file from outside: its folder, rights, header and the lock that tells who uses it. Any thread.
namespace gpuledger::store {

// Creates the folder (0700) with its parents where missing. Fails with StorageFull, StorageReadOnly or Storage.
[[nodiscard]] base::Result<void> createPrivateFolder(const std::filesystem::path &folder);
// Creates an empty file (0600) unless it exists. SQLite gives its companions the rights of this file.
[[nodiscard]] base::Result<void> createPrivateFile(const std::filesystem::path &file);

struct FileLook {
    enum class Kind {
        Missing, // or empty
        Ours,
        Foreign, // SQLite, but another program's
        NotSqlite, // or cut short, or with a damaged header
    };
    Kind kind = Kind::Missing;
    std::int64_t version = 0; // as the header says it
    bool hasChecksums = false; // in its pages
    bool hasLog = false; // a write-ahead log lies beside it: in use, or its last user did not end cleanly
};
// Reads the header; changes nothing. Fails with Storage… when the file can't be read.
[[nodiscard]] base::Result<FileLook> lookAt(const std::filesystem::path &file);

// Renames the file and its companions to NAME.damaged-TIME and answers the new name. Fails with Storage.
[[nodiscard]] base::Result<std::filesystem::path> setAside(const std::filesystem::path &file);

// Tells the only user of a cache from one of several. Held until the object goes, or the process ends.
class UseLock {
public:
    // Never waits. Where the lock file can't be written nobody is alone.
    explicit UseLock(const std::filesystem::path &file);
    ~UseLock();
    UseLock(const UseLock &) = delete;
    UseLock &operator=(const UseLock &) = delete;
    // Nobody else has the cache open, and nobody can open it before share().
    bool alone() const { return m_alone; }
    // From here on others may come; waits for another user's look at the file to be over.
    void share();

private:
    int m_fd = -1;
    bool m_alone = false;
};

// Device and inode, to notice that a file was replaced or removed under its name.
struct FileIdentity {
    std::uint64_t device = 0, inode = 0;
    bool operator==(const FileIdentity &) const = default;
};
FileIdentity identityOf(const std::filesystem::path &file); // zeros when it is not there

} // namespace gpuledger::store
