// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/exports/exportlayout.h"

namespace gpuledger::format {

bool hasDotSegment(std::string_view key)
{
    const std::string framed = '/' + std::string(key) + '/';
    return framed.find("/../") != std::string::npos || framed.find("/./") != std::string::npos;
}

bool isPeriod(std::string_view text)
{
    constexpr std::size_t kLength = 7, kDash = 4;
    if (text.size() != kLength || text[kDash] != '-')
        return false;
    for (std::size_t i = 0; i < kLength; ++i) {
        if (i != kDash && (text[i] < '0' || text[i] > '9'))
            return false;
    }
    const std::string_view month = text.substr(kDash + 1);
    return month >= "01" && month <= "12";
}

} // namespace gpuledger::format
