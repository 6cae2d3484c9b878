// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/assumptions/assumptions.h"

#include "app/base/text/text.h"
#include "app/base/time/time.h"
#include "app/savings/schedule/offhours.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gpuledger::savings {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::int64_t kAssumedMinute = 60, kAssumedHour = 3600, kAssumedDay = 86400;
constexpr std::size_t kLongestAssumption = 2000; // bytes

// In the order in which they are shown; the engines write a proposal's assumptions under the same names.
constexpr std::array kAssumptionSpecs{
    AssumptionSpec{Kind::Capacity, "scale-down-delay", AssumptionType::Duration, "1h", kAssumedHour, 7 * kAssumedDay,
                   "time without any held GPU before a node may leave, rounded up to whole hours"},
    AssumptionSpec{Kind::Capacity, "headroom-quantile", AssumptionType::Percent, "99", 50, 100,
                   "percentile of the GPUs newly held in an hour for which empty nodes stay on"},
    AssumptionSpec{Kind::Capacity, "minimum-nodes", AssumptionType::Count, "0", 0, 100'000,
                   "nodes of each pool that always stay on"},
    AssumptionSpec{Kind::Capacity, "start-up", AssumptionType::Duration, "10m", 0, kAssumedDay,
                   "time until a new node can be used"},
    AssumptionSpec{Kind::Schedule, "off-hours", AssumptionType::WeekHours, "best", 0, 0,
                   "hours of the week to switch off, such as mon-fri 20-7, sat, sun; best: nights, weekends or both, "
                   "whichever saves most"},
    AssumptionSpec{Kind::Schedule, "most-real-work", AssumptionType::Percent, "5", 0, 100,
                   "off hours with real work above which a workload is not scheduled"},
    AssumptionSpec{Kind::Schedule, "most-unobserved", AssumptionType::Percent, "20", 0, 100,
                   "off hours without observation above which a workload is not scheduled"},
    AssumptionSpec{Kind::Schedule, "schedule-scale-down-delay", AssumptionType::Duration, "10m", 0, kAssumedHour,
                   "time from the stop of a workload to the end of its machine's cost"},
    AssumptionSpec{Kind::RightSize, "memory-headroom", AssumptionType::Percent, "20", 0, 400,
                   "GPU memory above the 99th percentile of what was used"},
    AssumptionSpec{Kind::RightSize, "activity-headroom", AssumptionType::Percent, "20", 0, 400,
                   "throughput above the 95th percentile of what was used"},
    AssumptionSpec{Kind::RightSize, "most-memory", AssumptionType::Percent, "85", 1, 100,
                   "memory use (99th percentile) above which nothing smaller is proposed"},
    AssumptionSpec{Kind::RightSize, "most-too-small-production", AssumptionType::Percent, "1", 0, 100,
                   "time in use in which a smaller machine may have been too small, for production"},
    AssumptionSpec{Kind::RightSize, "most-too-small-other", AssumptionType::Percent, "5", 0, 100,
                   "the same for development and batch work"},
    AssumptionSpec{Kind::Spot, "checkpoint-every", AssumptionType::Duration, "30m", kAssumedMinute, 7 * kAssumedDay,
                   "work between two checkpoints, where nothing says more"},
    AssumptionSpec{Kind::Spot, "checkpoint-cost", AssumptionType::Duration, "1m", 0, kAssumedDay,
                   "time that writing a checkpoint takes"},
    AssumptionSpec{Kind::Spot, "restart", AssumptionType::Duration, "5m", 0, kAssumedDay,
                   "time until work goes on after an interruption"},
    AssumptionSpec{Kind::Spot, "spot-deadline-slack", AssumptionType::Percent, "50", 0, 1000,
                   "how much later than on-demand work may end"},
    AssumptionSpec{Kind::Commitments, "demand-change", AssumptionType::Percent, "0", -95, 400,
                   "expected change of the demand during the term"},
    AssumptionSpec{Kind::Commitments, "least-days", AssumptionType::Count, "14", 14, 366,
                   "days of known demand below which nothing is proposed"},
};

constexpr std::array kWorkDefaultSpecs{
    AssumptionSpec{
        Kind::Spot, "interruptible", AssumptionType::Answer, {}, 0, 0, "may be interrupted, if it does not state it"},
    AssumptionSpec{Kind::Spot,
                   "deadline",
                   AssumptionType::Duration,
                   {},
                   kAssumedMinute,
                   366 * kAssumedDay,
                   "deadline after the start of a run, if it does not state one"},
};

