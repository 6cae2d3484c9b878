// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace gpuledger::aws {

// One of the two files that the AWS tools share (~/.aws/credentials, ~/.aws/config). Its bytes are kept as a secret and
// searched at each query. Any thread.
class ProfileFile {
public:
    ProfileFile() = default; // an empty file
    explicit ProfileFile(base::Secret text)
        : m_text(std::move(text))
    {
    }
    // A missing file counts as empty. Fails with Forbidden (unreadable, writable by others, or not a regular file) or
    // TooMuch (above 1 MiB).
    [[nodiscard]] static base::Result<ProfileFile> read(const std::filesystem::path &path);

    bool has(std::string_view section) const;
    // The value of a key, or "" if there is none; the last of several. Indented lines belong to the key above them and
    // are skipped. Valid as long as this object.
    std::string_view value(std::string_view section, std::string_view key) const;

private:
    base::Secret m_text;
};

// The bytes of a small file. Errors as above, but a missing file is NotFound.
[[nodiscard]] base::Result<base::Secret> readSmallFile(const std::filesystem::path &path);

} // namespace gpuledger::aws
