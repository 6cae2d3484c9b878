// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

// File access and zstd for reports; for reportfile only. One thread.
namespace gpuledger::reports {

using Sink = std::function<base::Result<void>(std::string_view)>;

// A regular file that is read; its size is that at the time of opening.
class ReportInput {
public:
    // Fails with NotFound, StorageCorrupt (not a regular file) or Storage.
    [[nodiscard]] static base::Result<ReportInput> open(const std::filesystem::path &file);
    ReportInput(ReportInput &&other) noexcept;
    ReportInput &operator=(ReportInput &&) = delete;
    ~ReportInput();

    const std::string &name() const { return m_name; } // safe to show
    std::uint64_t size() const { return m_size; }
    // Both fail with StorageCorrupt if the file has become shorter, or with Storage.
    [[nodiscard]] base::Result<std::string> bytes(std::uint64_t at, std::uint64_t count);
    [[nodiscard]] base::Result<void> each(std::uint64_t at, std::uint64_t count, const Sink &visit);

private:
    ReportInput() = default;
    base::Result<void> readInto(std::string &to, std::uint64_t at);

    int m_fd = -1;
    std::string m_name;
    std::uint64_t m_size = 0;
};

// One zstd frame with a checksum.
class Compressor {
public:
    explicit Compressor(Sink sink);
    ~Compressor();
    Compressor(const Compressor &) = delete;
    Compressor &operator=(const Compressor &) = delete;
    [[nodiscard]] base::Result<void> add(std::string_view bytes);
    [[nodiscard]] base::Result<void> finish();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

// Fails with StorageCorrupt (not zstd, or trailing bytes after the frame) and with its sink's error.
class Decompressor {
public:
    explicit Decompressor(Sink sink);
    ~Decompressor();
    Decompressor(const Decompressor &) = delete;
    Decompressor &operator=(const Decompressor &) = delete;
    [[nodiscard]] base::Result<void> add(std::string_view bytes);
    bool isWhole() const; // the end of the frame was reached

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace gpuledger::reports
