// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/savingsclaim.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

// Reads CSV files of claims. Plain functions.
namespace gpuledger::claims {

// What the columns of the files are called, in the order of kColumnNames.
inline constexpr std::array<std::string_view, 7> kColumnNames{"tool", "what",  "scope",   "from",
                                                              "to",   "saved", "currency"};
using ColumnNames = std::array<std::string, kColumnNames.size()>;
// From "saved=Net savings, from=Period start"; a column that is not in it keeps its own name. Fails with InvalidConfig.
[[nodiscard]] base::Result<ColumnNames> columnNames(std::string_view format);

// All claims of a file or none, by line. `from` and `to` are days, both included, or months ("2026-10"); without `to`
// it is the day or month of `from`. A scope is "cluster=prod; team=vision". Fails with Parse and TooMuch (more than
// 1,000).
[[nodiscard]] base::Result<std::vector<model::SavingsClaim>> readClaims(std::string_view csv, const ColumnNames &names);

} // namespace gpuledger::claims
