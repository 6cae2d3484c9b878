// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <filesystem>
#include <memory>

namespace gpuledger::base {

// A folder for temporary files of this process only (mode 0700), removed with its content when the object is destroyed.
// Leftovers of killed processes are removed when the next one is created. Any thread.
class PrivateFolder {
public:
    // Created in the folder for temporary files ($TMPDIR, else /tmp). Fails with StorageFull or StorageReadOnly.
    [[nodiscard]] static Result<std::unique_ptr<PrivateFolder>> make();
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder &) = delete;
    PrivateFolder &operator=(const PrivateFolder &) = delete;

    const std::filesystem::path &path() const { return m_path; }

private:
    PrivateFolder(std::filesystem::path path, int fd)
        : m_path(std::move(path))
        , m_fd(fd)
    {
    }
    std::filesystem::path m_path;
    int m_fd = -1; // of the folder; locked while it is in use
};

} // namespace gpuledger::base
