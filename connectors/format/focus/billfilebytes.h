// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/bytesource.h"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct XXH3_state_s XXH3_state_t;

namespace gpuledger::focus {

// Detects whether a file has changed since it was last examined.
struct FileStamp {
    std::uint64_t device = 0, inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modifiedNanos = 0; // since 1970

    std::int64_t modifiedSeconds() const { return modifiedNanos / 1'000'000'000; }
    auto operator<=>(const FileStamp &) const = default;
};

// A checksum to verify that bytes read twice are the same. No protection against someone who can choose the bytes.
struct CheckSum {
    std::uint64_t high = 0, low = 0;
    bool operator==(const CheckSum &) const = default;
};

// A regular file on disk, hashed as it is read. One thread.
class BillFileBytes final : public format::ByteSource {
public:
    enum class Hash {
        Full, // SHA-256 and checksum
        CheckSum, // at a tenth of the cost
    };
    // Does not follow a link at the end of the path and does not wait for a pipe. Fails with NotFound, Forbidden, or
    // Unsupported (not a regular file).
    [[nodiscard]] static base::Result<std::unique_ptr<BillFileBytes>> open(const std::filesystem::path &path,
                                                                           Hash hash);
    BillFileBytes(const BillFileBytes &) = delete;
    BillFileBytes &operator=(const BillFileBytes &) = delete;
    ~BillFileBytes() override;

    [[nodiscard]] base::Result<std::size_t> read(std::span<char> to) override;
    std::uint64_t bytesRead() const { return m_bytes; }
    int descriptor() const { return m_fd; } // stays this object's; for readers that don't move its position
    CheckSum checkSum() const; // of the bytes read
    // SHA-256 of the bytes read, in lower-case hexadecimal; ends the reading. Fails with Internal, also if the hash was
    // not requested.
    [[nodiscard]] base::Result<std::string> sha256();
    // The file's current state. Fails with NotFound.
    [[nodiscard]] base::Result<FileStamp> stamp() const;

private:
    BillFileBytes(int fd, std::string shown);
    int m_fd;
    std::string m_shown; // the path, in printable form
    XXH3_state_t *m_sum; // owned, like m_hash
    EVP_MD_CTX *m_hash = nullptr; // null: not requested
    std::uint64_t m_bytes = 0;
};

// The current state of the file at this path; links are not followed. Fails with NotFound.
[[nodiscard]] base::Result<FileStamp> stampOf(const std::filesystem::path &path);

} // namespace gpuledger::focus
