// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>

namespace gpuledger::store {

// The tables that a cache reduced to a month can have. Every one is listed, so that a new one is not handed out before
// someone has considered it.
const std::set<std::string> &cutTables();

} // namespace gpuledger::store
