// SPDX-License-Identifier: GPL-3.0-or-later
// Phrases for what an import of bills found and rejected.
#include "ui/format/phrases/phrase.h"

// Mark the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text
#define QT_TRANSLATE_N_NOOP(context, text) text

namespace gpuledger::ui {

namespace {

using ports::BillFindingText;
using ports::RejectReason;
using Kind = Phrase::Term::Kind;
using Terms = std::vector<ports::FindingTerm>;

Phrase lines(std::uint64_t n)
{
    return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n lines"), "1 line", n, {}};
}

Phrase days(std::uint64_t n)
{
    return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n days"), "1 day", n, {}};
}

// Numbers at the end of a finding count lines, or days; those of a rejection mean something else.
enum class Numbers { Lines, Days, Plain };

Phrase billSentence(const char *pattern, const Terms &terms, Numbers numbers)
{
    Phrase out{pattern, nullptr, 0, {}};
    for (const ports::FindingTerm &term : terms) {
        if (const auto *text = std::get_if<std::string>(&term)) {
            out.terms.push_back({Kind::Text, *text, 0, {}});
            continue;
        }
        const std::uint64_t n = std::get<std::uint64_t>(term);
        if (numbers != Numbers::Plain)
            out.terms.push_back({Kind::Phrase, {}, 0, {numbers == Numbers::Days ? days(n) : lines(n)}});
        else
            out.terms.push_back({Kind::Count, {}, static_cast<double>(n), {}});
    }
    return out;
}

const char *patternOf(BillFindingText text)
{
    switch (text) {
    case BillFindingText::ColumnMissing:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the column %1 is missing: its values are unknown");
    case BillFindingText::ValueMissing:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is empty where it never should be: %2");
    case BillFindingText::ValueUnreadable:
        return QT_TRANSLATE_NOOP(
            "gpuledger::ui::Phrase",
            "%1 can't be read, for example \"%2\": kept as it is beside the line, otherwise unknown: %3");
    case BillFindingText::WordUnknown:
        return QT_TRANSLATE_NOOP(
            "gpuledger::ui::Phrase",
            "%1 has a value that FOCUS does not define, for example \"%2\": kept as it is beside the line: %3");
    case BillFindingText::WordSpelling:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 was read despite its capitalization: %2");
    case BillFindingText::NullWord:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "a literal NULL was read as no value: %1");
    case BillFindingText::NoZone:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "times without a zone were read as UTC: %1");
    case BillFindingText::InvalidUtf8:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "bytes that are not UTF-8 were replaced: %1");
    case BillFindingText::ListCostUnknown:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "a list cost of 0 for something that costs money was treated as unknown: %1");
    case BillFindingText::ContractedCostUnknown:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "a contracted cost of 0 for something that costs money was treated as unknown: %1");
    case BillFindingText::PricesNull:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "without unit prices or SKU: %1");
    case BillFindingText::TagsUnreadable:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "tags can't be read: kept as they are beside the line: %1");
    case BillFindingText::TagsWithoutBraces:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "tags without braces were read: %1");
    case BillFindingText::TagKeyBlanks:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "spaces around tag keys were removed: %1");
    case BillFindingText::TagPrefix:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "\"user:\" was removed from tag keys: %1");
    case BillFindingText::TagsFromLabels:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "tags were built from x_Labels, x_Tags and x_ProjectLabels: %1");
    case BillFindingText::RegionFromName:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the region was taken from its name: %1");
    case BillFindingText::SkuDetailsFromExtra:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "details of the SKU were taken from x_SkuDetails: %1");
    case BillFindingText::IdsLowerCase:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "ids with varying capitalization were written in lower case: %1");
    case BillFindingText::EffectiveCostZero:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "billed with effective cost 0, and the bill's 0 was kept: %2 %1 in %3");
    case BillFindingText::CreditsApart:
        return QT_TRANSLATE_NOOP(
            "gpuledger::ui::Phrase",
            "credits in x_Credits that are in neither cost, to be compared with the invoice: %2 %1 in %3");
    case BillFindingText::CommitmentFromSubscription:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the commitment was taken from x_SubscriptionInstanceId: %1");
    case BillFindingText::ChargeOutsidePeriod:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the charge period lies outside the billing period: %1");
    case BillFindingText::VersionAhead:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "columns of FOCUS 1.3 or later were found: their values are kept beside the lines");
    case BillFindingText::DaysEstimated:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not final, and may still change: %1");
    case BillFindingText::DaysFromRateCard:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "estimated from the nodes that were counted and your rate card, and never final: %1");
    case BillFindingText::TimeNotCounted:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "for %1 nothing was counted, and that time costs nothing in the estimate");
    case BillFindingText::DaysNotItemised:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "the parts do not add up to the total, and the difference was booked as an "
                                 "adjustment: %1");
    case BillFindingText::LineTypeNew:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "the line type %1 is new: its lines count as adjustments by their unblended cost: %2");
    case BillFindingText::PodSharesLeftOut:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "shares of pods in the cost of machines, which the lines of the machines have, were "
                                 "left out: %1");
    case BillFindingText::NoLines:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "only a header");
    }
    return "";
}