const AssumptionSpec *workDefaultSpec(std::string_view name)
{
    const auto *const found = std::find_if(kWorkDefaultSpecs.begin(), kWorkDefaultSpecs.end(),
                                           [&](const AssumptionSpec &spec) { return spec.name == name; });
    return found == kWorkDefaultSpecs.end() ? nullptr : found;
}

std::string assumptionNames()
{
    std::string names;
    for (const AssumptionSpec &spec : kAssumptionSpecs)
        names += (names.empty() ? "" : ", ") + std::string(spec.name);
    return names;
}

// In the largest unit that leaves whole numbers.
std::string assumedDuration(std::int64_t seconds)
{
    for (const auto &[unit, name] :
         {std::pair(kAssumedDay, "d"), std::pair(kAssumedHour, "h"), std::pair(kAssumedMinute, "m")}) {
        if (seconds > 0 && seconds % unit == 0)
            return std::to_string(seconds / unit) + name;
    }
    return std::to_string(seconds) + 's';
}

std::optional<std::int64_t> assumedNumber(const AssumptionSpec &spec, std::string_view text)
{
    if (spec.type == AssumptionType::Duration) {
        const auto seconds = base::parseDuration(text);
        return seconds ? std::optional(seconds->count()) : std::nullopt;
    }
    if (spec.type == AssumptionType::Percent && text.ends_with('%'))
        text.remove_suffix(1);
    return base::parseInt(text);
}

std::int64_t assumedNumberOf(std::string_view name, const std::string &text)
{
    const AssumptionSpec *const spec = assumptionSpec(name);
    return spec ? assumedNumber(*spec, text).value_or(0) : 0;
}

std::string assumedForm(const AssumptionSpec &spec)
{
    const char *const unit = spec.type == AssumptionType::Percent ? " percent" : "";
    return "from " + assumptionText(spec, spec.least) + " to " + assumptionText(spec, spec.most) + unit;
}

// In its shortest form. `usual` is the default now.
Result<std::string> assumedValue(const AssumptionSpec &spec, std::string_view value, const std::string &usual)
{
    const std::string shown = std::string(spec.name) + ": \"" + base::printable(value, 64) + '"';
    if (value.size() > kLongestAssumption)
        return base::fail(ErrorCode::InvalidArgument, shown + " is too long", "its default is " + usual);
    if (spec.type == AssumptionType::WeekHours) {
        if (value == spec.usual)
            return std::string(value);
        const auto off = offHoursFrom(value);
        GPULEDGER_TRY(off);
        return offHoursText(*off);
    }
    const std::string otherwise = usual.empty() ? std::string() : "; its default is " + usual;
    if (spec.type == AssumptionType::Answer) {
        const bool isYes = value == "yes" || value == "true";
        if (!isYes && value != "no" && value != "false")
            return base::fail(ErrorCode::InvalidArgument, shown + " is neither yes nor no");
        return std::string(isYes ? "yes" : "no");
    }
    const auto number = assumedNumber(spec, value);
    if (!number || *number < spec.least || *number > spec.most)
        return base::fail(ErrorCode::InvalidArgument, shown + (number ? " is out of its limits" : " can't be read"),
                          std::string(spec.name) + " is " + assumedForm(spec) + otherwise);
    return assumptionText(spec, *number);
}

Result<std::string> assumedOf(std::string_view name, std::string_view value, const std::string &usual)
{
    const AssumptionSpec *const spec = assumptionSpec(name);
    if (!spec)
        return base::fail(ErrorCode::InvalidArgument, "there is no assumption \"" + base::printable(name, 64) + '"',
                          "known are " + assumptionNames());
    return assumedValue(*spec, value, usual);
}

} // namespace

std::span<const AssumptionSpec> assumptionSpecs()
{
    return kAssumptionSpecs;
}

const AssumptionSpec *assumptionSpec(std::string_view name)
{
    const auto *const found = std::find_if(kAssumptionSpecs.begin(), kAssumptionSpecs.end(),
                                           [&](const AssumptionSpec &spec) { return spec.name == name; });
    return found == kAssumptionSpecs.end() ? nullptr : &*found;
}

std::span<const AssumptionSpec> workDefaultSpecs()
{
    return kWorkDefaultSpecs;
}

std::string helpOfWork(const AssumptionSpec &spec, model::WorkloadKind work)
{
    const std::string kind = std::string(toString(work)) + " work";
    return workDefaultSpec(spec.name) ? kind + ": " + std::string(spec.help) : "the same for " + kind;
}

