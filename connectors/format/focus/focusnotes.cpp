// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/focusnotes.h"

#include "app/base/text/text.h"
#include "connectors/format/focus/focusvalues.h"

namespace gpuledger::focus {

namespace {

using base::Result;
using ports::BillFinding;
using ports::BillFindingText;
using Level = ports::Finding::Level;

constexpr std::size_t kNameBytes = 64; // of an external name in a report

// Good: corrected with certainty. Missing: the user should know it before trusting the figures. Problem: may make a sum
// wrong.
Level levelOf(BillFindingText text)
{
    switch (text) {
    case BillFindingText::EffectiveCostZero:
    case BillFindingText::CreditsApart:
        return Level::Problem;
    case BillFindingText::ColumnMissing:
    case BillFindingText::ValueMissing:
    case BillFindingText::ValueUnreadable:
    case BillFindingText::WordUnknown:
    case BillFindingText::InvalidUtf8:
    case BillFindingText::ListCostUnknown:
    case BillFindingText::ContractedCostUnknown:
    case BillFindingText::PricesNull:
    case BillFindingText::TagsUnreadable:
    case BillFindingText::VersionAhead:
    case BillFindingText::DaysEstimated: // of no file
    case BillFindingText::DaysFromRateCard:
    case BillFindingText::TimeNotCounted:
    case BillFindingText::DaysNotItemised:
    case BillFindingText::LineTypeNew:
    case BillFindingText::NoLines:
        return Level::Missing;
    case BillFindingText::WordSpelling:
    case BillFindingText::NullWord:
    case BillFindingText::NoZone:
    case BillFindingText::TagsWithoutBraces:
    case BillFindingText::TagKeyBlanks:
    case BillFindingText::TagPrefix:
    case BillFindingText::TagsFromLabels:
    case BillFindingText::RegionFromName:
    case BillFindingText::SkuDetailsFromExtra:
    case BillFindingText::IdsLowerCase:
    case BillFindingText::CommitmentFromSubscription:
    case BillFindingText::ChargeOutsidePeriod:
    case BillFindingText::PodSharesLeftOut:
        return Level::Good;
    }
    return Level::Good;
}

BillFinding finding(BillFindingText text, const std::string &provider, std::vector<ports::FindingTerm> terms)
{
    return {levelOf(text), text, base::printable(provider, kNameBytes), std::move(terms)};
}

} // namespace

ProviderKind providerKind(std::string_view name)
{
    const std::string lower = lowerCase(name);
    const auto says = [&](const char *word) { return lower.find(word) != std::string::npos; };
    if (lower == "aws" || says("amazon"))
        return ProviderKind::Aws;
    if (says("microsoft") || says("azure"))
        return ProviderKind::Microsoft;
    if (says("google") || lower == "gcp")
        return ProviderKind::Google;
    return says("oracle") ? ProviderKind::Oracle : ProviderKind::Other;
}

FocusNotes::Provider &FocusNotes::provider(const std::string &name)
{
    const auto known = m_providers.find(name);
    if (known != m_providers.end())
        return known->second;
    return m_providers[m_providers.size() < kMostProviders ? name : std::string()];
}

Result<void> FocusNotes::addAmount(Provider &to, BillFindingText text, base::Currency currency,
                                   const base::Decimal &amount)
{
    Amount &all = to.amounts[{text, currency}];
    const auto sum = all.sum.plus(amount);
    GPULEDGER_TRY(sum);
    all.sum = *sum;
    ++all.lines;
    return {};
}

Result<void> FocusNotes::add(const LineNotes &notes, const std::string &name, const ports::RowMoney &money)
{
    Provider &to = provider(name);
    GPULEDGER_TRY(ports::add(to.accepted, money));
    if (notes.met.any()) {
        for (std::size_t i = 0; i < kFindingTexts; ++i)
            to.lines[i] += notes.met[i] ? 1 : 0;
    }
    for (const LineNotes::ColumnNote &note : notes.columns) {
        Examples &all = to.columns[{note.text, note.column}];
        if (all.lines++ == 0)
            all.example = base::printable(note.example, kNameBytes);
    }
    if (notes.met[static_cast<std::size_t>(BillFindingText::EffectiveCostZero)] && money.billed)
        GPULEDGER_TRY(addAmount(to, BillFindingText::EffectiveCostZero, money.currency, *money.billed));
    if (notes.credits)
        GPULEDGER_TRY(addAmount(to, BillFindingText::CreditsApart, money.currency, *notes.credits));
    return {};
}

void FocusNotes::fileHas(const ColumnMap &columns)
{
    for (const Column column : columns.missing())
        m_missing.insert(column);
    m_ahead = m_ahead || columns.version() == ports::FocusVersion::Later;
}

void FocusNotes::tell(const std::string &name, const Provider &from, std::vector<BillFinding> &out)
{
    for (std::size_t i = 0; i < kFindingTexts; ++i) {
        const auto text = static_cast<BillFindingText>(i);
        if (from.lines[i] > 0 && text != BillFindingText::EffectiveCostZero)
            out.push_back(finding(text, name, {from.lines[i]}));
    }
    for (const auto &[key, all] : from.columns) {
        std::vector<ports::FindingTerm> terms{std::string(nameOf(key.second))};
        if (key.first == BillFindingText::ValueUnreadable || key.first == BillFindingText::WordUnknown)
            terms.emplace_back(all.example);
        terms.emplace_back(all.lines);
        out.push_back(finding(key.first, name, std::move(terms)));
    }
    for (const auto &[key, all] : from.amounts)
        out.push_back(finding(key.first, name, {std::string(key.second.code()), all.sum.toText(), all.lines}));
}

std::vector<BillFinding> FocusNotes::findings(bool anyLineRead) const
{
    std::vector<BillFinding> out;
    if (m_ahead)
        out.push_back(finding(BillFindingText::VersionAhead, {}, {}));
    if (!anyLineRead)
        out.push_back(finding(BillFindingText::NoLines, {}, {}));
    for (const Column column : m_missing)
        out.push_back(finding(BillFindingText::ColumnMissing, {}, {std::string(nameOf(column))}));
    for (const auto &[name, from] : m_providers)
        tell(name, from, out);
    return out;
}

std::vector<ports::ProviderPart> FocusNotes::providers() const
{
    std::vector<ports::ProviderPart> all;
    for (const auto &[name, from] : m_providers)
        all.push_back({base::printable(name, kNameBytes), from.accepted});
    return all;
}

} // namespace gpuledger::focus
