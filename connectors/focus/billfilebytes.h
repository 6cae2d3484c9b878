// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/bytesource.h"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

typedef struct evp_md_ctx_st EVP_MD_CTX;

namespace gpuledger::focus {

// Tells whether a file is still the one that was looked at.
struct FileStamp {
    std::uint64_t device = 0, inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modifiedNanos = 0; // since 1970

    std::int64_t modifiedSeconds() const { return modifiedNanos / 1'000'000'000; }
    auto operator<=>(const FileStamp &) const = default;
};

// A regular file on disk, hashed as it is read. One thread.
class BillFileBytes final : public format::ByteSource {
public:
    // Follows no link at the end of the path and waits for no pipe. Fails with NotFound, Forbidden, or Unsupported (no
    // regular file).
    [[nodiscard]] static base::Result<std::unique_ptr<BillFileBytes>> open(const std::filesystem::path &path);
    BillFileBytes(const BillFileBytes &) = delete;
    BillFileBytes &operator=(const BillFileBytes &) = delete;
    ~BillFileBytes() override;

    [[nodiscard]] base::Result<std::size_t> read(std::span<char> to) override;
    std::uint64_t bytesRead() const { return m_bytes; }
    // Of what was read; ends the reading. Lower-case hexadecimal. Fails with Internal.
    [[nodiscard]] base::Result<std::string> sha256();
    // As the file is now. Fails with NotFound.
    [[nodiscard]] base::Result<FileStamp> stamp() const;

private:
    BillFileBytes(int fd, std::string shown, EVP_MD_CTX *hash)
        : m_fd(fd)
        , m_shown(std::move(shown))
        , m_hash(hash)
    {
    }
    int m_fd;
    std::string m_shown; // the path, printable
    EVP_MD_CTX *m_hash; // owned
    std::uint64_t m_bytes = 0;
};

// As the file at this path is now; links are not followed. Fails with NotFound.
[[nodiscard]] base::Result<FileStamp> stampOf(const std::filesystem::path &path);

} // namespace gpuledger::focus