const char *patternOf(RejectReason reason)
{
    switch (reason) {
    case RejectReason::ColumnCount:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the line has %1 columns, the header %2");
    case RejectReason::TextAfterQuote:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "there is text after a closing quote");
    case RejectReason::LineTooLong:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the line is longer than %1 bytes");
    case RejectReason::NulByte:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the line has a NUL byte");
    case RejectReason::MissingValue:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is empty");
    case RejectReason::NotATime:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is not a time: \"%2\"");
    case RejectReason::EmptyTimeRange:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the time that starts with %1 ends before it starts");
    case RejectReason::NotAnAmount:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is not an amount: \"%2\"");
    case RejectReason::AmountTooLarge:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is too large: \"%2\"");
    case RejectReason::UnknownCategory:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "unknown charge category \"%1\"");
    case RejectReason::NotACurrency:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "\"%1\" is not a currency");
    }
    return "";
}

const char *kindOf(RejectReason reason)
{
    switch (reason) {
    case RejectReason::ColumnCount:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "a different number of columns than the header");
    case RejectReason::TextAfterQuote:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "there is text after a closing quote");
    case RejectReason::LineTooLong:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the line is too long");
    case RejectReason::NulByte:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the line has a NUL byte");
    case RejectReason::MissingValue:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "a value that an amount requires is empty");
    case RejectReason::NotATime:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "a time can't be read");
    case RejectReason::EmptyTimeRange:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "a time ends before it starts");
    case RejectReason::NotAnAmount:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "an amount can't be read");
    case RejectReason::AmountTooLarge:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "an amount is too large");
    case RejectReason::UnknownCategory:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "an unknown charge category");
    case RejectReason::NotACurrency:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "an unknown currency");
    }
    return "";
}

} // namespace

Phrase textOf(const ports::BillFinding &finding)
{
    // With the longest time between two looks at what is billed, in seconds.
    if (finding.text == BillFindingText::DaysEstimated && finding.terms.size() == 2) {
        Phrase estimate{QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                          "estimated from the machines that syncs saw, and never final: of each, up to "
                                          "%2 before it was first seen and after it was last seen are missing: %1"),
                        nullptr,
                        0,
                        {}};
        estimate.terms.push_back({Kind::Phrase, {}, 0, {days(std::get<std::uint64_t>(finding.terms[0]))}});
        const auto pause = static_cast<double>(std::get<std::uint64_t>(finding.terms[1]));
        estimate.terms.push_back({Kind::Duration, {}, pause, {}});
        return estimate;
    }
    if (finding.text == BillFindingText::TimeNotCounted) {
        Phrase gap{patternOf(finding.text), nullptr, 0, {}};
        const auto seconds = static_cast<double>(std::get<std::uint64_t>(finding.terms.at(0)));
        gap.terms.push_back({Kind::Duration, {}, seconds, {}});
        return gap;
    }
    const bool isOfDays = finding.text == BillFindingText::DaysEstimated
        || finding.text == BillFindingText::DaysNotItemised || finding.text == BillFindingText::DaysFromRateCard;
    return billSentence(patternOf(finding.text), finding.terms, isOfDays ? Numbers::Days : Numbers::Lines);
}

Phrase textOf(const ports::Rejection &rejection)
{
    return billSentence(patternOf(rejection.reason), rejection.terms, Numbers::Plain);
}

Phrase textOf(RejectReason reason)
{
    return billSentence(kindOf(reason), {}, Numbers::Plain);
}

} // namespace gpuledger::ui