std::string assumptionText(const AssumptionSpec &spec, std::int64_t number)
{
    return spec.type == AssumptionType::Duration ? assumedDuration(number) : std::to_string(number);
}

Result<void> Assumptions::set(std::string_view name, std::string_view value)
{
    auto shortest = assumedOf(name, value, usual(name));
    GPULEDGER_TRY(shortest);
    reset(name);
    Values &values = *shortest == usual(name) ? m_agreed : m_values;
    values.insert_or_assign(std::string(name), std::move(*shortest));
    return {};
}

void Assumptions::reset(std::string_view name)
{
    for (Values *values : {&m_values, &m_agreed}) {
        if (const auto found = values->find(name); found != values->end())
            values->erase(found);
    }
}

Assumptions::Values Assumptions::chosen() const
{
    Values all = m_values;
    all.insert(m_agreed.begin(), m_agreed.end());
    return all;
}

std::string Assumptions::text(std::string_view name) const
{
    if (const auto found = m_values.find(name); found != m_values.end())
        return found->second;
    return usual(name);
}

Result<void> Assumptions::setUsual(std::string_view name, std::string_view value)
{
    auto shortest = assumedOf(name, value, usual(name));
    GPULEDGER_TRY(shortest);
    m_usual.insert_or_assign(std::string(name), std::move(*shortest));
    sortOut();
    return {};
}

Result<void> Assumptions::setUsualOf(model::WorkloadKind work, std::string_view name, std::string_view value)
{
    const AssumptionSpec *const own = workDefaultSpec(name);
    auto shortest = own ? assumedValue(*own, value, {}) : assumedOf(name, value, usual(name));
    GPULEDGER_TRY(shortest);
    if (!own && assumptionSpec(name)->kind != Kind::Spot)
        return base::fail(ErrorCode::InvalidArgument, std::string(name) + " is the same for all kinds of work");
    m_usualByWork[work].insert_or_assign(std::string(name), std::move(*shortest));
    return {};
}

std::string Assumptions::textOf(model::WorkloadKind work, std::string_view name) const
{
    if (const auto chosen = m_values.find(name); chosen != m_values.end())
        return chosen->second;
    if (const auto own = m_usualByWork.find(work); own != m_usualByWork.end()) {
        if (const auto found = own->second.find(name); found != own->second.end())
            return found->second;
    }
    return usual(name);
}

std::optional<std::int64_t> Assumptions::statedOf(model::WorkloadKind work, std::string_view name) const
{
    const AssumptionSpec *const spec = workDefaultSpec(name);
    const auto own = m_usualByWork.find(work);
    if (!spec || own == m_usualByWork.end())
        return std::nullopt;
    const auto found = own->second.find(name);
    if (found == own->second.end())
        return std::nullopt;
    return spec->type == AssumptionType::Answer ? std::optional<std::int64_t>(found->second == "yes" ? 1 : 0)
                                                : assumedNumber(*spec, found->second);
}

bool Assumptions::isConfiguredOf(model::WorkloadKind work, std::string_view name) const
{
    const auto own = m_usualByWork.find(work);
    return isConfigured(name) || (own != m_usualByWork.end() && own->second.contains(name));
}

std::map<model::WorkloadKind, std::string> Assumptions::usualByWork(std::string_view name) const
{
    std::map<model::WorkloadKind, std::string> out;
    for (const auto &[work, values] : m_usualByWork) {
        if (const auto found = values.find(name); found != values.end())
            out.emplace(work, found->second);
    }
    return out;
}

void Assumptions::useDefaultsOf(const Assumptions &other)
{
    m_usual = other.m_usual;
    m_usualByWork = other.m_usualByWork;
    sortOut();
}

// After a change of defaults.
void Assumptions::sortOut()
{
    const Values all = chosen();
    m_values.clear();
    m_agreed.clear();
    for (const auto &[name, value] : all)
        (value == usual(name) ? m_agreed : m_values).emplace(name, value);
}

std::string Assumptions::usual(std::string_view name) const
{
    if (const auto found = m_usual.find(name); found != m_usual.end())
        return found->second;
    const AssumptionSpec *const spec = assumptionSpec(name);
    return spec ? std::string(spec->usual) : std::string();
}

bool Assumptions::isConfigured(std::string_view name) const
{
    return m_usual.contains(name);
}

std::int64_t Assumptions::number(std::string_view name) const
{
    return assumedNumberOf(name, text(name));
}

std::int64_t Assumptions::numberOf(model::WorkloadKind work, std::string_view name) const
{
    return assumedNumberOf(name, textOf(work, name));
}

} // namespace gpuledger::savings
