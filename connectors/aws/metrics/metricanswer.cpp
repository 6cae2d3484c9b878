// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/metrics/metricanswer.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kQueriesOfQuestion = 500;
constexpr std::int64_t kValuesOfPage = 100'800;
constexpr std::size_t kMostMessages = 5;
constexpr std::size_t kLongestMessage = 200;

tl::unexpected<base::Error> unreadableData(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "CloudWatch's answer can't be read: " + what);
}

// Ids must begin with a small letter.
std::string idOf(std::size_t query)
{
    return 'q' + std::to_string(query);
}

std::optional<std::size_t> queryOf(const std::string &id, std::size_t queries)
{
    std::size_t number = 0;
    const auto [end, error] =
        std::from_chars(id.data() + std::min<std::size_t>(1, id.size()), id.data() + id.size(), number);
    if (error != std::errc() || number >= queries || id != idOf(number))
        return std::nullopt;
    return number;
}

// Seconds since the epoch, or text where a server answers like the query service. Fractions are cut off.
std::optional<base::UtcTime> timeIn(const Json &told)
{
    if (told.is_string()) {
        const auto time = base::parseTime(told.get<std::string>());
        return time ? std::optional(*time) : std::nullopt;
    }
    constexpr double kLatest = 1e11; // fits
    const double seconds = told.is_number() ? told.get<double>() : -1;
    if (!(seconds >= 0 && seconds <= kLatest))
        return std::nullopt;
    return base::fromUnix(static_cast<std::int64_t>(std::floor(seconds)));
}

Json queryJson(const MetricQuery &query, std::size_t number, base::Seconds period)
{
    Json dimensions = Json::array();
    for (const MetricDimension &one : *query.dimensions)
        dimensions.push_back({{"Name", one.name}, {"Value", one.value}});
    Json metric{
        {"Namespace", query.name.nameSpace}, {"MetricName", query.name.metric}, {"Dimensions", std::move(dimensions)}};
    return {{"Id", idOf(number)},
            {"MetricStat", {{"Metric", std::move(metric)}, {"Period", period.count()}, {"Stat", query.statistic}}}};
}

} // namespace

Json bodyOf(const MetricQuestion &question)
{
    Json queries = Json::array();
    for (std::size_t i = 0; i < question.queries.size(); ++i)
        queries.push_back(queryJson(question.queries[i], i, question.period));
    return {{"MetricDataQueries", std::move(queries)},
            {"StartTime", base::toUnix(question.range.start)},
            {"EndTime", base::toUnix(question.range.end)},
            {"ScanBy", "TimestampAscending"}};
}

std::size_t mostQueries(const base::TimeRange &range, base::Seconds period)
{
    const std::int64_t periods = std::max<std::int64_t>(1, range.length() / period);
    return static_cast<std::size_t>(std::clamp<std::int64_t>(kValuesOfPage / periods, 1, kQueriesOfQuestion));
}

MetricAnswer::MetricAnswer(const base::TimeRange &range, base::Seconds period, std::size_t queries)
    : m_range(range)
    , m_period(period)
    , m_parts(queries)
{
}

Result<std::string> MetricAnswer::add(const std::string &page)
{
    const auto parsed = format::parseJson(page);
    GPULEDGER_TRY(parsed);
    const Json &results = format::memberOf(*parsed, "MetricDataResults");
    if (!results.is_array())
        return unreadableData("it has no results");
    for (const Json &result : results)
        GPULEDGER_TRY(addResult(result));
    addMessages(*parsed);
    return nextTokenIn(*parsed);
}

Result<void> MetricAnswer::addResult(const Json &result)
{
    const auto query = queryOf(format::textOf(result, "Id"), m_parts.size());
    if (!query) {
        ++m_rejected["result of CloudWatch that was not asked for"];
        return {};
    }
    const std::string status = format::textOf(result, "StatusCode");
    if (status == "Forbidden")
        return base::fail(ErrorCode::Forbidden, "cloudwatch:GetMetricData is not allowed: Forbidden",
                          base::Remedy::AllowAwsAction);
    const Json &times = format::memberOf(result, "Timestamps"), &values = format::memberOf(result, "Values");
    const bool isEmpty = times.is_null() && values.is_null();
    if (!isEmpty && (!times.is_array() || !values.is_array() || times.size() != values.size()))
        return unreadableData("its values have no times");
    Part &part = m_parts[*query];
    part.isComplete = status == "Complete";
    for (std::size_t i = 0; i < times.size(); ++i)
        addValue(times[i], values[i], part.values);
    return {};
}

void MetricAnswer::addValue(const Json &time, const Json &value, Values &to)
{
    const auto at = timeIn(time);
    if (!at || !value.is_number()) {
        ++m_rejected["value of CloudWatch that can't be read"];
    } else if (!m_range.contains(*at) || base::floorTo(*at, m_period) != *at) {
        ++m_rejected["value of CloudWatch at a time that was not asked for"];
    } else {
        const auto [known, isNew] = to.try_emplace(base::toUnix(*at) / m_period.count(), value.get<double>());
        if (!isNew && known->second != value.get<double>())
            ++m_rejected["second value of CloudWatch for the same time"];
    }
}

void MetricAnswer::addMessages(const Json &page)
{
    const Json &messages = format::memberOf(page, "Messages");
    if (!messages.is_array())
        return;
    for (const Json &one : messages) {
        if (m_messages.size() < kMostMessages)
            m_messages.push_back(
                "CloudWatch says: "
                + base::printable(format::textOf(one, "Code") + ' ' + format::textOf(one, "Value"), kLongestMessage));
    }
}

std::size_t MetricAnswer::unfinished() const
{
    return static_cast<std::size_t>(
        std::count_if(m_parts.begin(), m_parts.end(), [](const Part &one) { return !one.isComplete; }));
}

} // namespace gpuledger::aws
