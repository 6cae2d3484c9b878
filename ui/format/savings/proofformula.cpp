// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of proofs.
#include "ui/format/savings/proofformula.h"

#include "app/insight/proof/blockedproof.h"
#include "ui/format/savings/savingsformula.h"

#include <array>
#include <string_view>
#include <utility>

namespace gpuledger::ui {

namespace {

using insight::Figure;
using insight::FigureKind;

using Formula = std::pair<std::string_view, std::string_view>; // measure and formula

constexpr std::array<Formula, 15> kSummary{{
    {"gpu-hours.paid", "paid = active + idle + unallocated + unobserved (State of a device-second)"},
    {"gpu-hours.active",
     "active = sum of held time in buckets whose mean activity is at or above the idle threshold"
     " (State of a device-second)"},
    {"gpu-hours.idle",
     "idle = sum of held time in buckets whose mean activity is below the idle threshold"
     " (State of a device-second)"},
    {"gpu-hours.unallocated",
     "unallocated = sum of time that was paid for and seen, and held by no workload"
     " (State of a device-second)"},
    {"gpu-hours.unobserved",
     "unobserved = sum of time that was paid for, of which no telemetry says what it did"
     " (State of a device-second)"},
    {"gpu-hours.held", "held = active + idle + unobserved time of a holder (Device, slice, holder)"},
    {"gpu-hours.unpriced", "unpriced = sum of paid time without a price (Cost)"},
    {"utilization", "utilization = sum(activity x held) / sum(held and seen) (Utilization)"},
    {"allocation", "allocation = held / paid (Utilization)"},
    {"coverage", "coverage = (paid - unobserved) / paid (Utilization)"},
    {"cost.total", "cost = sum over states of rate x time (Cost)"},
    {"cost.active", "cost of active = sum(rate x active time) (Cost)"},
    {"cost.idle", "cost of idle = sum(rate x idle time) (Cost)"},
    {"cost.unallocated", "cost of unallocated = sum(rate x unallocated time) (Cost)"},
    {"cost.unobserved", "cost of unobserved = sum(rate x unobserved time) (Cost)"},
}};

constexpr std::array<Formula, 11> kHeatmap{{
    {"utilization", "utilization = sum(activity x held) / sum(held and seen) of the bin's quarter hours (Utilization)"},
    {"sm-active", "sm-active = sum(SM activity x held) / sum(held and reported) of the bin's quarter hours"},
    {"tensor-active",
     "tensor-active = sum(tensor activity x held) / sum(held and reported) of the bin's quarter hours"},
    {"memory", "memory = sum(used share x held) / sum(held and reported) of the bin's quarter hours"},
    {"power", "power = sum(W x held) / sum(held and reported) of the bin's quarter hours"},
    {"allocation", "allocation = held / paid of the bin's quarter hours (Utilization)"},
    {"effective", "effective = allocation x utilization of the bin's quarter hours (Utilization)"},
    {"idle-cost", "idle cost = sum(rate x idle time) of the bin's quarter hours (Cost)"},
    {"cost", "cost = sum over states of rate x time of the bin's quarter hours (Cost)"},
    {"coverage", "coverage = (paid - unobserved) / paid of the bin's quarter hours (Utilization)"},
    {"held-hours", "held = active + idle + unobserved time of a holder, of the bin's quarter hours"},
}};

constexpr std::array<Formula, 4> kIdle{{
    {"rate-per-hour", "rate = sum over its devices of the device's rate x the fraction held (Idle)"},
    {"wasted", "wasted = sum(rate x idle time) since the last activity (Idle)"},
    {"per-month", "per month if left idle = rate-per-hour x 730 h (Idle)"},
    {"idle-hours", "idle hours = seen idle time since the last activity, the longest of its devices (Idle)"},
}};

constexpr std::array<Formula, 10> kLedger{{
    {"cost",
     "cost = sum of the bills' lines of these days, split by day in proportion to seconds and by owner and state"
     " in proportion to GPU time, by the largest remainder (Cost, the ledger's law)"},
    {"total",
     "total = cost + time that no bill covers at its expected rate, an allocator's price or the price book's, of these "
     "days (Cost)"},
    {"gpu-hours", "GPU-hours = sum of the GPU time of these lines (Cost)"},
    {"allocated", "allocated = sum of an allocator's prices of time that no bill covers (Cost)"},
    {"priced", "priced = sum(expected rate, else price book, x time) of time that no bill covers (Cost)"},
    {"price-book", "price book = sum(price book x time) of time that a bill or an allocator covers (Cost)"},
    {"unpriced-gpu-hours", "unpriced = sum of GPU time without a price (Cost)"},
    {"bill", "bill = sum of the bills' lines of these days, split by day in proportion to seconds (the ledger's law)"},
    {"ledger", "ledger = sum of the ledger's lines that are on a bill; equals the bill (the ledger's law)"},
    {"unexplained",
     "unexplained = sum of bill lines that have no day or no machine that they could be assigned to"
     " (the ledger's law)"},
}};

constexpr std::array<Formula, 25> kShowback{{
    {"cost", "cost = sum over teams of what bills say (Cost)"},
    {"estimated",
     "estimated = sum over teams of time that no bill covers, at its expected rate, an allocator's price"
     " or the price book's (Cost)"},
    {"unowned", "unowned = cost + estimated of what no rule gives to a team (Owner)"},
    {"bill", "bill = sum of the bills' lines of the month (the ledger's law)"},
    {"difference", "difference = cost - bill (the ledger's law: 0)"},
    {"unexplained", "unexplained = what of the bill has no day or no machine (the ledger's law)"},
    {"team.total", "total = cost + estimated of the team (Owner)"},
    {"team.cost", "cost = sum of the team's lines that are on a bill (Owner, Cost)"},
    {"team.estimated", "estimated = sum of the team's time that no bill covers, at its price (Owner, Cost)"},
    {"team.idle", "idle = cost + estimated of the team's idle time (Owner, Cost)"},
    {"team.gpu-hours", "GPU-hours = sum of the team's GPU time as far as it is known (Owner)"},
    {"team.idle-gpu-hours", "idle GPU-hours = sum of the team's idle GPU time (Owner)"},
    {"team.moved",
     "shared out = the team's part of shared and idle cost by the rules for it, less what it gave away of its own"
     " (Owner)"},
    {"team.charged", "charged = total + shared out + adjustments of closed months (Owner)"},
    {"team.change.price",
     "price = mean effect of the rates over all orders in which work, efficiency, mix and price can change, of cost ="
     " work x paid / work x sum(share x rate) by GPU model (Change between two periods)"},
    {"team.change.hours",
     "work = what is left of the change of GPU time's cost after price, mix and efficiency: the mean effect of active"
     " hours (Change between two periods)"},
    {"team.change.efficiency",
     "efficiency = mean effect of paid hours for each active hour, over all orders (Change between two periods)"},
    {"team.change.mix",
     "mix = mean effect of the GPU models' shares of the paid hours, over all orders (Change between two periods)"},
    {"team.change.other", "other = change of everything except GPU time, or whose GPU time is not known"},
    {"team.change.policy",
     "other rules = the month before by the current rules, minus the same by the rules of its close"},
    {"team.change.late", "late data = the month before by the rules of its close as it is now, less what was closed"},
    {"line.cost", "cost = sum of what bills say of this team, category and state (Owner, Cost)"},
    {"line.estimated", "estimated = sum of this team's, category's and state's time that no bill covers, at its price"},
    {"line.gpu-hours", "GPU-hours = sum of the GPU time of this team, category and state"},
    {"line.unpriced-gpu-hours", "unpriced = sum of the GPU time of this team, category and state without any price"},
}};

constexpr std::array<Formula, 7> kReconcile{{
    {"bill", "bill = sum of the bills' lines of the month, split by day in proportion to seconds (the ledger's law)"},
    {"ledger", "ledger = sum of the ledger's lines that are on a bill (the ledger's law)"},
    {"difference", "difference = ledger - bill (the ledger's law: 0)"},
    {"unexplained", "unexplained = what of the bill has no day or no machine (the ledger's law)"},
    {"line.cost", "cost = sum of the month's ledger lines that this line shows (the ledger's law)"},
    {"line.price-book", "price book = sum(price book x time) of the same lines (Cost)"},
    {"line.gpu-hours", "GPU-hours = sum of the GPU time of the same lines (Cost)"},
}};

constexpr std::array<Formula, 6> kChange{{
    {"price",
     "price = mean effect of the rates over all orders in which work, efficiency, mix and price can change, of cost ="
     " work x paid / work x sum(share x rate) (Change between two periods)"},
    {"hours",
     "work = difference - price - mix - efficiency - other: the mean effect of active hours (Change between two"
     " periods)"},
    {"mix", "mix = mean effect of each kind's share of the paid hours, over all orders (Change between two periods)"},
    {"efficiency",
     "efficiency = mean effect of paid hours for each active hour, over all orders (Change between two periods)"},
    {"other", "other = change of everything except GPU time, or whose GPU time is not known"},
    {"difference", "difference = cost after - cost before (Change between two periods)"},
}};

constexpr std::array<Formula, 10> kReplay{{
    {"stops", "stops = number of workloads, once for each time, that were idle for their whole grace window (replay)"},
    {"false-stops", "false stops = stops after which work resumed within resume-within (replay)"},
    {"resumed", "resumed = stops after which work resumed (replay)"},
    {"undecided", "undecided = stops that the end of the range is too close to, of what was still held then (replay)"},
    {"back-gpu-hours",
     "back = sum of seen idle time from the stop until work resumed, the holder ended or the range ends (replay)"},
    {"back-gpu-hours-of-false-stops", "back of false stops = the part of back that belongs to false stops (replay)"},
    {"unobserved-gpu-hours", "unobserved = sum of unseen held time in the same span (replay)"},
    {"lost-gpu-hours",
     "lost = sum of active time after a false stop, from when work resumed to the next stop or the end (replay)"},
    {"unpriced-gpu-hours", "unpriced = the part of back without a price (replay)"},
    {"money-back", "money back = sum(rate x time of back) (replay)"},
}};

template <typename List> std::string_view in(const List &list, std::string_view measure)
{
    for (const auto &[name, formula] : list) {
        if (name == measure)
            return formula;
    }
    return {};
}

} // namespace

std::string formulaOf(const Figure &figure)
{
    switch (figure.kind) {
    case FigureKind::Summary:
        return std::string(in(kSummary, figure.measure));
    case FigureKind::Heatmap:
        return std::string(in(kHeatmap, figure.measure));
    case FigureKind::Idle:
        if (figure.item.starts_with(insight::kBlockedItem))
            return std::string(in(kIdle, figure.measure))
                + "; of the GPUs that were free for the whole five minutes before it, and that could not be given to"
                  " the pods that waited then";
        return std::string(in(kIdle, figure.measure));
    case FigureKind::Ledger:
        return std::string(in(kLedger, figure.measure))
            + (figure.split
                   ? "; the price of a machine with GPUs is split by " + std::string(model::toString(*figure.split))
                       + " for each line of a day, by the largest remainder (Cost)"
                   : std::string());
    case FigureKind::Showback:
        return std::string(in(kShowback, figure.measure));
    case FigureKind::Reconcile:
        return std::string(in(kReconcile, figure.measure));
    case FigureKind::Change:
    case FigureKind::SpendChange:
        return std::string(in(kChange, figure.measure));
    case FigureKind::Replay: {
        const std::string_view all = figure.measure;
        const bool isOfStop = all.starts_with(insight::kStopMeasure);
        return std::string(in(kReplay, isOfStop ? all.substr(insight::kStopMeasure.size()) : all));
    }
    case FigureKind::Action:
        return (figure.item.empty() ? std::string("per month = sum over the workloads that the action stopped of ")
                                    : std::string("per month = "))
            + "rate-per-hour x 730 h, at the instant of the idle list that it was decided from (Idle)";
    case FigureKind::Savings:
        return savingsFormula(figure);
    }
    return {};
}

} // namespace gpuledger::ui
