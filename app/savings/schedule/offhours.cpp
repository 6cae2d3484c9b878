// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule/offhours.h"

#include "app/base/text/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gpuledger::savings {

using base::Result;

namespace {

constexpr std::size_t kOffDays = 7;
constexpr std::size_t kOffDayHours = 24;
constexpr std::size_t kLongestOffHours = 2000; // bytes
constexpr std::array<std::string_view, kOffDays> kOffDayNames{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

using OffDays = std::bitset<kOffDays>;
using OffSpan = std::pair<std::size_t, std::size_t>; // hours of a day; the second may be that of the next day

tl::unexpected<base::Error> badOffHours(std::string_view part)
{
    return base::fail(base::ErrorCode::InvalidArgument, "not off-hours: \"" + base::printable(part, 64) + '"',
                      "write days and hours, such as " + std::string(kOffDayNames[0]) + '-'
                          + std::string(kOffDayNames[4]) + " 20-7, " + std::string(kOffDayNames[5]));
}

std::string_view trimmedPart(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The text before the separator, and that after it if there is one.
std::pair<std::string_view, std::optional<std::string_view>> cutAt(std::string_view text, char separator)
{
    const auto at = text.find(separator);
    if (at == std::string_view::npos)
        return {trimmedPart(text), std::nullopt};
    return {trimmedPart(text.substr(0, at)), trimmedPart(text.substr(at + 1))};
}

std::optional<std::size_t> offDayFrom(std::string_view name)
{
    const auto found = std::find(kOffDayNames.begin(), kOffDayNames.end(), name);
    return found == kOffDayNames.end() ? std::nullopt
                                       : std::optional(static_cast<std::size_t>(found - kOffDayNames.begin()));
}

std::optional<OffDays> offDaysFrom(std::string_view text)
{
    const auto [from, to] = cutAt(text, '-');
    const auto first = offDayFrom(from), last = to ? offDayFrom(*to) : first;
    if (!first || !last)
        return std::nullopt;
    OffDays days;
    for (std::size_t day = *first;; day = (day + 1) % kOffDays) {
        days.set(day);
        if (day == *last)
            return days;
    }
}

std::optional<OffSpan> offSpanFrom(std::string_view text)
{
    const auto [from, to] = cutAt(text, '-');
    const auto first = base::parseInt(from), end = to ? base::parseInt(*to) : std::nullopt;
    constexpr std::int64_t kMost = kOffDayHours;
    if (!first || !end || *first < 0 || *first >= kMost || *end < 0 || *end > kMost || *first == *end)
        return std::nullopt;
    return OffSpan{static_cast<std::size_t>(*first), static_cast<std::size_t>(*end)};
}

void setSpan(OffHours &off, std::size_t day, OffSpan span)
{
    const std::size_t end = span.second > span.first ? span.second : span.second + kOffDayHours;
    for (std::size_t hour = span.first; hour < end; ++hour)
        off.set((day * kOffDayHours + hour) % off.size());
}

// The hours of one day, as maximal spans.
std::vector<OffSpan> spansOf(const OffHours &off, std::size_t day)
{
    std::vector<OffSpan> spans;
    for (std::size_t hour = 0; hour < kOffDayHours; ++hour) {
        if (!off.test(day * kOffDayHours + hour))
            continue;
        if (!spans.empty() && spans.back().second == hour)
            ++spans.back().second;
        else
            spans.emplace_back(hour, hour + 1);
    }
    return spans;
}

bool isWholeDay(const std::vector<OffSpan> &spans)
{
    return spans.size() == 1 && spans.front() == OffSpan{0, kOffDayHours};
}

// Days by span, with spans over midnight in one piece.
class OffSpans {
public:
    explicit OffSpans(const OffHours &off)
    {
        for (std::size_t day = 0; day < kOffDays; ++day)
            m_spans[day] = spansOf(off, day);
        for (std::size_t day = 0; day < kOffDays; ++day)
            addDay(day);
        // Beside a whole day, the other half of a night is part of that day already: it is written like other nights.
        for (const std::size_t day : m_evenings)
            m_days[{evening(day), otherEnd(evening(day))}].set(day);
        for (const std::size_t day : m_mornings) {
            const std::size_t end = m_spans[day].front().second;
            const std::size_t from = otherStart(end);
            m_days[{from, end}].set(from == 0 ? day : before(day));
        }
    }
    const std::map<OffSpan, OffDays> &days() const { return m_days; }
    OffDays whole() const
    {
        OffDays days;
        for (std::size_t day = 0; day < kOffDays; ++day)
            days[day] = isWholeDay(m_spans[day]);
        return days;
    }

private:
    static std::size_t before(std::size_t day) { return (day + kOffDays - 1) % kOffDays; }
    static std::size_t after(std::size_t day) { return (day + 1) % kOffDays; }
    std::size_t evening(std::size_t day) const { return m_spans[day].back().first; }
    bool hasMorning(std::size_t day) const { return !m_spans[day].empty() && m_spans[day].front().first == 0; }
    bool hasEvening(std::size_t day) const
    {
        return !m_spans[day].empty() && m_spans[day].back().second == kOffDayHours;
    }

    // A night in one piece has to end before the hour at which it began.
    bool isOneNight(std::size_t day) const
    {
        return hasEvening(day) && hasMorning(after(day)) && m_spans[after(day)].front().second < evening(day);
    }

    void addDay(std::size_t day)
    {
        if (isWholeDay(m_spans[day]))
            return;
        for (const OffSpan &span : m_spans[day]) {
            const bool toNext = span.second == kOffDayHours, fromLast = span.first == 0;
            if (fromLast && isWholeDay(m_spans[before(day)]))
                m_mornings.push_back(day);
            else if (toNext && isWholeDay(m_spans[after(day)]))
                m_evenings.push_back(day);
            else if (toNext && isOneNight(day))
                m_days[{span.first, m_spans[after(day)].front().second}].set(day);
            else if (!fromLast || !isOneNight(before(day)))
                m_days[span].set(day);
        }
    }
    std::size_t otherEnd(std::size_t from) const
    {
        for (const auto &[span, days] : m_days) {
            if (span.first == from && span.second < span.first)
                return span.second;
        }
        return kOffDayHours;
    }
    std::size_t otherStart(std::size_t end) const
    {
        for (const auto &[span, days] : m_days) {
            if (span.second == end && span.second < span.first)
                return span.first;
        }
        return 0;
    }

    std::array<std::vector<OffSpan>, kOffDays> m_spans; // within each day
    std::vector<std::size_t> m_evenings, m_mornings; // days next to a whole one
    std::map<OffSpan, OffDays> m_days;
};

// "mon-fri", "sat": runs of days, over Sunday too; `pairs`: a run of two is one item.
std::vector<std::pair<std::size_t, std::string>> dayRuns(const OffDays &days, bool pairs)
{
    if (days.all())
        return {{0, "mon-sun"}};
    std::vector<std::pair<std::size_t, std::string>> runs;
    for (std::size_t day = 0; day < kOffDays; ++day) {
        if (!days.test(day) || days.test((day + kOffDays - 1) % kOffDays))
            continue;
        std::size_t count = 1;
        while (days.test((day + count) % kOffDays))
            ++count;
        const std::size_t last = (day + count - 1) % kOffDays;
        const auto name = [](std::size_t one) { return std::string(kOffDayNames[one]); };
        if (count > 2 || (count == 2 && pairs)) {
            runs.emplace_back(day, name(day) + '-' + name(last));
            continue;
        }
        runs.emplace_back(day, name(day));
        if (count == 2)
            runs.emplace_back(last, name(last));
    }
    return runs;
}

// "1-5" as cron counts the days: 0 is Sunday.
std::string cronDays(const OffDays &days)
{
    if (days.all())
        return "*";
    std::vector<std::size_t> numbers;
    for (std::size_t day = 0; day < kOffDays; ++day) {
        if (days.test(day))
            numbers.push_back((day + 1) % kOffDays);
    }
    std::sort(numbers.begin(), numbers.end());
    if (numbers.size() > 2 && numbers.back() - numbers.front() + 1 == numbers.size())
        return std::to_string(numbers.front()) + '-' + std::to_string(numbers.back());
    std::string text;
    for (const std::size_t number : numbers)
        text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

// The hours at which the state becomes `off`; empty: never, or at different hours of the day.
std::string cronChange(const OffHours &hours, bool off)
{
    std::map<std::size_t, OffDays> byHour;
    for (std::size_t i = 0; i < hours.size(); ++i) {
        if (hours[i] == off && hours[(i + hours.size() - 1) % hours.size()] != off)
            byHour[i % kOffDayHours].set(i / kOffDayHours);
    }
    if (byHour.size() != 1)
        return {};
    return "0 " + std::to_string(byHour.begin()->first) + " * * " + cronDays(byHour.begin()->second);
}

} // namespace

Result<OffHours> offHoursFrom(std::string_view text)
{
    if (text.size() > kLongestOffHours)
        return badOffHours(text);
    std::string lower(trimmedPart(text));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    OffHours off;
    if (lower == "none")
        return off;
    std::optional<std::string_view> rest = lower;
    while (rest) {
        const auto [item, next] = cutAt(*rest, ',');
        rest = next;
        // Hours begin at the first digit.
        const auto digit = std::min(item.find_first_of("0123456789"), item.size());
        const auto days = offDaysFrom(trimmedPart(item.substr(0, digit)));
        const auto span =
            digit == item.size() ? std::optional(OffSpan{0, kOffDayHours}) : offSpanFrom(item.substr(digit));
        const bool apart = digit == item.size() || (digit > 0 && (item[digit - 1] == ' ' || item[digit - 1] == '\t'));
        if (!days || !span || !apart)
            return badOffHours(item);
        for (std::size_t day = 0; day < kOffDays; ++day) {
            if (days->test(day))
                setSpan(off, day, *span);
        }
    }
    return off;
}

std::string offHoursText(const OffHours &off)
{
    if (off.none())
        return "none";
    const OffSpans spans(off);
    std::vector<std::pair<std::pair<std::size_t, std::size_t>, std::string>> items; // by first day and hour
    for (const auto &[span, days] : spans.days()) {
        const std::string hours = std::to_string(span.first) + '-' + std::to_string(span.second);
        for (const auto &[day, name] : dayRuns(days, true))
            items.push_back({{day, span.first}, name + ' ' + hours});
    }
    for (const auto &[day, name] : dayRuns(spans.whole(), false))
        items.push_back({{day, 0}, name});
    std::sort(items.begin(), items.end());
    std::string text;
    for (const auto &[at, item] : items)
        text += (text.empty() ? "" : ", ") + item;
    return text;
}

SchedulePolicy ownSchedulePolicy(const OffHours &off)
{
    SchedulePolicy policy;
    policy.name = "own hours";
    policy.hours = offHoursText(off);
    policy.off = off;
    policy.stopAt = cronChange(off, true);
    policy.startAt = cronChange(off, false);
    if (policy.stopAt.empty() || policy.startAt.empty())
        policy.stopAt = policy.startAt = {};
    return policy;
}

} // namespace gpuledger::savings
