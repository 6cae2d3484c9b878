// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <filesystem>
#include <memory>

namespace gpuledger::base {

// A folder for temporary files of this process alone (mode 0700), removed with all that is in it when the object goes.
// What killed processes left behind goes when the next one is made. Any thread.
class PrivateFolder {
public:
    // In the folder for temporary files ($TMPDIR, else /tmp). Fails with StorageFull or StorageReadOnly.
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
    int m_fd = -1; // of the folder, locked: it is in use
};

} // namespace gpuledger::base
