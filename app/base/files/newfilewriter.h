// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace gpuledger::base {

// Streams a large file to a temporary file beside `file` and replaces `file` on commit(); without commit(), the
// temporary file is removed with this object. An existing file keeps its permissions; a new one gets `mode`. One
// thread. All functions fail with StorageFull or StorageReadOnly; then nothing was changed.
class NewFileWriter {
public:
    [[nodiscard]] static Result<std::unique_ptr<NewFileWriter>> begin(const std::filesystem::path &file, mode_t mode);
    ~NewFileWriter();
    NewFileWriter(const NewFileWriter &) = delete;
    NewFileWriter &operator=(const NewFileWriter &) = delete;

    [[nodiscard]] Result<void> write(std::string_view bytes);
    // Syncs, then renames.
    [[nodiscard]] Result<void> commit();

private:
    NewFileWriter(std::filesystem::path file, std::string temporary, int fd)
        : m_file(std::move(file))
        , m_temporary(std::move(temporary))
        , m_fd(fd)
    {
    }
    std::filesystem::path m_file;
    std::string m_temporary; // empty: already renamed
    int m_fd = -1;
};

} // namespace gpuledger::base
