// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/csvtable.h"

#include "app/base/text/text.h"

#include <algorithm>

namespace gpuledger::ledger {

namespace {

// Reads one record starting at `at` and moves `at` past its line end; false if a quote is left open.
bool readRecord(std::string_view text, std::size_t &at, std::vector<std::string> &fields)
{
    fields.assign(1, {});
    bool quoted = false;
    while (at < text.size()) {
        const char c = text[at++];
        if (quoted) {
            if (c != '"') {
                fields.back() += c;
            } else if (at < text.size() && text[at] == '"') {
                fields.back() += '"';
                ++at;
            } else {
                quoted = false;
            }
        } else if (c == '"' && fields.back().empty()) {
            quoted = true;
        } else if (c == ',') {
            fields.emplace_back();
        } else if (c == '\n') {
            break;
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    return !quoted;
}

} // namespace

base::Result<CsvTable> CsvTable::parse(std::string_view text)
{
    CsvTable table;
    std::size_t at = 0;
    std::vector<std::string> fields;
    for (std::size_t record = 1; at < text.size(); ++record) {
        if (!readRecord(text, at, fields))
            return base::fail(base::ErrorCode::Parse, "record " + std::to_string(record) + ": a quote is not closed");
        if (fields.size() == 1 && fields.front().empty())
            continue;
        if (table.m_header.empty()) {
            table.m_header = fields;
        } else if (fields.size() != table.m_header.size()) {
            return base::fail(base::ErrorCode::Parse,
                              "record " + std::to_string(record) + " has " + std::to_string(fields.size())
                                  + " fields; expected " + std::to_string(table.m_header.size()));
        } else {
            table.m_rows.push_back(fields);
        }
    }
    if (table.m_header.empty())
        return base::fail(base::ErrorCode::Parse, "the table has no header");
    return table;
}

base::Result<std::size_t> CsvTable::column(std::string_view name) const
{
    const auto it = std::find(m_header.begin(), m_header.end(), name);
    if (it == m_header.end())
        return base::fail(base::ErrorCode::Parse, "no column \"" + std::string(name) + '"');
    return static_cast<std::size_t>(it - m_header.begin());
}

std::vector<std::string> splitList(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        std::string_view part = text.substr(0, end);
        while (!part.empty() && part.front() == ' ')
            part.remove_prefix(1);
        while (!part.empty() && part.back() == ' ')
            part.remove_suffix(1);
        if (!part.empty())
            parts.emplace_back(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

} // namespace gpuledger::ledger
