// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/allocationprint.h"

#include "app/base/text.h"
#include "app/insight/ledgerquery.h"
#include "app/insight/reconciler.h"
#include "ui/format/figures.h"
#include "ui/format/phrase.h"

#include <algorithm>

namespace gpuledger::cli {

namespace {

using insight::AllocationDifference;
using model::AllocationFinding;
using services::SyncReport;

constexpr std::size_t kShownName = 64;

std::optional<base::Money> moneyOf(const std::optional<std::int64_t> &nanos, base::Currency currency)
{
    return nanos ? std::optional(base::Money(*nanos, currency)) : std::nullopt;
}

std::string amountOrUnknown(const std::optional<base::Money> &amount)
{
    return amount ? ui::moneyText(*amount) : "unknown";
}

std::string counted(std::int64_t n, const char *one, const char *many)
{
    return std::to_string(n) + ' ' + (n == 1 ? one : many);
}

// Newest first, as they were asked for; added up by reason.
std::vector<AllocationDifference> differencesOf(const SyncReport &report)
{
    insight::Reconciler sums{base::Currency()};
    for (const auto &[day, finding] : report.differences)
        sums.add(finding);
    auto added = sums.take({}, {});
    return added ? std::move(added->allocators) : std::vector<AllocationDifference>();
}

bool isKnownOfAll(const SyncReport &report, bool ingest::AllocatedOutcome::*member)
{
    return std::any_of(report.allocations.begin(), report.allocations.end(),
                       [&](const ingest::AllocatedOutcome &day) { return day.*member; });
}

Json toJson(const ingest::AllocatedLess &less)
{
    return {{"nodes_before", less.nodesBefore},
            {"nodes_now", less.nodesNow},
            {"node_hours_before", static_cast<double>(less.secondsBefore) / 3600},
            {"node_hours_now", static_cast<double>(less.secondsNow) / 3600},
            {"gpu_hours_before", static_cast<double>(less.gpuSecondsBefore) / 3600},
            {"gpu_hours_now", static_cast<double>(less.gpuSecondsNow) / 3600},
            {"cost_before", cli::toJson(std::optional(less.costBefore))},
            {"cost_now", cli::toJson(std::optional(less.costNow))}};
}

std::string lessText(const ingest::AllocatedLess &less)
{
    const auto hours = [](std::int64_t seconds) { return ui::fixed(static_cast<double>(seconds) / 3600, 1) + " h"; };
    return "the server has less of this day than before: " + std::to_string(less.nodesNow) + " of "
        + counted(static_cast<std::int64_t>(less.nodesBefore), "priced node", "priced nodes") + ", "
        + hours(less.secondsNow) + " of " + hours(less.secondsBefore) + ", " + hours(less.gpuSecondsNow) + " of "
        + hours(less.gpuSecondsBefore) + " of GPUs, " + ui::moneyText(less.costNow) + " of "
        + ui::moneyText(less.costBefore);
}

std::uint64_t gpuNodesOf(const SyncReport &report)
{
    std::uint64_t most = 0;
    for (const ingest::AllocatedOutcome &day : report.allocations)
        most = std::max(most, day.withGpus);
    return most;
}

} // namespace

Json toJson(const AllocationDifference &one)
{
    const AllocationFinding &finding = one.finding;
    Json json{{"source", finding.source}, {"cluster", textOrNull(finding.cluster)}};
    json["product"] = std::string(model::toString(finding.product));
    json["reason"] = std::string(model::toString(finding.reason));
    json["because"] = ui::textOf(finding.reason).english();
    json["theirs"] = cli::toJson(moneyOf(finding.theirs, finding.currency));
    json["ours"] = cli::toJson(moneyOf(finding.ours, finding.currency));
    json["difference"] = cli::toJson(one.difference);
    json["days"] = one.days;
    json["node_days"] = finding.nodes;
    json["example"] = textOrNull(finding.example);
    return json;
}

std::string differenceText(const AllocationDifference &one)
{
    const AllocationFinding &finding = one.finding;
    const std::string product(model::toString(finding.product));
    std::string text = base::printable(finding.source, kShownName);
    if (!finding.cluster.empty())
        text += ", cluster " + base::printable(finding.cluster, kShownName);
    text += ": differs from " + product + " by ";
    text += one.difference ? ui::moneyText(*one.difference) : std::string("an unknown amount");
    text += " (" + product + ' ' + amountOrUnknown(moneyOf(finding.theirs, finding.currency)) + ", here "
        + amountOrUnknown(moneyOf(finding.ours, finding.currency)) + "; " + counted(one.days, "day", "days");
    if (!finding.example.empty())
        text += ", for example node " + base::printable(finding.example, kShownName);
    return text + "), because " + ui::textOf(finding.reason).english();
}

std::vector<std::string> heldTexts(const insight::Reconciliation &answer)
{
    std::vector<std::string> texts;
    for (const auto &[source, day] : answer.held)
        texts.push_back(base::printable(source, kShownName) + ": " + insight::dayText(day)
                        + ": the server has less of this day than before; what it said before stays. If the server is "
                          "right: sync --source "
                        + base::printable(source, kShownName) + " --accept-gone");
    return texts;
}

void addAllocations(Json &row, const SyncReport &report)
{
    row["days"] = Json::array();
    for (const ingest::AllocatedOutcome &day : report.allocations)
        row["days"].push_back({{"day", insight::dayText(day.day)},
                               {"product", std::string(model::toString(day.product))},
                               {"nodes", day.nodes},
                               {"gpu_nodes", day.withGpus},
                               {"accepted", day.accepted},
                               {"rejected", day.rejected},
                               {"gpu_metrics", day.toldGpuUse},
                               {"changed", day.changed},
                               {"kept", day.kept},
                               {"final", day.final},
                               {"less", day.less ? toJson(*day.less) : Json(nullptr)},
                               {"warning", textOrNull(day.warning)}});
    row["differences"] = Json::array();
    for (const AllocationDifference &one : differencesOf(report))
        row["differences"].push_back(toJson(one));
}

void noteAllocations(const Output &out, const SyncReport &report, bool verbose)
{
    const std::string begin = report.name + ": ";
    for (const ingest::AllocatedOutcome &day : report.allocations) {
        const std::string of = begin + insight::dayText(day.day) + ": ";
        const bool isSilent = day.accepted == 0 && day.rejected == 0;
        if (day.nodes == 0 && !isSilent)
            out.note(of + "the server names no machine that can be read, but " + std::to_string(day.accepted)
                     + " other records (" + std::to_string(day.rejected) + " were rejected): the day has no prices");
        if (day.kept && isSilent)
            out.note(of + "the server forgot this day; what it said before stays");
        else if (day.less)
            out.note(of + lessText(*day.less)
                     + (day.kept ? "; what it said before stays. If the server is right: sync --source " + report.name
                                + " --accept-gone"
                                 : "; accepted"));
        if (!day.warning.empty())
            out.note(of + "the server warns: " + day.warning);
        if (verbose)
            out.note(of + counted(static_cast<std::int64_t>(day.nodes), "node", "nodes") + ", "
                     + std::to_string(day.withGpus) + " with GPUs" + (day.changed ? "" : "; nothing new")
                     + (day.final ? "; not asked for again" : ""));
    }
    if (!report.allocations.empty() && gpuNodesOf(report) == 0)
        out.note(begin + "it knows no node with GPUs; see: gpuledger-cli sources test " + report.name);
    else if (!report.allocations.empty() && !isKnownOfAll(report, &ingest::AllocatedOutcome::toldGpuUse))
        out.note(begin + "it has no GPU metrics: what GPUs did comes from telemetry alone");
    if (report.rejected > 0)
        out.note(begin + std::to_string(report.rejected)
                 + " records were rejected: no name, a name above 1 KiB, or told twice");
    for (const AllocationDifference &one : differencesOf(report))
        out.note(differenceText(one));
}

} // namespace gpuledger::cli
