// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <optional>
#include <string>

namespace gpuledger::format {

// What is kept of a month that a MonthQuery gave. Value type.
struct KeptQuery {
    std::string identity; // AskedMonthFiles::identity
    std::string settings; // MonthQuery::identity(), as a hash
    std::string sha256; // of the rows
    base::UtcTime asked{};

    // Asked with these settings, and not long ago. A clock that was ahead counts as not asked.
    bool isFresh(const std::string &now, base::UtcTime at, base::Seconds refresh) const;

    std::string toText() const;
    static std::optional<KeptQuery> fromText(const std::string &text); // std::nullopt: another text
};

} // namespace gpuledger::format
