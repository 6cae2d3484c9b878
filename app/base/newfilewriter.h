// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace gpuledger::base {

// Writes a large file piece by piece, which takes the place of `file` once it is whole: until then it lies beside it
// under another name, and goes with this object. An old file keeps its rights; a new one gets `mode`. One thread. All
// fail with StorageFull or StorageReadOnly; then nothing was changed.
class NewFileWriter {
public:
    [[nodiscard]] static Result<std::unique_ptr<NewFileWriter>> begin(const std::filesystem::path &file, mode_t mode);
    ~NewFileWriter();
    NewFileWriter(const NewFileWriter &) = delete;
    NewFileWriter &operator=(const NewFileWriter &) = delete;

    [[nodiscard]] Result<void> write(std::string_view bytes);
    // Synced, then renamed.
    [[nodiscard]] Result<void> commit();

private:
    NewFileWriter(std::filesystem::path file, std::string temporary, int fd)
        : m_file(std::move(file))
        , m_temporary(std::move(temporary))
        , m_fd(fd)
    {
    }
    std::filesystem::path m_file;
    std::string m_temporary; // empty: it was renamed
    int m_fd = -1;
};

} // namespace gpuledger::base
