// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/proposals/proposal.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace gpuledger::savings {

using base::Money;
using base::Result;

namespace {

__extension__ using CountedWide = __int128;

std::int64_t middleOf(const std::optional<MoneyBand> &band)
{
    return band ? band->p50.nanos() : std::numeric_limits<std::int64_t>::min();
}

int stepOf(Kind kind)
{
    return kind == Kind::Commitments ? 2 : kind == Kind::Spot ? 1 : 0;
}

bool isDecidedBefore(const Proposal &a, const Proposal &b)
{
    return std::tuple(stepOf(a.kind), middleOf(b.perMonth), a.kind, std::string_view(a.id))
        < std::tuple(stepOf(b.kind), middleOf(a.perMonth), b.kind, std::string_view(b.id));
}

bool isListedBefore(const Proposal &a, const Proposal &b)
{
    return std::tuple(a.excludedBy.has_value(), !a.perMonth, middleOf(b.perMonth), std::string_view(a.id))
        < std::tuple(b.excludedBy.has_value(), !b.perMonth, middleOf(a.perMonth), std::string_view(b.id));
}

bool isSameBand(const MoneyBand &a, const MoneyBand &b)
{
    return a.p10 == b.p10 && a.p50 == b.p50 && a.p90 == b.p90;
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
    const MoneyBand band = *countsWith(proposal);
    const auto known = sums.find(proposal.currency);
    if (known == sums.end()) {
        sums[proposal.currency] = {proposal.currency, band, {{proposal.kind, band}}};
        return {};
    }
    SavingsSum &sum = known->second;
    const auto all = bandSum(sum.perMonth, band);
    GPULEDGER_TRY(all);
    const auto kind = std::lower_bound(sum.byKind.begin(), sum.byKind.end(), proposal.kind,
                                       [](const auto &one, Kind wanted) { return one.first < wanted; });
    if (kind == sum.byKind.end() || kind->first != proposal.kind) {
        sum.byKind.insert(kind, {proposal.kind, band});
    } else {
        const auto own = bandSum(kind->second, band);
        GPULEDGER_TRY(own);
        kind->second = *own;
    }
    sum.perMonth = *all;
    return {};
}

const RemarkTerm *evidenceValue(const Proposal &proposal, RemarkText label)
{
    const auto found = std::find_if(proposal.evidence.begin(), proposal.evidence.end(),
                                    [&](const Evidence &one) { return one.label.text == label; });
    return found == proposal.evidence.end() ? nullptr : &found->value;
}

bool isSameQuantity(const RemarkTerm &a, const RemarkTerm &b)
{
    return a.kind == b.kind && a.nanos == b.nanos && a.number == b.number;
}

class Counting {
public:
    explicit Counting(std::vector<Proposal> all)
        : m_all(std::move(all))
    {
        for (Proposal &one : m_all)
            one.counted.reset();
        std::stable_sort(m_all.begin(), m_all.end(), isDecidedBefore);
    }

    Result<SavingsList> take(base::TimeRange range, const RemainingCommitments &remaining)
    {
        std::vector<Commitment> commitments;
        for (Proposal &one : m_all) {
            if (!mayCount(one))
                continue;
            if (one.kind == Kind::Commitments)
                commitments.push_back({&one, overlapping(one)});
            else
                count(one, m_taken);
        }
        GPULEDGER_TRY(settle(commitments, remaining));
        std::stable_sort(commitments.begin(), commitments.end(), [](const Commitment &a, const Commitment &b) {
            return std::tuple(middleOf(countsWith(*b.self)), std::string_view(a.self->id))
                < std::tuple(middleOf(countsWith(*a.self)), std::string_view(b.self->id));
        });
        Holders bought; // resources of the commitments that count
        for (const Commitment &one : commitments) {
            if (!one.self->excludedBy)
                count(*one.self, bought);
        }
        for (const Commitment &one : commitments) {
            if (!one.others.empty())
                compare(one, bought);
        }
        std::stable_sort(m_all.begin(), m_all.end(), isListedBefore);
        SavingsList list{range, {}, std::move(m_all)};
        for (auto &[currency, sum] : m_sums)
            list.sums.push_back(std::move(sum));
        return list;
    }

private:
    using Holders = std::map<std::pair<std::string, std::string>, Proposal *>; // by currency and resource
    struct Commitment {
        Proposal *self = nullptr;
        std::vector<Proposal *> others; // that count and share resources with it, the first decided first
    };

