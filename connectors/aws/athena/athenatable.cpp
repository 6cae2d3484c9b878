// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/athena/athenatable.h"

#include "app/base/remedy.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

std::string smallLettersOf(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

// Of Hive's types, as the catalogue writes them.
TableColumn::Type typeOf(const std::string &written)
{
    using Kind = TableColumn::Type;
    const std::string type = smallLettersOf(written);
    const std::string_view name = std::string_view(type).substr(0, type.find_first_of("(<"));
    constexpr std::array<std::string_view, 9> kNumbers{"double", "float",   "real",     "decimal", "bigint",
                                                       "int",    "integer", "smallint", "tinyint"};
    if (name == "string" || name == "varchar" || name == "char")
        return Kind::Text;
    if (name == "timestamp")
        return Kind::Time;
    if (name == "map" || name == "array" || name == "struct")
        return Kind::Nested;
    return std::find(kNumbers.begin(), kNumbers.end(), name) == kNumbers.end() ? Kind::Other : Kind::Number;
}

tl::unexpected<base::Error> unreadableTable(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "Athena's answer about the table can't be read: " + what,
                      base::Remedy::NextSyncTriesAgain);
}

Result<std::vector<TableColumn>> columnsIn(const Json &table, const char *list)
{
    std::vector<TableColumn> out;
    const Json &columns = format::memberOf(table, list);
    if (columns.is_null())
        return out;
    if (!columns.is_array())
        return unreadableTable("its columns are no list");
    if (columns.size() > AthenaTable::kMostColumns)
        return base::fail(ErrorCode::TooMuch, "the table has more than 4096 columns");
    for (const Json &column : columns) {
        TableColumn one{smallLettersOf(format::textOf(column, "Name")), typeOf(format::textOf(column, "Type"))};
        if (one.name.empty() || format::textOf(column, "Type").empty())
            return unreadableTable("a column has no name or no type");
        out.push_back(std::move(one));
    }
    return out;
}

} // namespace

Result<AthenaTable> AthenaTable::of(std::string_view body)
{
    const auto answer = format::parseJson(body);
    if (!answer)
        return unreadableTable("it is not JSON");
    const Json &table = format::memberOf(*answer, "TableMetadata");
    if (!table.is_object())
        return unreadableTable("it has no table");
    if (smallLettersOf(format::textOf(table, "TableType")) == "virtual_view")
        return base::fail(ErrorCode::Unsupported, "the table of this source is a view", base::Remedy::CheckAthenaTable);
    AthenaTable out;
    auto columns = columnsIn(table, "Columns");
    GPULEDGER_TRY(columns);
    const auto partitions = columnsIn(table, "PartitionKeys");
    GPULEDGER_TRY(partitions);
    out.columns = std::move(*columns);
    if (out.columns.empty())
        return unreadableTable("it has no columns");
    for (const TableColumn &one : *partitions) {
        if (one.type == TableColumn::Type::Text)
            out.partitions.push_back(one.name);
    }
    return out;
}

} // namespace gpuledger::aws
