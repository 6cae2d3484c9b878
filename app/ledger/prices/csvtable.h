// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ledger {

// A small comma-separated table held in memory (RFC 4180: quoted fields, doubled quotes; LF or CRLF). Plain value.
class CsvTable {
public:
    // The first record holds the column names. Fails with Parse: a record with a different number of fields, an
    // unclosed quote, or no header.
    [[nodiscard]] static base::Result<CsvTable> parse(std::string_view text);
    // Index of a column. Fails with Parse if no column has that name.
    [[nodiscard]] base::Result<std::size_t> column(std::string_view name) const;
    const std::vector<std::vector<std::string>> &rows() const { return m_rows; }

private:
    std::vector<std::string> m_header;
    std::vector<std::vector<std::string>> m_rows;
};

// The non-empty pieces of a text between separators, trimmed.
std::vector<std::string> splitList(std::string_view text, char separator);

} // namespace gpuledger::ledger
