// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// FOCUS files for tests, written by other code than that which reads them.
namespace gpuledger::tests {

// One row as the cells' CSV spelling by column, e.g. {"BilledCost", "1.5"}; absent ones are empty.
using Cells = std::map<std::string, std::string>;

// A good line with every mandatory column, and `changes` on top.
Cells goodCells(const Cells &changes = {});
std::vector<std::string> mandatoryColumns();

// Header and rows with LF. The columns: the mandatory ones, and those that any row names.
std::string csvText(const std::vector<Cells> &rows);
std::string csvText(const std::vector<std::string> &columns, const std::vector<Cells> &rows);

std::string gzipped(std::string_view plain, int level = 6);
std::string zstandard(std::string_view plain);

// Writes the file and sets its time back, so that nobody seems to be writing it.
void writeFile(const std::filesystem::path &path, std::string_view bytes, base::Seconds age = base::Seconds{3600});

} // namespace gpuledger::tests
