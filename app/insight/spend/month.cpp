// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/month.h"

#include "app/base/text/text.h"

#include <chrono>

namespace gpuledger::insight {

base::TimeRange Month::range() const
{
    using namespace std::chrono;
    const year_month month = std::chrono::year(year) / std::chrono::month(number);
    return {sys_days(month / 1), sys_days((month + months(1)) / 1)};
}

std::optional<Month> monthFromString(std::string_view text)
{
    if (text.size() != 7 || text[4] != '-')
        return std::nullopt;
    const auto year = base::parseInt(text.substr(0, 4));
    const auto number = base::parseInt(text.substr(5, 2));
    if (!year || !number || *year < 1990 || *year > 2199 || *number < 1 || *number > 12)
        return std::nullopt;
    return Month{static_cast<int>(*year), static_cast<unsigned>(*number)};
}

std::string toString(const Month &month)
{
    return base::toRfc3339(month.range().start).substr(0, 7);
}

} // namespace gpuledger::insight
