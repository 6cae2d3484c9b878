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

// Tells whether a file is still the one that was looked at.
struct FileStamp {
    std::uint64_t device = 0, inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modifiedNanos = 0; // since 1970

    std::int64_t modifiedSeconds() const { return modifiedNanos / 1'000'000'000; }
    auto operator<=>(const FileStamp &) const = default;
};

// Of bytes read twice: whether they are the same. Says nothing against somebody who can choose bytes for it.
struct CheckSum {
    std::uint64_t high = 0, low = 0;
    bool operator==(const CheckSum &) const = default;
};

// A regular file on disk, hashed as it is read. One thread.
class BillFileBytes final : public format::ByteSource {
public:
    enum class Hash {
        Full, // SHA-256 and check sum
        CheckSum, // which costs a tenth
    };
    // Follows no link at the end of the path and waits for no pipe. Fails with NotFound, Forbidden, or Unsupported (no
    // regular file).
    [[nodiscard]] static base::Result<std::unique_ptr<BillFileBytes>> open(const std::filesystem::path &path,
                                                                           Hash hash);
    BillFileBytes(const BillFileBytes &) = delete;
    BillFileBytes &operator=(const BillFileBytes &) = delete;
    ~BillFileBytes() override;

    [[nodiscard]] base::Result<std::size_t> read(std::span<char> to) override;
    std::uint64_t bytesRead() const { return m_bytes; }
    CheckSum checkSum() const; // of what was read
    // Of what was read; ends the reading. Lower-case hexadecimal. Fails with Internal, also where it was not asked for.
    [[nodiscard]] base::Result<std::string> sha256();
    // As the file is now. Fails with NotFound.
    [[nodiscard]] base::Result<FileStamp> stamp() const;

private:
    BillFileBytes(int fd, std::string shown);
    int m_fd;
    std::string m_shown; // the path, printable
    XXH3_state_t *m_sum; // owned, and the next
    EVP_MD_CTX *m_hash = nullptr; // null: not asked for
    std::uint64_t m_bytes = 0;
};

// As the file at this path is now; links are not followed. Fails with NotFound.
[[nodiscard]] base::Result<FileStamp> stampOf(const std::filesystem::path &path);

} // namespace gpuledger::focus
