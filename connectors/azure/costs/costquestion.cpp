// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/costquestion.h"

#include <nlohmann/json.hpp>

namespace gpuledger::azure {

using Json = nlohmann::json;

namespace {

constexpr const char *kTagColumn = "TagValue";

Json dimensionIn(const char *name, const char *value)
{
    return {{"dimensions", {{"name", name}, {"operator", "In"}, {"values", Json::array({value})}}}};
}

Json groupOf(const std::string &name, const CostSettings &settings)
{
    return name == kTagColumn ? Json{{"type", "TagKey"}, {"name", settings.tag}}
                              : Json{{"type", "Dimension"}, {"name", name}};
}

} // namespace

GroupNames groupNamesOf(const CostQuestion &question, const CostSettings &settings)
{
    switch (question.groups) {
    case CostQuestion::Groups::None:
        return {};
    case CostQuestion::Groups::Services:
        return {"ServiceName", "ChargeType"};
    case CostQuestion::Groups::Tags:
        return {"ResourceId", kTagColumn};
    case CostQuestion::Groups::Machines:
        break;
    }
    switch (settings.machineGroups()) {
    case MachineGroups::Resource:
        return {"ResourceId", "Meter"};
    case MachineGroups::Subscription:
        return {"SubscriptionId", "Meter"};
    case MachineGroups::Tag:
        break;
    }
    return {kTagColumn, "Meter"};
}

std::string dateText(base::UtcTime day)
{
    constexpr std::size_t kDate = 10;
    return base::toRfc3339(day).substr(0, kDate);
}

std::string questionUrl(const CostSettings &settings)
{
    return settings.manager.address + settings.scope
        + "/providers/Microsoft.CostManagement/query?api-version=2023-11-01";
}

std::string questionBody(const CostQuestion &question, const CostSettings &settings)
{
    const base::UtcTime last = question.days.end - base::kDay; // both days belong to the period
    Json set{{"granularity", "Daily"}, {"aggregation", {{"totalCost", {{"name", "Cost"}, {"function", "Sum"}}}}}};
    if (question.groups != CostQuestion::Groups::None) {
        const GroupNames names = groupNamesOf(question, settings);
        set["grouping"] = Json::array({groupOf(names.first, settings), groupOf(names.second, settings)});
        if (question.groups != CostQuestion::Groups::Services)
            set["filter"] = {
                {"and",
                 Json::array({dimensionIn("ServiceName", kMachineService), dimensionIn("ChargeType", kUsageCharge)})}};
    }
    const Json body{
        {"type", question.isEffective ? "AmortizedCost" : "ActualCost"},
        {"timeframe", "Custom"},
        {"timePeriod", {{"from", dateText(question.days.start) + "T00:00:00Z"}, {"to", dateText(last) + "T23:59:59Z"}}},
        {"dataset", std::move(set)}};
    return body.dump();
}

} // namespace gpuledger::azure
