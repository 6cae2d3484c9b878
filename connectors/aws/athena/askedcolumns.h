// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/athena/athenatable.h"

#include <string>
#include <vector>

namespace gpuledger::aws {

// A column of the answer.
struct AskedColumn {
    enum class Role {
        Key, // rows that differ in it stay apart
        Money, // added up, each row rounded to 1e-9 as the reader of files does
        Exact, // added up
        Start, // of the charge: the first one of a day
        End, // of the charge: the last one of a day
        Interval, // of rows that have no start and end
    };
    std::string name; // in the answer
    Role role = Role::Key;
    std::string expression; // of one row
};

// Everything of a table that the readers of bills use. Value type.
struct AskedColumns {
    std::vector<AskedColumn> columns;
    bool isReport = false; // CUR 2.0; else FOCUS

    // Fails with Unsupported: another table, or one that lacks a column.
    [[nodiscard]] static base::Result<AskedColumns> of(const AthenaTable &table);
};

std::string quotedName(std::string_view name); // "a""b"
std::string quotedText(std::string_view text); // 'a''b'

} // namespace gpuledger::aws
