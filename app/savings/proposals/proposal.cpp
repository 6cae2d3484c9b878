// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/proposals/proposal.h"

#include "app/base/result.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace gpuledger::savings {

using base::Result;

namespace {

constexpr std::array<std::string_view, kKinds.size()> kKindNames{"capacity", "schedule", "right-size", "spot",
                                                                 "commitments"};

std::int64_t middleOf(const Proposal &proposal)
{
    return proposal.perMonth ? proposal.perMonth->p50.nanos() : std::numeric_limits<std::int64_t>::min();
}

bool isBetter(const Proposal &a, const Proposal &b)
{
    return std::tuple(middleOf(b), a.kind, std::string_view(a.id))
        < std::tuple(middleOf(a), b.kind, std::string_view(b.id));
}

bool isListedBefore(const Proposal &a, const Proposal &b)
{
    return std::tuple(a.excludedBy.has_value(), !a.perMonth, middleOf(b), std::string_view(a.id))
        < std::tuple(b.excludedBy.has_value(), !b.perMonth, middleOf(a), std::string_view(b.id));
}

Result<MoneyBand> bandSum(const MoneyBand &a, const MoneyBand &b)
{
    const auto p10 = a.p10.plus(b.p10), p50 = a.p50.plus(b.p50), p90 = a.p90.plus(b.p90);
    GPULEDGER_TRY(p10);
    GPULEDGER_TRY(p50);
    GPULEDGER_TRY(p90);
    return MoneyBand{*p10, *p50, *p90};
}

// Adds to the sum of its currency and kind. Fails with Overflow, and with InvalidArgument if the band is of another
// currency than the sum; then nothing is added.
Result<void> addTo(std::map<std::string, SavingsSum> &sums, const Proposal &proposal)
{
    const auto known = sums.find(proposal.currency);
    if (known == sums.end()) {
        sums[proposal.currency] = {proposal.currency, *proposal.perMonth, {{proposal.kind, *proposal.perMonth}}};
        return {};
    }
    SavingsSum &sum = known->second;
    const auto all = bandSum(sum.perMonth, *proposal.perMonth);
    GPULEDGER_TRY(all);
    const auto kind = std::lower_bound(sum.byKind.begin(), sum.byKind.end(), proposal.kind,
                                       [](const auto &one, Kind wanted) { return one.first < wanted; });
    if (kind == sum.byKind.end() || kind->first != proposal.kind) {
        sum.byKind.insert(kind, {proposal.kind, *proposal.perMonth});
    } else {
        const auto own = bandSum(kind->second, *proposal.perMonth);
        GPULEDGER_TRY(own);
        kind->second = *own;
    }
    sum.perMonth = *all;
    return {};
}

} // namespace

std::string_view toString(Kind kind)
{
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<Kind> kindFrom(std::string_view text)
{
    const auto *const found = std::find(kKindNames.begin(), kKindNames.end(), text);
    return found == kKindNames.end() ? std::nullopt
                                     : std::optional(kKinds[static_cast<std::size_t>(found - kKindNames.begin())]);
}

SavingsList withoutDoubleCounting(base::TimeRange range, std::vector<Proposal> proposals)
{
    std::stable_sort(proposals.begin(), proposals.end(), isBetter);
    std::map<std::pair<std::string, std::string>, std::string>
        taken; // currency and resource -> id of the one that has it
    std::map<std::string, SavingsSum> sums;
    for (Proposal &proposal : proposals) {
        if (proposal.excludedBy)
            continue;
        if (!proposal.perMonth) {
            proposal.excludedBy = Remark{RemarkText::CantCompute, {}};
            continue;
        }
        if (proposal.perMonth->p50.nanos() <= 0) {
            proposal.excludedBy = Remark{RemarkText::SavedNothing, {}};
            continue;
        }
        const auto rival =
            std::find_if(proposal.resources.begin(), proposal.resources.end(), [&](const std::string &r) {
                return taken.contains({proposal.currency, r});
            });
        if (rival != proposal.resources.end()) {
            proposal.excludedBy = Remark{RemarkText::CountedAlready, {textTerm(taken.at({proposal.currency, *rival}))}};
            continue;
        }
        if (!addTo(sums, proposal)) {
            proposal.excludedBy = Remark{RemarkText::CantAdd, {}};
            continue;
        }
        for (const std::string &resource : proposal.resources)
            taken.try_emplace({proposal.currency, resource}, proposal.id);
    }
    std::stable_sort(proposals.begin(), proposals.end(), isListedBefore);
    SavingsList list{range, {}, std::move(proposals)};
    for (auto &[currency, sum] : sums)
        list.sums.push_back(std::move(sum));
    return list;
}

} // namespace gpuledger::savings
