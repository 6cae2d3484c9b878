// SPDX-License-Identifier: GPL-3.0-or-later
// Phrases for how a month is signed off and for the objections to closing it.
#include "app/reports/documents/documents.h"
#include "ui/format/phrases/phrase.h"

// Mark the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text
#define QT_TRANSLATE_N_NOOP(context, text) text

namespace gpuledger::ui {

namespace {

using phrases::say;
using phrases::word;

using reports::Objection;
using reports::ObjectionKind;
using reports::SignOff;
using Kind = Phrase::Term::Kind;
using Term = Phrase::Term;

// Exact to the last digit, because the reader has to find this amount.
Term amountOf(const Objection &objection)
{
    return word(objection.amount.toDecimal() + ' ' + std::string(objection.amount.currency().code()));
}

Term monthOf(const insight::Month &month)
{
    return {Kind::Month, insight::toString(month), 0, {}};
}

Term timeOf(base::UtcTime t)
{
    return word(base::toRfc3339(t));
}

Phrase saidOfEarlier(const Objection &objection)
{
    const Term first = monthOf(objection.month);
    if (objection.count <= 1)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1, which comes before it, is still open"), {first});
    const Phrase others{QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n earlier months"),
                        "one earlier month",
                        objection.count - 1,
                        {}};
    return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 and %2 are still open"),
               {first, {Kind::Phrase, {}, 0, {others}}});
}

Phrase saidOfMissing(const Objection &objection)
{
    std::vector<Term> terms{word(objection.source), timeOf(objection.range.start), timeOf(objection.range.end)};
    if (objection.count <= 1)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "nothing was fetched from %1 between %2 and %3"),
                   std::move(terms));
    const Phrase others{QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n more parts of the month"),
                        "1 more part of the month",
                        objection.count - 1,
                        {}};
    terms.push_back({Kind::Phrase, {}, 0, {others}});
    return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "nothing was fetched from %1 between %2 and %3, and for %4"),
               std::move(terms));
}

Phrase saidOfTwice(const Objection &objection)
{
    const Term account = word(objection.account);
    if (objection.count <= 1)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "several sources report the cost of account %1, so it is counted more than once"),
                   {account});
    const Phrase others{
        QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n more accounts"), "one more account", objection.count - 1, {}};
    return say(
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                          "several sources report the cost of account %1 and of %2, so it is counted more than once"),
        {account, {Kind::Phrase, {}, 0, {others}}});
}

} // namespace

Phrase textOf(const Objection &objection)
{
    switch (objection.kind) {
    case ObjectionKind::Running:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the month is not over"));
    case ObjectionKind::Ahead:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the month is not over by this computer's clock, which says %1"),
            {timeOf(objection.range.end)});
    case ObjectionKind::Nothing:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "nothing is stored for it"));
    case ObjectionKind::NoBill:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no bill covers it: everything is an estimate"));
    case ObjectionKind::Difference:
        return objection.effective
            ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                    "the effective cost of the ledger minus that of the bills is %1, not 0"),
                  {amountOf(objection)})
            : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the ledger minus the bills is %1, not 0"),
                  {amountOf(objection)});
    case ObjectionKind::Unexplained:
        return objection.effective
            ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 of the bills' effective cost is unexplained"),
                  {amountOf(objection)})
            : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 of the bills is unexplained"), {amountOf(objection)});
    case ObjectionKind::EarlierOpen:
        return saidOfEarlier(objection);
    case ObjectionKind::NotFetched:
        return saidOfMissing(objection);
    case ObjectionKind::CountedTwice:
        return saidOfTwice(objection);
    }
    return {};
}

Phrase textOf(const SignOff &result)
{
    const reports::MonthStatus &status = result.status;
    const Term month = monthOf(status.month);
    switch (result.outcome) {
    case SignOff::Outcome::Done:
        return status.state == reports::MonthState::Closed
            ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is closed"), {month})
            : result.team
            ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the statement of %1 for %2 is marked as reviewed"),
                  {word(reports::teamName(*result.team)), month})
            : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is marked as reviewed"), {month});
    case SignOff::Outcome::AlreadyClosed:
        if (!status.at)
            return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is already closed; nothing was changed"),
                       {month});
        return status.by.empty()
            ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is already closed, since %2; nothing was changed"),
                  {month, timeOf(*status.at)})
            : say(
                QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is already closed, since %2 by %3; nothing was changed"),
                {month, timeOf(*status.at), word(status.by)});
    case SignOff::Outcome::FiguresChanged:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "the figures of %1 have changed since they were shown; nothing was changed"),
                   {month});
    case SignOff::Outcome::Refused:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 can't be signed off"), {month});
    }
    return {};
}

} // namespace gpuledger::ui
