// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::aws {

// A column as the Glue data catalogue has it.
struct TableColumn {
    enum class Type {
        Text,
        Time, // without a zone: UTC
        Number, // integers, decimals and floating-point numbers
        Nested, // maps, lists and structs
        Other,
    };
    std::string name; // in lower case
    Type type = Type::Text;
};

// What AthenaRuns::table() finds. Value type.
struct AthenaTable {
    std::vector<TableColumn> columns; // without those of partitions
    std::vector<std::string> partitions; // names of the columns that tell partitions apart, of those that are texts

    // The answer of GetTableMetadata. Fails with Parse, TooMuch (kMostColumns), or Unsupported (a view, which has no
    // files of its own).
    static constexpr std::size_t kMostColumns = 4096;
    [[nodiscard]] static base::Result<AthenaTable> of(std::string_view body);
};

} // namespace gpuledger::aws