    static bool mayCount(Proposal &one)
    {
        if (one.excludedBy)
            return false;
        if (!one.perMonth)
            one.excludedBy = Remark{RemarkText::CantCompute, {}};
        else if (one.perMonth->p50.nanos() <= 0)
            one.excludedBy = Remark{RemarkText::SavedNothing, {}};
        return !one.excludedBy;
    }

    void count(Proposal &one, Holders &holders)
    {
        for (const std::string &resource : one.resources) {
            const auto rival = holders.find({one.currency, resource});
            if (rival == holders.end())
                continue;
            one.excludedBy = Remark{RemarkText::CountedAlready, {textTerm(rival->second->id)}};
            return;
        }
        if (!addTo(m_sums, one)) {
            one.excludedBy = Remark{RemarkText::CantAdd, {}};
            return;
        }
        for (const std::string &resource : one.resources)
            holders.try_emplace({one.currency, resource}, &one);
    }

    // All other kinds are decided before.
    std::vector<Proposal *> overlapping(const Proposal &one) const
    {
        std::set<Proposal *> found; // ascending by place, as they lie in one vector
        for (const std::string &resource : one.resources) {
            if (const auto holder = m_taken.find({one.currency, resource}); holder != m_taken.end())
                found.insert(holder->second);
        }
        return {found.begin(), found.end()};
    }

    Result<void> settle(std::vector<Commitment> &commitments, const RemainingCommitments &remaining)
    {
        std::vector<Proposal> rest;
        if (remaining && std::any_of(commitments.begin(), commitments.end(), [](const Commitment &one) {
                return !one.others.empty();
            })) {
            auto found = remaining(freed());
            GPULEDGER_TRY(found);
            rest = std::move(*found);
        }
        for (Commitment &one : commitments) {
            if (one.others.empty())
                continue;
            const auto left =
                std::find_if(rest.begin(), rest.end(), [&](const Proposal &other) { return other.id == one.self->id; });
            const auto unknown = std::find_if(one.others.begin(), one.others.end(),
                                              [](const Proposal *other) { return other->frees == nullptr; });
            if (!remaining || unknown != one.others.end()) {
                const Proposal &holder = unknown == one.others.end() ? *one.others.front() : **unknown;
                one.self->excludedBy = Remark{RemarkText::CountedAlready, {textTerm(holder.id)}};
            } else {
                countRest(one, left == rest.end() ? nullptr : &*left);
            }
        }
        return {};
    }

    std::vector<const FreedTime *> freed() const
    {
        std::vector<const FreedTime *> out;
        for (const Proposal &one : m_all) {
            if (one.kind == Kind::Commitments || one.excludedBy || !one.frees)
                continue;
            for (const FreedTime &part : *one.frees)
                out.push_back(&part);
        }
        return out;
    }

