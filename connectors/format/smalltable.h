// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/remedy.h"
#include "app/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A CSV file that a user keeps by hand: a header with known columns in any order, and a few thousand rows.
namespace gpuledger::format {

struct SmallTableColumn {
    std::string name; // as in the header, in the same case
    bool isRequired = false;
};

// What errors say of such a table. Of static storage.
struct SmallTableKind {
    std::string_view name; // "the rate card"
    base::Remedy remedy = base::Remedy::None;
    std::size_t mostThousandRows = 10;

    // "NAME can't be read: line 3: WHY"
    tl::unexpected<base::Error> wrongLine(std::uint64_t line, const std::string &why) const;
};

struct SmallTableRow {
    std::uint64_t line = 0; // where it starts
    std::vector<std::string> cells; // parallel to the columns, without blanks around them; empty: there is none
};

// All rows or none; other columns are ignored. Fails with Parse (empty, a column missing or twice, a row that is not
// CSV) and TooMuch. Pure.
[[nodiscard]] base::Result<std::vector<SmallTableRow>>
readSmallTable(std::string_view csv, std::span<const SmallTableColumn> columns, const SmallTableKind &kind);

} // namespace gpuledger::format
