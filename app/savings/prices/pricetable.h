// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::savings {

// A price list as comma-separated text (RFC 4180; LF or CRLF; with or without a byte order mark). Unlike
// ledger::CsvTable, it drops and counts the rows that cannot be read, because lists come from others. Plain value.
class PriceTable {
public:
    // Fails with Parse: no header, one of `required` is not in it, or more than 2,000,000 rows.
    [[nodiscard]] static base::Result<PriceTable> parse(std::string_view text,
                                                        const std::vector<std::string_view> &required);

    std::size_t rows() const { return m_rows.size(); }
    // Rows with another number of cells or more than 256, a quote that is open at the end of the line, a control
    // character, text that is not UTF-8, or a cell of more than 64 KiB.
    std::size_t unreadable() const { return m_unreadable; }
    // A cell without surrounding blanks; empty if there is no such column.
    std::string_view cell(std::size_t row, std::string_view column) const;

private:
    std::vector<std::string> m_header;
    std::vector<std::vector<std::string>> m_rows;
    std::size_t m_unreadable = 0;
};

// A name that can be shown: not too long.
bool isPlausibleName(std::string_view name);

} // namespace gpuledger::savings
