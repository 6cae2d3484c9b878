// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/opencost/opencostprobe.h"

namespace gpuledger::opencost {

using ports::Finding;
using ports::FindingRemedy;
using ports::FindingText;
using Level = ports::Finding::Level;

namespace {

struct Counts {
    std::uint64_t nodes = 0, withGpus = 0, withoutPrice = 0, pods = 0;
};

Counts countsOf(const model::AllocationDay &day)
{
    Counts counts;
    for (const model::AllocatedNode &node : day.nodes) {
        ++counts.nodes;
        counts.pods += static_cast<std::uint64_t>(node.pods.pods);
        const bool hasGpus =
            node.gpuMillis.value_or(0) > 0 || node.gpuSeconds.value_or(0) > 0 || node.gpuCost.value_or(0) != 0;
        counts.withGpus += hasGpus ? 1 : 0;
        counts.withoutPrice += hasGpus && !node.total ? 1 : 0;
    }
    return counts;
}

} // namespace

ports::ProbeReport probeReport(const ports::AllocationAnswer &answer)
{
    ports::ProbeReport report;
    const std::string product(model::toString(answer.day.product));
    const Counts counts = countsOf(answer.day);
    report.product = product;
    report.usable = counts.withGpus > 0;
    const auto say = [&](Level level, FindingText text, std::vector<ports::FindingTerm> terms,
                         FindingRemedy remedy = FindingRemedy::None) {
        report.findings.push_back({level, text, std::move(terms), remedy, {}});
    };
    if (counts.nodes == 0)
        say(Level::Problem, FindingText::NoAllocatedNodes, {product}, FindingRemedy::LookAtAllocator);
    else if (counts.withGpus == 0)
        say(Level::Problem, FindingText::NoAllocatedGpus, {product, counts.nodes}, FindingRemedy::LookAtGpuNodes);
    else
        say(Level::Good, FindingText::AllocatedNodes, {product, counts.nodes, counts.withGpus});
    if (counts.withoutPrice > 0)
        say(Level::Problem, FindingText::AllocatedWithoutPrice, {counts.withoutPrice}, FindingRemedy::LookAtPricing);
    if (counts.withGpus > 0 && counts.pods == 0)
        say(Level::Missing, FindingText::NoAllocatedPods, {}, FindingRemedy::HeldByTelemetry);
    else if (counts.pods > 0)
        say(Level::Good, FindingText::AllocatedPods, {counts.pods});
    if (counts.withGpus > 0 && !answer.day.toldGpuUse)
        say(Level::Missing, FindingText::NoAllocatorGpuMetrics, {product}, FindingRemedy::UseByTelemetry);
    say(Level::Good, FindingText::AllocatorCurrency, {std::string(answer.day.currency.code())});
    if (!answer.warning.empty())
        say(Level::Problem, FindingText::ServerWarning, {answer.warning}, FindingRemedy::RepairServer);
    return report;
}

} // namespace gpuledger::opencost
