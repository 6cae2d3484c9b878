// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gpuledger::base {

// A cell quoted as in RFC 4180. External text that a spreadsheet would take for a formula is prefixed with an
// apostrophe; numbers stay numbers; control characters, which a terminal would obey, become U+FFFD. Pure; any thread.
std::string csvCell(std::string_view cell);

} // namespace gpuledger::base
