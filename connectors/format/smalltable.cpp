// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/smalltable.h"

#include "app/base/text/text.h"
#include "connectors/format/csvreader.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace gpuledger::format {

using base::ErrorCode;
using base::Result;

namespace {

using Places = std::vector<std::optional<std::size_t>>; // of the columns in a row

class TableBytes final : public ByteSource {
public:
    explicit TableBytes(std::string_view text)
        : m_text(text)
    {
    }
    Result<std::size_t> read(std::span<char> to) override
    {
        const std::size_t count = std::min(to.size(), m_text.size());
        std::memcpy(to.data(), m_text.data(), count);
        m_text.remove_prefix(count);
        return count;
    }

private:
    std::string_view m_text;
};

std::string_view withoutBlanks(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t";
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Result<Places> placesIn(const TextRow &header, std::span<const SmallTableColumn> columns, const SmallTableKind &kind)
{
    Places places(columns.size());
    for (std::size_t i = 0; i < header.size(); ++i) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (withoutBlanks(header[i]) != columns[c].name)
                continue;
            if (places[c])
                return kind.wrongLine(header.line(), "the column " + columns[c].name + " is there twice");
            places[c] = i;
        }
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].isRequired && !places[c])
            return kind.wrongLine(header.line(), "there is no column " + columns[c].name);
    }
    return places;
}

} // namespace

tl::unexpected<base::Error> SmallTableKind::wrongLine(std::uint64_t line, const std::string &why) const
{
    return base::fail(ErrorCode::Parse, std::string(name) + " can't be read: line " + std::to_string(line) + ": " + why,
                      remedy);
}

Result<std::vector<SmallTableRow>> readSmallTable(std::string_view csv, std::span<const SmallTableColumn> columns,
                                                  const SmallTableKind &kind)
{
    TableBytes bytes(csv);
    CsvReader reader(bytes);
    TextRow row;
    const auto hasHeader = reader.next(row);
    GPULEDGER_TRY(hasHeader);
    if (!*hasHeader)
        return base::fail(ErrorCode::Parse, std::string(kind.name) + " is empty", kind.remedy);
    const auto places = placesIn(row, columns, kind);
    GPULEDGER_TRY(places);
    std::vector<SmallTableRow> rows;
    for (;;) {
        const auto isThere = reader.next(row);
        GPULEDGER_TRY(isThere);
        if (!*isThere)
            return rows;
        if (rows.size() == kind.mostThousandRows * 1'000)
            return base::fail(ErrorCode::TooMuch,
                              std::string(kind.name) + " has more than " + std::to_string(kind.mostThousandRows)
                                  + ",000 rows",
                              kind.remedy);
        if (row.problem() != TextRow::Problem::None)
            return kind.wrongLine(row.line(), "it is no row of CSV");
        SmallTableRow &out = rows.emplace_back();
        out.line = row.line();
        for (const auto &place : *places)
            out.cells.emplace_back(place && *place < row.size() ? withoutBlanks(row[*place]) : std::string_view());
    }
}

} // namespace gpuledger::format
