// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuledger::base {

// What to do about an Error, if that is the same each time: the entries of remedies.def.
enum class Remedy : std::uint16_t {
    None,
#define GPULEDGER_REMEDY(name, text) name,
#include "app/base/remedies.def"
#undef GPULEDGER_REMEDY
};

// English, and the key of the translation. Empty for None.
std::string_view text(Remedy remedy);

} // namespace gpuledger::base
