// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Writes FOCUS files for tests, independently of the code that reads them.
namespace gpuledger::tests {

// One row: the CSV text of its cells by column, e.g. {"BilledCost", "1.5"}; absent cells are empty.
using Cells = std::map<std::string, std::string>;

// A valid line with every mandatory column, modified by `changes`.
Cells goodCells(const Cells &changes = {});
std::vector<std::string> mandatoryColumns();

// Header and rows with LF. Columns: the mandatory ones, and every column that any row names.
std::string csvText(const std::vector<Cells> &rows);
std::string csvText(const std::vector<std::string> &columns, const std::vector<Cells> &rows);

std::string gzipped(std::string_view plain, int level = 6);
std::string zstandard(std::string_view plain);

// Writes the file with an older modification time, so that it does not look as if it were still being written.
void writeFile(const std::filesystem::path &path, std::string_view bytes, base::Seconds age = base::Seconds{3600});

} // namespace gpuledger::tests
