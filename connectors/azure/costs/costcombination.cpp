// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/costcombination.h"

#include <algorithm>
#include <utility>

namespace gpuledger::azure {

using base::Result;

namespace {

struct BothViews {
    base::Decimal billed, effective;
    bool isZero() const { return billed.isZero() && effective.isZero(); }
};
using BothCells = std::map<CostCell, BothViews>;
using BothMember = base::Decimal BothViews::*;

// Takes every cell of `amounts` from the one of `from` that `keyOf` names.
template <typename KeyFn> Result<void> takeFrom(BothCells &from, BothMember view, const CostCells &amounts, KeyFn keyOf)
{
    for (const auto &[cell, amount] : amounts) {
        base::Decimal &left = from[keyOf(cell)].*view;
        const auto less = left.minus(amount);
        GPULEDGER_TRY(less);
        left = *less;
    }
    return {};
}

void put(BothCells &to, BothMember view, const CostCells &amounts)
{
    for (const auto &[cell, amount] : amounts)
        to[cell].*view = amount;
}

CostRow rowOf(const CostCell &cell, const BothViews &amounts, CostPart part)
{
    CostRow row;
    row.day = cell.day;
    row.part = part;
    row.currency = base::Currency::parse(cell.currency).value_or(base::Currency());
    row.billed = amounts.billed;
    row.effective = amounts.effective;
    return row;
}

// By day and resource; empty where a resource had two values on the day.
std::map<std::pair<base::Day, std::string>, std::string> tagsOf(const CostCells &cells)
{
    std::map<std::pair<base::Day, std::string>, std::string> out;
    for (const auto &[cell, amount] : cells) {
        const auto [at, isNew] = out.try_emplace({cell.day, cell.first}, cell.second);
        if (!isNew && at->second != cell.second)
            at->second.clear();
    }
    return out;
}

} // namespace

std::set<base::Day> missingDays(const CostCells &total, const CostCells &grouped)
{
    std::set<base::Day> out;
    for (const auto &[cell, amount] : total) {
        if (!amount.isZero())
            out.insert(cell.day);
    }
    for (const auto &[cell, amount] : grouped)
        out.erase(cell.day);
    return out;
}

Result<std::vector<CostRow>> combine(const CostAnswers &billed, const CostAnswers &effective, const CostCells &tags,
                                     const CostSettings &settings)
{
    BothCells rest, services, machines;
    for (const auto &[view, answers] :
         {std::pair(&BothViews::billed, &billed), std::pair(&BothViews::effective, &effective)}) {
        put(rest, view, answers->total);
        put(services, view, answers->services);
        put(machines, view, answers->machines);
        GPULEDGER_TRY(takeFrom(rest, view, answers->services, [](const CostCell &cell) {
            return CostCell{cell.day, cell.currency, {}, {}};
        }));
        GPULEDGER_TRY(takeFrom(services, view, answers->machines, [](const CostCell &cell) {
            return CostCell{cell.day, cell.currency, kMachineService, kUsageCharge};
        }));
    }
    const auto tagged = tagsOf(tags);
    std::vector<CostRow> rows;
    for (const auto &[cell, amounts] : machines) {
        if (amounts.isZero())
            continue;
        CostRow row = rowOf(cell, amounts, CostPart::Machine);
        row.item = cell.second;
        row.charge = kUsageCharge;
        row.subscription = settings.subscription();
        switch (settings.machineGroups()) {
        case MachineGroups::Resource:
            row.resource = cell.first;
            if (const std::string own = subscriptionIn(cell.first); !own.empty())
                row.subscription = own;
            if (const auto tag = tagged.find({cell.day, cell.first}); tag != tagged.end())
                row.tag = tag->second;
            break;
        case MachineGroups::Subscription:
            row.subscription = cell.first;
            break;
        case MachineGroups::Tag:
            row.tag = cell.first;
            break;
        }
        rows.push_back(std::move(row));
    }
    for (const auto &[cell, amounts] : services) {
        if (amounts.isZero())
            continue;
        CostRow row = rowOf(cell, amounts, CostPart::Service);
        row.item = cell.first;
        row.charge = cell.second;
        row.subscription = settings.subscription();
        rows.push_back(std::move(row));
    }
    for (const auto &[cell, amounts] : rest) {
        if (amounts.isZero())
            continue;
        rows.push_back(rowOf(cell, amounts, CostPart::Rest));
        rows.back().subscription = settings.subscription();
    }
    std::stable_sort(rows.begin(), rows.end(), [](const CostRow &a, const CostRow &b) { return a.day < b.day; });
    return rows;
}

} // namespace gpuledger::azure
