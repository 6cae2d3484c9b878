// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/budgets/budgetscope.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <vector>

namespace gpuledger::gcp {

using Json = nlohmann::json;
using model::CloudBudgetPeriod;

namespace {

constexpr std::size_t kLongestScopeName = 200; // bytes
constexpr std::size_t kShownScopeNames = 10; // of one kind
constexpr int kFirstBudgetYear = 1970, kLastBudgetYear = 9999;

// A list of names in a filter, and the word for it. What is before the names is left out.
struct NamedFilter {
    const char *member;
    const char *word;
    std::string_view before;
};
constexpr std::array<NamedFilter, 4> kNamedFilters{{
    {"projects", "Projects", "projects/"},
    {"resourceAncestors", "Folders and organizations", ""},
    {"services", "Services", "services/"},
    {"subaccounts", "Subaccounts", "billingAccounts/"},
}};

// Members that are read apart from those.
constexpr std::array<std::string_view, 5> kOtherMembers{"labels", "creditTypes", "creditTypesTreatment",
                                                        "calendarPeriod", "customPeriod"};

using Names = std::vector<std::string>;

std::string shownScopeName(std::string_view text)
{
    return base::printableLine(text, kLongestScopeName);
}

// The texts of a list, which may be absent; std::nullopt: it is not a list of texts.
std::optional<Names> namesIn(const Json &list, std::string_view before)
{
    Names out;
    if (list.is_null())
        return out;
    if (!list.is_array())
        return std::nullopt;
    for (const Json &one : list) {
        if (!one.is_string())
            return std::nullopt;
        std::string_view text = one.get_ref<const std::string &>();
        if (text.starts_with(before))
            text.remove_prefix(before.size());
        if (text.empty())
            return std::nullopt;
        out.push_back(shownScopeName(text));
    }
    return out;
}

// {"team":["vision"]} as "team=vision".
std::optional<Names> labelsIn(const Json &labels)
{
    Names out;
    if (labels.is_null())
        return out;
    if (!labels.is_object())
        return std::nullopt;
    for (const auto &label : labels.items()) {
        const auto values = namesIn(label.value(), "");
        if (!values || values->empty())
            return std::nullopt;
        for (const std::string &value : *values)
            out.push_back(shownScopeName(label.key()) + '=' + value);
    }
    return out;
}

// Which credits lower the cost; none: all of them do, as in the bill.
std::optional<Names> creditsIn(const Json &filter)
{
    const Json &treatment = format::memberOf(filter, "creditTypesTreatment");
    if (!treatment.is_null() && !treatment.is_string())
        return std::nullopt;
    auto types = namesIn(format::memberOf(filter, "creditTypes"), "");
    if (!types)
        return std::nullopt;
    const std::string how = format::textOf(filter, "creditTypesTreatment");
    if (how == "EXCLUDE_ALL_CREDITS")
        types->insert(types->begin(), "none");
    else if (how == "INCLUDE_SPECIFIED_CREDITS" && types->empty())
        types->emplace_back("none");
    else if (!how.empty() && how != "INCLUDE_SPECIFIED_CREDITS" && how != "INCLUDE_ALL_CREDITS"
             && how != "CREDIT_TYPES_TREATMENT_UNSPECIFIED")
        types->insert(types->begin(), shownScopeName(how));
    return types;
}

// Filters that this program does not know, so that a budget with one is not taken for one of everything.
Names unknownIn(const Json &filter)
{
    Names out;
    for (const auto &member : filter.items()) {
        const std::string &key = member.key();
        const bool isKnown = std::find(kOtherMembers.begin(), kOtherMembers.end(), key) != kOtherMembers.end()
            || std::any_of(kNamedFilters.begin(), kNamedFilters.end(),
                           [&](const NamedFilter &one) { return key == one.member; });
        const Json &value = member.value();
        const bool isBlank = value.is_null() || (value.is_string() && value.get_ref<const std::string &>().empty());
        if (!isKnown && !isBlank && !(value.is_structured() && value.empty()))
            out.push_back(shownScopeName(key));
    }
    return out;
}

// "Projects: p1, p2", after what is there already.
void addScopeWords(std::string &words, std::string_view kind, const Names &names)
{
    if (names.empty())
        return;
    words += (words.empty() ? "" : "; ") + std::string(kind) + ": ";
    for (std::size_t i = 0; i < std::min(names.size(), kShownScopeNames); ++i)
        words += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kShownScopeNames)
        words += " and " + std::to_string(names.size() - kShownScopeNames) + " more";
}

base::Day dayOfDate(std::chrono::year_month_day date)
{
    return base::Day{static_cast<std::int32_t>(std::chrono::sys_days(date).time_since_epoch().count())};
}

// The whole months around `today` that begin with January and have this length.
void setCalendarPeriod(base::Day today, unsigned months, BudgetScope &out)
{
    using namespace std::chrono;
    const year_month_day date{sys_days{days{today.number}}};
    const unsigned begin = (static_cast<unsigned>(date.month()) - 1) / months * months + 1;
    out.first = dayOfDate(date.year() / month{begin} / 1);
    out.last = dayOfDate(date.year() / month{begin + months - 1} / last);
}

// {"year":2026,"month":11,"day":1}
std::optional<base::Day> dateIn(const Json &date)
{
    const auto part = [&](const char *key, int most) {
        const Json &value = format::memberOf(date, key);
        const bool isSmall = value.is_number_integer() && value >= 1 && value <= most;
        return isSmall ? value.get<int>() : 0;
    };
    const std::chrono::year_month_day day{std::chrono::year(part("year", kLastBudgetYear)),
                                          std::chrono::month(static_cast<unsigned>(part("month", 12))),
                                          std::chrono::day(static_cast<unsigned>(part("day", 31)))};
    if (!day.ok() || day.year() < std::chrono::year(kFirstBudgetYear))
        return std::nullopt;
    return dayOfDate(day);
}

bool setCustomPeriod(const Json &period, BudgetScope &out)
{
    const Json &end = format::memberOf(period, "endDate");
    out.period = CloudBudgetPeriod::Other;
    out.first = dateIn(format::memberOf(period, "startDate"));
    out.last = end.is_null() ? std::nullopt : dateIn(end);
    return out.first && (end.is_null() || (out.last && *out.first <= *out.last));
}

// A length that this program does not know has no days.
bool setBudgetPeriod(const Json &filter, base::Day today, BudgetScope &out)
{
    const Json &custom = format::memberOf(filter, "customPeriod");
    if (!custom.is_null())
        return setCustomPeriod(custom, out);
    const Json &calendar = format::memberOf(filter, "calendarPeriod");
    if (!calendar.is_null() && !calendar.is_string())
        return false;
    const std::string name = format::textOf(filter, "calendarPeriod");
    if (name == "QUARTER") {
        out.period = CloudBudgetPeriod::Quarter;
        setCalendarPeriod(today, 3, out);
    } else if (name == "YEAR") {
        out.period = CloudBudgetPeriod::Year;
        setCalendarPeriod(today, 12, out);
    } else if (name.empty() || name == "MONTH" || name == "CALENDAR_PERIOD_UNSPECIFIED") {
        out.period = CloudBudgetPeriod::Month;
        setCalendarPeriod(today, 1, out);
    } else {
        out.period = CloudBudgetPeriod::Other;
    }
    return true;
}

} // namespace

std::optional<BudgetScope> budgetScopeOf(const Json &filter, base::Day today)
{
    BudgetScope out;
    if (!filter.is_null() && !filter.is_object())
        return std::nullopt;
    for (const NamedFilter &one : kNamedFilters) {
        const auto names = namesIn(format::memberOf(filter, one.member), one.before);
        if (!names)
            return std::nullopt;
        addScopeWords(out.words, one.word, *names);
    }
    const auto labels = labelsIn(format::memberOf(filter, "labels"));
    const auto credits = creditsIn(filter);
    if (!labels || !credits || !setBudgetPeriod(filter, today, out))
        return std::nullopt;
    addScopeWords(out.words, "Labels", *labels);
    addScopeWords(out.words, "Credits", *credits);
    addScopeWords(out.words, "Other filters", filter.is_object() ? unknownIn(filter) : Names());
    return out;
}

} // namespace gpuledger::gcp
