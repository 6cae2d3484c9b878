// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/remedy.h"

namespace gpuledger::base {

std::string_view text(Remedy remedy)
{
    switch (remedy) {
    case Remedy::None:
        return "";
#define GPULEDGER_REMEDY(name, text)                                                                                   \
    case Remedy::name:                                                                                                 \
        return text;
#include "app/base/remedies.def"
#undef GPULEDGER_REMEDY
    }
    return "";
}

} // namespace gpuledger::base
