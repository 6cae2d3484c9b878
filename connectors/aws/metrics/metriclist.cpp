// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/metrics/metriclist.h"

#include "connectors/format/json.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

// CloudWatch's own limits.
constexpr std::size_t kMostDimensions = 30;
constexpr std::size_t kLongestDimension = 1024;

// std::nullopt: they can't be sent back as they are, or say two things.
std::optional<MetricDimensions> dimensionsIn(const Json &metric)
{
    const Json &told = format::memberOf(metric, "Dimensions");
    if (!told.is_array() || told.size() > kMostDimensions)
        return std::nullopt;
    MetricDimensions out;
    std::set<std::string> names;
    for (const Json &one : told) {
        MetricDimension dimension{format::textOf(one, "Name"), format::textOf(one, "Value")};
        if (dimension.name.empty() || dimension.value.empty() || dimension.name.size() > kLongestDimension
            || dimension.value.size() > kLongestDimension || !names.insert(dimension.name).second)
            return std::nullopt;
        out.push_back(std::move(dimension));
    }
    return out;
}

} // namespace

std::optional<std::string> valueOf(const MetricDimensions &dimensions, std::string_view name)
{
    const auto at = std::find_if(dimensions.begin(), dimensions.end(),
                                 [&](const MetricDimension &one) { return one.name == name; });
    return at == dimensions.end() ? std::nullopt : std::optional(at->value);
}

Result<std::string> readMetricPage(const std::string &page, const MetricName &name,
                                   const std::function<void(MetricDimensions)> &add, RejectedCounts &rejected)
{
    const auto parsed = format::parseJson(page);
    GPULEDGER_TRY(parsed);
    const Json &metrics = format::memberOf(*parsed, "Metrics");
    if (!metrics.is_array())
        return base::fail(ErrorCode::Parse, "CloudWatch's answer can't be read: it has no metrics");
    for (const Json &told : metrics) {
        auto dimensions = dimensionsIn(told);
        if (dimensions && format::textOf(told, "Namespace") == name.nameSpace
            && format::textOf(told, "MetricName") == name.metric)
            add(std::move(*dimensions));
        else
            ++rejected["metric of CloudWatch that can't be read"];
    }
    return nextTokenIn(*parsed);
}

} // namespace gpuledger::aws
