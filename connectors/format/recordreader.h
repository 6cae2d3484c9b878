// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::format {

// The requested members of one record as text: numbers as written, strings unescaped. std::nullopt if absent, null, or
// an object or list.
using RecordValues = std::vector<std::optional<std::string>>;

// An answer {"code", "message", "warning", "data"} whose data is a map of records, or a list of such maps.
struct RecordsEnvelope {
    std::optional<std::int64_t> code;
    std::string message, warning; // printable
    bool hasData = false; // and it is not null
    bool isList = false;
    std::uint64_t records = 0;
};

// Reads such answers record by record, without building a tree. One thread at a time.
class RecordReader {
public:
    // `members` are paths such as "properties.cluster"; they must outlive the reader.
    explicit RecordReader(std::span<const std::string_view> members);
    ~RecordReader();

    // Called with the record's name and its values, parallel to the members; returning false ends the reading with
    // TooMuch.
    using Visit = std::function<bool(std::string_view name, const RecordValues &values)>;
    // Modifies the body (padding, and bytes that are not UTF-8). Fails with Parse (truncated, or of another structure)
    // or TooMuch.
    [[nodiscard]] base::Result<RecordsEnvelope> read(std::string &body, const Visit &visit);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace gpuledger::format
