// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/secret.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace gpuledger::aws {

// One of the two files that the AWS tools share (~/.aws/credentials, ~/.aws/config). Its bytes are kept as a secret
// and looked through at each question. Any thread.
class ProfileFile {
public:
    ProfileFile() = default; // an empty one
    explicit ProfileFile(base::Secret text)
        : m_text(std::move(text))
    {
    }
    // A file that is not there is an empty one. Fails with Forbidden (it can't be read, others can change it, it is no
    // plain file) or TooMuch (above 1 MiB).
    [[nodiscard]] static base::Result<ProfileFile> read(const std::filesystem::path &path);

    bool has(std::string_view section) const;
    // The value of a key, or "" where there is none; of several the last one. Indented lines belong to a key above them
    // and are passed over. Valid as long as the file.
    std::string_view value(std::string_view section, std::string_view key) const;

private:
    base::Secret m_text;
};

// The bytes of a small file, with the same errors; a missing one is NotFound.
[[nodiscard]] base::Result<base::Secret> readSmallFile(const std::filesystem::path &path);

} // namespace gpuledger::aws
