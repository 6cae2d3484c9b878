// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/prices/pricetable.h"

#include "app/base/text/text.h"

#include <algorithm>

namespace gpuledger::savings {

using base::ErrorCode;

namespace {

constexpr std::size_t kLongestCell = 64U << 10;
constexpr std::size_t kLongestName = 256;
constexpr std::size_t kMostCells = 256; // of a row
constexpr std::size_t kMostListedRows = 2'000'000;

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

// Reads one record and moves `at` past its line end; false if a quote is open at the end of its line, a cell is too
// long or there are too many. A row that goes on in the next line would be unreadable anyway: cells have no control
// characters.
bool takeRecord(std::string_view text, std::size_t &at, std::vector<std::string> &cells)
{
    cells.assign(1, {});
    bool quoted = false;
    while (at < text.size() && cells.back().size() <= kLongestCell) {
        const char c = text[at++];
        if (quoted) {
            if (c == '\n')
                return false;
            if (c != '"') {
                cells.back() += c;
            } else if (at < text.size() && text[at] == '"') {
                cells.back() += '"';
                ++at;
            } else {
                quoted = false;
            }
        } else if (c == '"') {
            if (!cells.back().empty()) // a quote belongs at the begin of a cell
                return false;
            quoted = true;
        } else if (c == ',') {
            if (cells.size() == kMostCells)
                return false;
            cells.emplace_back();
        } else if (c == '\n') {
            return true;
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return !quoted && cells.back().size() <= kLongestCell;
}

bool isClean(const std::vector<std::string> &cells)
{
    return std::all_of(cells.begin(), cells.end(), [](const std::string &cell) {
        return base::isUtf8(cell) && std::none_of(cell.begin(), cell.end(), [](char c) {
                   const auto byte = static_cast<unsigned char>(c);
                   return (byte < 0x20 && c != '\t') || byte == 0x7F;
               });
    });
}

} // namespace

base::Result<PriceTable> PriceTable::parse(std::string_view text, const std::vector<std::string_view> &required)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    PriceTable table;
    std::vector<std::string> cells;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        const bool whole = takeRecord(text, at, cells);
        if (!whole) // goes on at the next line, so that one open quote does not hide the rows behind it
            at = std::min(text.find('\n', start), text.size() - 1) + 1;
        if (whole && cells.size() == 1 && cells.front().empty())
            continue;
        if (table.m_header.empty()) {
            if (!whole || !isClean(cells))
                break;
            table.m_header = cells;
        } else if (!whole || cells.size() != table.m_header.size() || !isClean(cells)) {
            ++table.m_unreadable;
        } else if (table.m_rows.size() == kMostListedRows) {
            return base::fail(ErrorCode::Parse, "it has more than " + std::to_string(kMostListedRows) + " rows");
        } else {
            table.m_rows.push_back(cells);
        }
    }
    if (table.m_header.empty())
        return base::fail(ErrorCode::Parse, "it has no line with the names of its columns");
    for (const std::string_view name : required) {
        if (std::find(table.m_header.begin(), table.m_header.end(), name) == table.m_header.end())
            return base::fail(ErrorCode::Parse, "it has no column " + std::string(name));
    }
    return table;
}

std::string_view PriceTable::cell(std::size_t row, std::string_view column) const
{
    const auto found = std::find(m_header.begin(), m_header.end(), column);
    if (found == m_header.end())
        return {};
    return withoutBlanks(m_rows[row][static_cast<std::size_t>(found - m_header.begin())]);
}

bool isPlausibleName(std::string_view name)
{
    return name.size() <= kLongestName;
}

} // namespace gpuledger::savings
