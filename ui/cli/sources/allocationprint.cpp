// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/allocationprint.h"

#include "app/base/text/text.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconciler.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/phrases/phrase.h"

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

// What the other of the two amounts is.
const char *oursName(model::AllocationReason reason)
{
    switch (reason) {
    case model::AllocationReason::Bill:
        return "the bill";
    case model::AllocationReason::PriceTooLow:
    case model::AllocationReason::NoGpuPrice:
    case model::AllocationReason::NoPrice:
    case model::AllocationReason::Rate:
        return "price book";
    case model::AllocationReason::TwoSources:
        return "the other source";
    case model::AllocationReason::TwoPrices:
        return "its assets";
    default:
        return "here";
    }
}

// Newest first, as requested; summed up by reason.
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

double hoursOf(std::int64_t seconds)
{
    return static_cast<double>(seconds) / 3600;
}

Json allocationJson(const ingest::AllocatedLess &less)
{
    return {{"nodes_before", less.before.pricedNodes},
            {"nodes_now", less.now.pricedNodes},
            {"node_hours_before", hoursOf(less.before.seconds)},
            {"node_hours_now", hoursOf(less.now.seconds)},
            {"gpu_hours_before", hoursOf(less.before.gpuSeconds)},
            {"gpu_hours_now", hoursOf(less.now.gpuSeconds)},
            {"cost_before", cli::toJson(std::optional(less.before.cost))},
            {"cost_now", cli::toJson(std::optional(less.now.cost))}};
}

Json allocationJson(const model::AllocatedSize &size)
{
    return {{"nodes", size.pricedNodes},
            {"node_hours", hoursOf(size.seconds)},
            {"gpu_hours", hoursOf(size.gpuSeconds)},
            {"cost", cli::toJson(std::optional(size.cost))}};
}

std::string lessText(const model::AllocatedSize &before, const std::optional<model::AllocatedSize> &now)
{
    const std::string text = "the server has less data for this day than before";
    if (!now)
        return text;
    const auto hours = [](std::int64_t seconds) { return ui::fixed(hoursOf(seconds), 1) + " h"; };
    return text + ": " + std::to_string(now->pricedNodes) + " of "
        + counted(static_cast<std::int64_t>(before.pricedNodes), "priced node", "priced nodes") + ", "
        + hours(now->seconds) + " of " + hours(before.seconds) + ", " + hours(now->gpuSeconds) + " of "
        + hours(before.gpuSeconds) + " of GPUs, " + ui::moneyText(now->cost) + " of " + ui::moneyText(before.cost);
}

std::string heldText(const store::HeldDay &held)
{
    const std::string source = base::printable(held.source, kShownName);
    return source + ": " + insight::dayText(held.day) + ": " + lessText(held.before, held.now)
        + "; what it said before stays. If the server is right: sync --source " + source + " --accept-gone";
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
    text += " (" + product + ' ' + amountOrUnknown(moneyOf(finding.theirs, finding.currency)) + ", "
        + oursName(finding.reason) + ' ' + amountOrUnknown(moneyOf(finding.ours, finding.currency)) + "; "
        + counted(one.days, "day", "days");
    if (!finding.example.empty())
        text += ", for example node " + base::printable(finding.example, kShownName);
    return text + "), because " + ui::textOf(finding.reason).english();
}

std::vector<std::string> heldTexts(const insight::Reconciliation &answer)
{
    std::vector<std::string> texts;
    for (const store::HeldDay &held : answer.held)
        texts.push_back(heldText(held));
    return texts;
}

Json toJson(const std::vector<store::HeldDay> &all)
{
    Json days = Json::array();
    for (const store::HeldDay &held : all)
        days.push_back({{"source", held.source},
                        {"day", insight::dayText(held.day)},
                        {"before", allocationJson(held.before)},
                        {"now", held.now ? allocationJson(*held.now) : Json(nullptr)}});
    return days;
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
                               {"less", day.less ? allocationJson(*day.less) : Json(nullptr)},
                               {"warning", textOrNull(day.warning)}});
    row["differences"] = Json::array();
    for (const AllocationDifference &one : differencesOf(report))
        row["differences"].push_back(toJson(one));
    row["held"] = toJson(report.held);
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
        const bool isHeld = std::any_of(report.held.begin(), report.held.end(),
                                        [&](const store::HeldDay &held) { return held.day == day.day; });
        if (day.kept && !isHeld)
            out.note(of + "the server forgot this day; what it said before stays");
        else if (day.less && !day.kept)
            out.note(of + lessText(day.less->before, day.less->now) + "; accepted");
        if (!day.warning.empty())
            out.note(of + "the server warns: " + day.warning);
        if (verbose)
            out.note(of + counted(static_cast<std::int64_t>(day.nodes), "node", "nodes") + ", "
                     + std::to_string(day.withGpus) + " with GPUs" + (day.changed ? "" : "; nothing new")
                     + (day.final ? "; not asked for again" : ""));
    }
    for (const store::HeldDay &held : report.held)
        out.note(heldText(held));
    if (!report.allocations.empty() && gpuNodesOf(report) == 0)
        out.note(begin + "it knows no node with GPUs; see: gpuledger-cli sources test " + report.name);
    else if (!report.allocations.empty() && !isKnownOfAll(report, &ingest::AllocatedOutcome::toldGpuUse))
        out.note(begin + "it has no GPU metrics: what GPUs did comes from telemetry alone");
    if (report.rejected > 0)
        out.note(begin + std::to_string(report.rejected)
                 + " records were rejected: no name, a name above 1 KiB, or a duplicate");
    for (const AllocationDifference &one : differencesOf(report))
        out.note(differenceText(one));
}

} // namespace gpuledger::cli
