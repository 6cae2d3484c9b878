// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/probe/unitcheck.h"

#include "connectors/prometheus/query/promql.h"
#include "connectors/prometheus/series/seriesnormalizer.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

namespace {

using Kind = UnitDoubt::Kind;

constexpr std::int64_t kInstants = 400; // at most; each one makes the server look at every series
constexpr std::int64_t kBetween = 1800; // seconds, at least
constexpr double kPercent = 0.01; // the factor of a metric that is a percentage by its name
constexpr double kGreatestRatio = 1.5;
constexpr double kGreatestShare = 2.0; // profiling counters reach 1.29

class GreatestVisitor final : public format::SeriesVisitor {
public:
    void begin() override
    {
        greatest = 0;
        instances.clear();
    }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        instances.insert(std::string(labelValue(labels, "instance")));
        for (const format::Sample &sample : samples)
            greatest = std::max(greatest, sample.value);
    }
    double greatest = 0;
    std::set<std::string> instances;
};

Kind doubtOf(const MetricMapping &metric)
{
    if (metric.percentAbove)
        return Kind::PercentNamedRatio;
    return metric.factor == kPercent ? Kind::RatioNamedPercent : Kind::PercentNamedShare;
}

std::string greatestOf(const std::string &expression, base::TimeRange range)
{
    const std::int64_t step = std::max(kBetween, range.length().count() / kInstants);
    return "max_over_time((" + expression + ")[" + promql::number(range.length().count()) + "s:" + promql::number(step)
        + "s])";
}

std::string expressionFor(const MetricMapping &metric, base::TimeRange range)
{
    const std::string sane = '(' + metric.name + " <= 1000)"; // without NaN and blank values
    if (doubtOf(metric) == Kind::RatioNamedPercent) {
        // Whole numbers up to 1 may come from an idle fleet; fractions do not.
        return greatestOf("max" + sane, range) + " <= " + promql::decimal(kGreatestRatio) + " and "
            + greatestOf("max" + sane + " % 1", range) + " > 0";
    }
    const double limit = metric.percentAbove.value_or(kGreatestShare);
    return greatestOf("max by (instance) " + sane, range) + " > " + promql::decimal(limit);
}

} // namespace

std::string UnitDoubt::text() const
{
    const std::string most = promql::decimal(std::round(greatest * 100) / 100);
    const std::string where = std::to_string(instances.size()) + (instances.size() == 1 ? " target" : " targets");
    switch (kind) {
    case Kind::PercentNamedRatio:
        return metric + " goes up to " + most + " on " + where
            + ": it is a percentage, although its name says ratio, and is read as a percentage there";
    case Kind::RatioNamedPercent:
        return metric + " is a percentage by its name, but never exceeds " + most
            + ": it is probably a ratio, and busy devices look idle";
    case Kind::PercentNamedShare:
        return metric + " should lie between 0 and 1, but goes up to " + most + " on " + where
            + ": these values are not used";
    }
    return {};
}

ports::Finding UnitDoubt::finding() const
{
    using ports::FindingRemedy;
    using ports::FindingText;
    using Level = ports::Finding::Level;
    const std::string most = promql::decimal(std::round(greatest * 100) / 100);
    const std::uint64_t targets = instances.size();
    switch (kind) {
    case Kind::PercentNamedRatio:
        return {Level::Good, FindingText::PercentNamedRatio, {metric, most, targets}, FindingRemedy::None, {}};
    case Kind::RatioNamedPercent:
        return {Level::Problem, FindingText::RatioNamedPercent, {metric, most}, FindingRemedy::SetFactor, {"1"}};
    case Kind::PercentNamedShare:
        break;
    }
    return {
        Level::Problem, FindingText::PercentNamedShare, {metric, most, targets}, FindingRemedy::SetFactor, {"0.01"}};
}

base::Result<std::vector<UnitDoubt>> checkUnits(Connection &connection, const std::vector<ExporterMapping> &exporters,
                                                base::TimeRange range, std::stop_token stop)
{
    std::vector<const MetricMapping *> metrics;
    std::vector<std::unique_ptr<GreatestVisitor>> seen;
    std::vector<Query> queries;
    for (const ExporterMapping &exporter : exporters) {
        for (const MetricMapping &metric : exporter.metrics) {
            if (!isShare(metric.quantity))
                continue;
            metrics.push_back(&metric);
            seen.push_back(std::make_unique<GreatestVisitor>());
            queries.push_back({instantQuery(expressionFor(metric, range), range.end), seen.back().get()});
        }
    }
    GPULEDGER_TRY(QueryRunner(connection, std::move(queries), std::move(stop)).finish());
    std::vector<UnitDoubt> out;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const Kind kind = doubtOf(*metrics[i]);
        if (seen[i]->instances.empty())
            continue;
        UnitDoubt doubt{kind, metrics[i]->name, seen[i]->greatest, {}};
        if (kind != Kind::RatioNamedPercent)
            doubt.instances = std::move(seen[i]->instances);
        out.push_back(std::move(doubt));
    }
    return out;
}

} // namespace gpuledger::prometheus
