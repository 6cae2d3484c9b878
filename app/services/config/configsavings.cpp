// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/text.h"
#include "app/savings/assumptions/assumptions.h"
#include "app/services/config/confignode.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace gpuledger::services {

namespace {

model::SpotHistoryFile readSpotHistory(const ConfigValue &value)
{
    model::SpotHistoryFile file;
    ConfigMap map(value, "{ path: interruptions.csv, began: 2026-10-01 }");
    if (!map.valid())
        return file;
    if (const auto path = map.require("path", "path: interruptions.csv"))
        file.path = path->path().value_or("");
    if (const auto began = map.require("began", "began: 2026-10-01"))
        file.began = began->time().value_or(base::UtcTime{});
    map.finish();
    return file;
}

constexpr std::string_view kTeamExample = "{ team: research, time_zone: Europe/Berlin, holidays: [2026-12-25] }";

// A day without a time of day.
std::optional<std::int32_t> readHoliday(const ConfigValue &value)
{
    constexpr std::size_t kDate = 10; // "2026-12-25"
    if (value.node.IsScalar() && value.node.Scalar().size() == kDate) {
        if (const auto at = base::parseTime(value.node.Scalar()))
            return base::dayOf(*at).number;
    }
    value.problem((value.node.IsScalar() ? inQuotes(value.node.Scalar()) + " is not a date" : "must be a date")
                  + "; write, for example, 2026-12-25");
    return std::nullopt;
}

model::TeamCalendar readTeamCalendar(const ConfigValue &value)
{
    model::TeamCalendar one;
    ConfigMap map(value, kTeamExample);
    if (!map.valid())
        return one;
    if (const auto team = map.require("team", "team: research"))
        one.team = team->text("research").value_or("");
    if (const auto zone = map.take("time_zone"))
        one.timeZone = zone->timeZone().value_or("");
    if (const auto days = map.take("holidays")) {
        for (const ConfigValue &day : days->list("[2026-12-25, 2027-01-01]")) {
            if (const auto number = readHoliday(day))
                one.holidays.insert(*number);
        }
    }
    if (!map.has("time_zone") && !map.has("holidays"))
        value.problem("must have a time_zone, holidays or both");
    map.finish();
    return one;
}

void readTeamCalendars(const ConfigValue &teams, std::vector<model::TeamCalendar> &out)
{
    for (const ConfigValue &value : teams.list("[ " + std::string(kTeamExample) + " ]")) {
        model::TeamCalendar one = readTeamCalendar(value);
        const bool isKnown = !one.team.empty()
            && std::any_of(out.begin(), out.end(), [&](const auto &other) { return other.team == one.team; });
        if (isKnown)
            value.problem("is of the same team as another entry: " + inQuotes(one.team));
        else
            out.push_back(std::move(one));
    }
}

// Without the name, which the key says.
std::string refusal(const savings::AssumptionSpec &spec, const base::Error &error)
{
    const std::string name = std::string(spec.name) + ": ";
    return (error.text.starts_with(name) ? error.text.substr(name.size()) : error.text)
        + (error.hint.empty() ? "" : "; " + error.hint);
}

std::string_view exampleOf(const savings::AssumptionSpec &spec)
{
    if (!spec.usual.empty())
        return spec.usual;
    return spec.type == savings::AssumptionType::Answer ? "no" : "48h";
}

using KeptAssumptions = std::map<std::string, std::string>;

// `before`: before the name under which it is kept.
void readAssumption(ConfigMap &map, const savings::AssumptionSpec &spec,
                    const std::function<base::Result<void>(const std::string &)> &set, const std::string &before,
                    KeptAssumptions &assumptions)
{
    const auto given = map.take(spec.name);
    const auto text = given ? given->text(exampleOf(spec)) : std::nullopt;
    if (!text)
        return;
    if (const auto done = set(*text); !done)
        given->problem(refusal(spec, done.error()));
    else
        assumptions.emplace(before + std::string(spec.name), *text);
}

// As "training.checkpoint-every".
void readAssumptionsOfWork(const ConfigValue &value, model::WorkloadKind work, savings::Assumptions &usual,
                           KeptAssumptions &assumptions)
{
    ConfigMap map(value, "{ checkpoint-every: 1h }");
    if (!map.valid())
        return;
    const auto read = [&](const savings::AssumptionSpec &spec) {
        readAssumption(
            map, spec, [&](const std::string &text) { return usual.setUsualOf(work, spec.name, text); },
            std::string(toString(work)) + '.', assumptions);
    };
    for (const savings::AssumptionSpec &spec : savings::assumptionSpecs()) {
        if (spec.kind == savings::Kind::Spot)
            read(spec);
    }
    for (const savings::AssumptionSpec &spec : savings::workDefaultSpecs())
        read(spec);
    map.finish();
}

void readAssumptions(const ConfigValue &value, std::map<std::string, std::string> &assumptions)
{
    ConfigMap map(value, "{ checkpoint-every: 30m }");
    if (!map.valid())
        return;
    savings::Assumptions usual;
    for (const savings::AssumptionSpec &spec : savings::assumptionSpecs())
        readAssumption(
            map, spec, [&](const std::string &text) { return usual.setUsual(spec.name, text); }, {}, assumptions);
    for (const model::WorkloadKind work : savings::kAssumedWork) {
        const std::string kind(toString(work));
        if (const auto own = map.take(kind))
            readAssumptionsOfWork(*own, work, usual, assumptions);
    }
    map.finish();
}

constexpr std::string_view kPoolExample = "{ name: train-h100, min_nodes: 2 }";

struct PoolKeyName {
    std::string_view key, assumption;
};
constexpr std::array<PoolKeyName, 3> kPoolKeys{
    {{"min_nodes", "minimum-nodes"}, {"scale_down_after", "scale-down-delay"}, {"startup", "start-up"}}};

model::PoolAssumptions readPool(const ConfigValue &value)
{
    model::PoolAssumptions one;
    ConfigMap map(value, kPoolExample);
    if (!map.valid())
        return one;
    if (const auto name = map.require("name", "name: train-h100"))
        one.name = name->text("train-h100").value_or("");
    if (const auto cluster = map.take("cluster"))
        one.cluster = cluster->text("prod").value_or("");
    savings::Assumptions usual;
    bool isGiven = false;
    for (const auto &[key, assumption] : kPoolKeys) {
        const auto given = map.take(key);
        isGiven = isGiven || given;
        const savings::AssumptionSpec &spec = *savings::assumptionSpec(assumption);
        const auto text = given ? given->text(spec.usual) : std::nullopt;
        if (!text)
            continue;
        if (const auto set = usual.setUsual(assumption, *text); !set)
            given->problem(refusal(spec, set.error()));
        else
            one.values.emplace(assumption, *text);
    }
    if (!isGiven)
        value.problem("must have min_nodes, scale_down_after or startup");
    map.finish();
    return one;
}

void readPools(const ConfigValue &pools, std::vector<model::PoolAssumptions> &out)
{
    for (const ConfigValue &value : pools.list("[ " + std::string(kPoolExample) + " ]")) {
        model::PoolAssumptions one = readPool(value);
        const bool isKnown = !one.name.empty() && std::any_of(out.begin(), out.end(), [&](const auto &other) {
            return other.name == one.name && other.cluster == one.cluster;
        });
        if (isKnown)
            value.problem("is for the same pool as another entry: " + inQuotes(one.name));
        else
            out.push_back(std::move(one));
    }
}

} // namespace

void readSavings(const ConfigValue &value, model::SavingsSettings &savings)
{
    ConfigMap map(value, "{ spot_history: [ … ], teams: [ … ], pools: [ … ], assumptions: { … } }");
    if (!map.valid())
        return;
    if (const auto files = map.take("spot_history")) {
        for (const ConfigValue &one : files->list("[ { path: interruptions.csv, began: 2026-10-01 } ]"))
            savings.spotHistory.push_back(readSpotHistory(one));
    }
    if (const auto teams = map.take("teams"))
        readTeamCalendars(*teams, savings.teams);
    if (const auto pools = map.take("pools"))
        readPools(*pools, savings.pools);
    if (const auto assumptions = map.take("assumptions"))
        readAssumptions(*assumptions, savings.assumptions);
    map.finish();
}

} // namespace gpuledger::services
