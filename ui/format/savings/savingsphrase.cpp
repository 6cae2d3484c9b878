// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/savings/savingsphrase.h"

#include "app/savings/capacity/capacityoffer.h"

namespace gpuledger::ui {

namespace {

using RemarkKind = savings::RemarkTerm::Kind;
using TermKind = Phrase::Term::Kind;

TermKind kindOfRemarkTerm(RemarkKind kind)
{
    switch (kind) {
    case RemarkKind::Text:
        return TermKind::Text;
    case RemarkKind::Count:
        return TermKind::Count;
    case RemarkKind::Decimal:
    case RemarkKind::Hours:
        return TermKind::Decimal;
    case RemarkKind::Share:
        return TermKind::Share;
    case RemarkKind::Gibibytes:
        return TermKind::Gibibytes;
    case RemarkKind::Amount:
        return TermKind::Amount;
    case RemarkKind::HourlyRate:
        return TermKind::HourlyRate;
    case RemarkKind::Day:
        return TermKind::Day;
    case RemarkKind::Duration:
        return TermKind::Duration;
    case RemarkKind::Remark:
        return TermKind::Phrase;
    case RemarkKind::PriceSource:
        return TermKind::PriceSource;
    case RemarkKind::Protection:
        return TermKind::Protection;
    }
    return TermKind::Text;
}

Phrase::Term phraseTerm(const savings::RemarkTerm &term)
{
    Phrase::Term out;
    out.kind = kindOfRemarkTerm(term.kind);
    out.text = term.text;
    const bool isWhole = term.kind == RemarkKind::Count || term.kind == RemarkKind::Duration;
    out.number = isWhole ? static_cast<double>(term.nanos) : term.number;
    out.nanos = term.nanos;
    for (const savings::Remark &inner : term.remark)
        out.phrase.push_back(textOf(inner));
    return out;
}

} // namespace

Phrase textOf(const savings::Remark &remark)
{
    Phrase out;
    out.pattern = savings::englishOf(remark.text).data(); // a literal: it ends with a zero
    out.context = "gpuledger::ui::Remark";
    for (const savings::RemarkTerm &term : remark.terms)
        out.terms.push_back(phraseTerm(term));
    return out;
}

Phrase valueOf(const savings::RemarkTerm &value)
{
    return phrases::say("%1", {phraseTerm(value)});
}

std::string targetText(const savings::Proposal &proposal)
{
    return savings::isPacked(proposal) ? proposal.target + " (packed)" : proposal.target;
}

} // namespace gpuledger::ui
