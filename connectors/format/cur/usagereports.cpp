// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/cur/usagereports.h"

#include "app/base/text/text.h"

#include <algorithm>

namespace gpuledger::cur {

namespace {

constexpr std::size_t kShownOfType = 64;
constexpr const char *kOtherTypes = "…";
constexpr auto kPlace = static_cast<std::size_t>(To::BillingAccountId);
static_assert(static_cast<std::size_t>(To::BillingPeriodEnd) == kPlace + std::tuple_size_v<UsageReports::Place> - 1);

} // namespace

bool UsageReports::settle(const Place &place, const base::Decimal &amount, std::uint32_t file,
                          const format::TextRow &row)
{
    std::array<std::string, 7> key;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < place.size(); ++i) {
        key[i] = place[i];
        bytes += place[i].size();
    }
    auto found = m_rests.find(key);
    if (found == m_rests.end()) {
        if (m_rests.size() >= kMostRests || bytes > kMostRestBytes)
            return false;
        found = m_rests.try_emplace(std::move(key)).first;
    }
    const auto sum = found->second.sum.plus(amount);
    if (!sum)
        return false;
    found->second.sum = *sum;
    found->second.file = file;
    format::TextRowWriter(found->second.row, row);
    return true;
}

void UsageReports::meetNewType(std::string_view type)
{
    std::string name = base::printable(type, kShownOfType);
    if (m_newTypes.size() >= kMostNewTypes && !m_newTypes.contains(name))
        name = kOtherTypes;
    ++m_newTypes[name];
}

format::TextRow UsageReports::restHeader()
{
    format::TextRow header;
    format::TextRowWriter to(header, format::TextRow());
    for (std::size_t i = 0; i < kToColumns; ++i)
        to.add(nameOf(static_cast<To>(i)));
    return header;
}

base::Result<void> UsageReports::eachRest(const Take &take) const
{
    format::TextRow row;
    for (const auto &[place, rest] : m_rests) {
        if (rest.sum.isZero())
            continue;
        FocusRow out;
        std::copy(place.begin(), place.end(), out.values.begin() + kPlace);
        out.own[0] = rest.sum.toText();
        out[To::BilledCost] = out.own[0];
        out[To::EffectiveCost] = "0"; // the plan's part of each covered hour is with that hour
        out[To::ChargePeriodStart] = out[To::BillingPeriodStart];
        out[To::ChargePeriodEnd] = out[To::BillingPeriodEnd];
        out[To::ChargeCategory] = "Adjustment";
        out[To::ChargeFrequency] = "Usage-Based";
        out[To::ChargeDescription] = "Savings plans: covered usage and its negations do not cancel out";
        out[To::InvoiceIssuerName] = out[To::ProviderName] = out[To::PublisherName] = "AWS";
        out[To::ServiceCategory] = "Other";
        out[To::ServiceName] = "Savings Plans";
        out[To::LineItemType] = "SavingsPlanNegation";
        {
            format::TextRowWriter to(row, rest.row);
            for (const std::string_view value : out.values)
                to.add(value);
        }
        GPULEDGER_TRY(take(rest.file, row));
    }
    return {};
}

std::vector<ports::BillFinding> UsageReports::findings() const
{
    using Level = ports::Finding::Level;
    std::vector<ports::BillFinding> out;
    for (const auto &[type, lines] : m_newTypes)
        out.push_back({Level::Missing, ports::BillFindingText::LineTypeNew, "AWS", {type, lines}});
    if (m_podShares > 0)
        out.push_back({Level::Good, ports::BillFindingText::PodSharesLeftOut, "AWS", {m_podShares}});
    return out;
}

} // namespace gpuledger::cur
