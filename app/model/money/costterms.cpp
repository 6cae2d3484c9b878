// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/costterms.h"

namespace gpuledger::model {

std::string_view toString(Recovery value)
{
    switch (value) {
    case Recovery::Now:
        return "now";
    case Recovery::AtDate:
        return "at-date";
    case Recovery::Never:
        return "never";
    case Recovery::WithMachine:
        return "with-machine";
    case Recovery::Unknown:
        break;
    }
    return {};
}

} // namespace gpuledger::model
