// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/commitmentlevel.h"
#include "app/savings/commitments/commitments.h"

#include <algorithm>
#include <utility>

namespace gpuledger::savings {

using base::Money;
using base::Result;

namespace {

// Writes what is known of one existing commitment.
class ExistingCase {
public:
    ExistingCase(const ExistingCommitment &existing, base::UtcTime until)
        : m_existing(existing)
        , m_until(until)
    {
    }

    Result<Proposal> take()
    {
        const auto paid = m_existing.used.plus(m_existing.unused);
        GPULEDGER_TRY(paid);
        const base::Currency currency = paid->currency();
        m_out.kind = Kind::Commitments;
        m_out.id = "commitments:existing/" + m_existing.id + '/' + std::string(currency.code());
        m_out.target = m_existing.name.empty() ? m_existing.id : m_existing.name;
        if (!m_existing.type.empty())
            m_out.target += " (" + m_existing.type + ')';
        m_out.currency = currency.code();
        m_out.avoidable = Money(0, currency); // all of it is sunk
        m_out.resources = {m_existing.id};
        addMonth(RemarkText::UsedPerMonth, m_existing.used);
        addMonth(RemarkText::UnusedPerMonth, m_existing.unused);
        addShares(*paid);
        addEnd();
        return std::move(m_out);
    }

private:
    std::optional<Money> monthOf(const Money &amount) const
    {
        const std::int64_t hours = std::max<std::int64_t>(m_existing.days, 0) * 24;
        return commitmentPerMonth(static_cast<CostTicks>(amount.nanos()) * kTicksPerMachineHour,
                                  static_cast<std::size_t>(hours), amount.currency());
    }

    void addEvidence(RemarkText label, RemarkTerm value) { m_out.evidence.push_back({{label, {}}, std::move(value)}); }

    void addMonth(RemarkText label, const Money &amount)
    {
        if (const auto month = monthOf(amount))
            addEvidence(label, amountTerm(*month));
    }

    // In machine-hours where they were bought, else in money.
    void addShares(const Money &paid)
    {
        std::optional<double> used;
        const bool inHours = m_existing.usedTime && m_existing.boughtTime;
        if (inHours)
            used = commitmentUtilization(*m_existing.usedTime, *m_existing.boughtTime);
        else if (paid.nanos() > 0)
            used = static_cast<double>(m_existing.used.nanos()) / static_cast<double>(paid.nanos());
        if (used)
            addEvidence(
                RemarkText::Utilization,
                remarkTerm({inHours ? RemarkText::ShareOfHours : RemarkText::ShareOfMoney, {shareTerm(*used)}}));
        if (m_existing.usedTime)
            addEvidence(RemarkText::MachineHoursUsed, hoursTerm(*m_existing.usedTime));
        if (m_existing.boughtTime)
            addEvidence(RemarkText::MachineHoursBought, hoursTerm(*m_existing.boughtTime));
        if (!m_existing.onDemandEquivalent)
            return;
        addMonth(RemarkText::EquivalentPerMonth, *m_existing.onDemandEquivalent);
        if (const auto rate = effectiveSavingsRate(paid, *m_existing.onDemandEquivalent))
            addEvidence(RemarkText::SavingsRate, shareTerm(*rate));
    }

    void addEnd()
    {
        if (m_existing.ended) {
            m_out.excludedBy = Remark{RemarkText::CommitmentEnded, {}};
            m_out.risks.push_back({RemarkText::OnDemandSince, {}});
            return;
        }
        m_out.excludedBy = m_existing.end ? Remark{RemarkText::SunkUntil, {dayTerm(*m_existing.end)}}
                                          : Remark{RemarkText::SunkUntilUnknownEnd, {}};
        if (m_existing.end && *m_existing.end <= m_until + kSoonExpired)
            addExpiry();
    }

    void addExpiry()
    {
        const RemarkTerm end = dayTerm(*m_existing.end);
        const auto more = m_existing.onDemandEquivalent ? m_existing.onDemandEquivalent->minus(m_existing.used)
                                                        : Result<Money>(Money());
        const auto month = more ? monthOf(*more) : std::nullopt;
        if (month && month->nanos() > 0)
            m_out.risks.push_back({RemarkText::EndsOnAndCosts, {end, amountTerm(*month)}});
        else
            m_out.risks.push_back({RemarkText::EndsOn, {end}});
        addEvidence(RemarkText::EndOfCommitment, end);
    }

    const ExistingCommitment &m_existing;
    base::UtcTime m_until;
    Proposal m_out;
};

} // namespace

Result<Proposal> existingProposal(const ExistingCommitment &existing, base::UtcTime until)
{
    return ExistingCase(existing, until).take();
}

} // namespace gpuledger::savings
