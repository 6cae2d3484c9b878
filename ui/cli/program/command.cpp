// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/command.h"

#include "app/base/text/text.h"
#include "app/insight/heatmap/heatmap.h"
#include "app/savings/proposals/proposal.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

CLI::App *Command::addVerb(CLI::App &parent, const std::string &name, const std::string &help,
                           const std::string &example)
{
    CLI::App *verb = parent.add_subcommand(name, help);
    verb->footer("Example:\n  " + example);
    verb->fallthrough();
    return verb;
}

bool Command::parsed(const CLI::App *verb)
{
    return verb && verb->parsed();
}

base::Result<insight::Month> monthOf(const std::string &text, base::UtcTime now)
{
    if (text.empty()) {
        const base::UtcTime first = base::parseTime(base::toRfc3339(now).substr(0, 8) + "01").value_or(now);
        return *insight::monthFromString(base::toRfc3339(first - base::kDay).substr(0, 7));
    }
    const auto month = insight::monthFromString(text);
    if (!month)
        return base::fail(base::ErrorCode::InvalidArgument, "--month can't be \"" + base::printable(text, 64) + '"',
                          "write a year and a month, such as 2026-10");
    return *month;
}

std::vector<std::string> dimensionNames()
{
    using insight::Dimension;
    std::vector<std::string> names;
    for (const Dimension d : {Dimension::Team, Dimension::Cluster, Dimension::Cloud, Dimension::Region,
                              Dimension::GpuModel, Dimension::WorkloadKind, Dimension::Environment, Dimension::Workload,
                              Dimension::NodePool, Dimension::Node, Dimension::Device})
        names.emplace_back(insight::toString(d));
    return names;
}

std::vector<std::string> rowNames()
{
    std::vector<std::string> names = dimensionNames();
    names.insert(names.end(), {"label:KEY", "namespace-label:KEY", "node-label:KEY"});
    return names;
}

std::vector<std::string> binsNames()
{
    std::vector<std::string> names;
    for (const auto bins :
         {insight::Bins::HourOfWeek, insight::Bins::HourOfDay, insight::Bins::Day, insight::Bins::Hour})
        names.emplace_back(insight::toString(bins));
    return names;
}

std::vector<std::string> metricNames()
{
    using insight::Metric;
    std::vector<std::string> names;
    for (const Metric m : {Metric::Utilization, Metric::SmActive, Metric::TensorActive, Metric::Memory, Metric::Power,
                           Metric::Allocation, Metric::Effective, Metric::IdleCost, Metric::Cost, Metric::Coverage})
        names.emplace_back(insight::toString(m));
    return names;
}

std::vector<std::string> savingsKindNames()
{
    std::vector<std::string> names;
    for (const savings::Kind kind : savings::kKinds)
        names.emplace_back(savings::toString(kind));
    return names;
}

std::string joinedNames(const std::vector<std::string> &names)
{
    std::string all;
    for (const std::string &name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all;
}

} // namespace gpuledger::cli