    static void countRest(const Commitment &one, const Proposal *left)
    {
        Proposal &self = *one.self;
        const auto band = left && left->perMonth && !left->excludedBy ? restOf(one, *left->perMonth) : std::nullopt;
        if (!band || band->p50.nanos() <= 0) {
            self.excludedBy = Remark{RemarkText::TooLittleRemains, {textTerm(one.others.front()->id)}};
            return;
        }
        if (const RemarkTerm *hours = evidenceValue(*left, RemarkText::MachineHoursOnDemand))
            self.evidence.push_back({{RemarkText::MachineHoursLeft, {}}, *hours});
        if (isSameBand(*band, *self.perMonth))
            return;
        self.counted = band;
        const RemarkTerm *level = evidenceValue(*left, RemarkText::LevelInMachines);
        const RemarkTerm *alone = evidenceValue(self, RemarkText::LevelInMachines);
        if (!level || (alone && isSameQuantity(*level, *alone)))
            return;
        std::vector<Remark> &risks = self.risks.change();
        risks.insert(risks.begin(), {RemarkText::BuyForTheRest, {*level}});
    }

    // Never above what it saves by itself, nor above what the others leave of its avoidable money even if they save
    // their p90: a machine may cost more than the mean of its type.
    static std::optional<MoneyBand> restOf(const Commitment &one, const MoneyBand &left)
    {
        if (!one.self->avoidable)
            return std::nullopt;
        CountedWide most = one.self->avoidable->nanos();
        for (const Proposal *other : one.others)
            most -= std::max<std::int64_t>(other->perMonth->p90.nanos(), 0);
        const auto amount = [&](const Money &alone, const Money &rest) {
            const CountedWide least = std::min<CountedWide>(std::max<CountedWide>(most, 0), rest.nanos());
            return Money(static_cast<std::int64_t>(std::min<CountedWide>(least, alone.nanos())), alone.currency());
        };
        const MoneyBand &alone = *one.self->perMonth;
        return MoneyBand{amount(alone.p10, left.p10), amount(alone.p50, left.p50), amount(alone.p90, left.p90)};
    }

    // The order stays; what it costs is said. If the commitment counted for its whole demand, what it shares resources
    // with would not count: proposals of other kinds, and commitments that are bought.
    static void compare(const Commitment &one, const Holders &bought)
    {
        std::vector<Proposal *> rivals = one.others;
        for (const std::string &resource : one.self->resources) {
            const auto holder = bought.find({one.self->currency, resource});
            if (holder != bought.end() && holder->second != one.self
                && std::find(rivals.begin(), rivals.end(), holder->second) == rivals.end())
                rivals.push_back(holder->second);
        }
        CountedWide more = one.self->perMonth->p50.nanos();
        if (const auto counts = countsWith(*one.self))
            more -= counts->p50.nanos();
        for (const Proposal *rival : rivals) {
            if (const auto counts = countsWith(*rival))
                more -= counts->p50.nanos();
        }
        if (more <= 0)
            return;
        const Money amount(static_cast<std::int64_t>(more), one.self->perMonth->p50.currency());
        const Evidence line{{RemarkText::OrderSavesLess, {textTerm(one.self->id)}}, amountTerm(amount)};
        one.self->evidence.push_back(line);
        for (Proposal *rival : rivals)
            rival->evidence.push_back(line);
    }

    std::vector<Proposal> m_all;
    Holders m_taken; // by proposals of other kinds than commitments
    std::map<std::string, SavingsSum> m_sums;
};

} // namespace

Result<SavingsList> withoutDoubleCounting(base::TimeRange range, std::vector<Proposal> proposals,
                                          const RemainingCommitments &remaining)
{
    return Counting(std::move(proposals)).take(range, remaining);
}

SavingsList withoutDoubleCounting(base::TimeRange range, std::vector<Proposal> proposals)
{
    return *Counting(std::move(proposals)).take(range, {}); // fails only as `remaining` does
}

Result<std::vector<SavingsSum>> sumsOf(std::span<const Proposal> proposals)
{
    std::map<std::string, SavingsSum> sums;
    for (const Proposal &one : proposals) {
        if (countsWith(one))
            GPULEDGER_TRY(addTo(sums, one));
    }
    std::vector<SavingsSum> out;
    for (auto &[currency, sum] : sums)
        out.push_back(std::move(sum));
    return out;
}

} // namespace gpuledger::savings
