// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gpuledger::base {

// A cell as RFC 4180 wants it. Foreign text that a spreadsheet would take for a formula gets an apostrophe in front;
// numbers stay numbers. Pure; any thread.
std::string csvCell(std::string_view cell);

} // namespace gpuledger::base
