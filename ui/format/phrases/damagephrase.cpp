// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/phrases/damagephrase.h"

#include "app/base/text/text.h"

// Marks the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text

namespace gpuledger::ui {

namespace {

using phrases::word;

using Kind = Phrase::Term::Kind;
using Term = Phrase::Term;

constexpr std::size_t kMostMonths = 24;

Term number(std::int64_t count)
{
    return {Kind::Count, {}, static_cast<double>(count), {}};
}

Term monthsOf(const store::HeldRecords &held)
{
    std::string months;
    for (std::size_t i = 0; i < held.closedMonths.size() && i < kMostMonths; ++i)
        months += (i ? ", " : "") + base::printable(held.closedMonths[i]);
    if (held.closedMonths.size() > kMostMonths)
        months += ", …";
    return word(months.empty() ? "0" : months);
}

Term heldOf(const store::HeldRecords &held)
{
    const Phrase list{
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                          "closed months: %1; reviews: %2; entries of the log: %3; actions: %4; holds "
                          "and marks: %5"),
        nullptr,
        0,
        {monthsOf(held), number(held.reviews), number(held.auditEntries), number(held.actions), number(held.leases)}};
    return {Kind::Phrase, {}, 0, {list}};
}

const char *patternOf(const store::SetAside &damage)
{
    using Kept = store::SetAside::Outcome;
    if (damage.outcome == Kept::Corrected)
        return QT_TRANSLATE_NOOP(
            "gpuledger::ui::Phrase",
            "The cache was damaged. The damage was repaired and nothing is missing; the damaged file is kept as %1.");
    if (!damage.held)
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "The cache was damaged and is kept as %1. It can't be read: closed months, the log "
                                 "and actions that it held are missing here, and everything else has to be fetched "
                                 "again.");
    if (damage.outcome == Kept::Carried && damage.held->empty())
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "The cache was damaged and is kept as %1. It held nothing that people signed off or "
                                 "did; everything else has to be fetched again.");
    if (damage.outcome == Kept::Carried)
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "The cache was damaged and is kept as %1. What people signed off and did was carried "
                                 "over (%2); everything else has to be fetched again.");
    if (!damage.held->complete)
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "The cache was damaged and is kept as %1. What people signed off and did is missing "
                                 "here (as far as it can be read: %2), and everything else has to be fetched again.");
    return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                             "The cache was damaged and is kept as %1. What people signed off and did is missing here "
                             "(%2), and everything else has to be fetched again.");
}

} // namespace

Phrase textOf(const store::SetAside &damage)
{
    Phrase phrase{patternOf(damage), nullptr, 0, {word(base::printable(damage.name))}};
    if (damage.held)
        phrase.terms.push_back(heldOf(*damage.held));
    return phrase;
}

} // namespace gpuledger::ui
