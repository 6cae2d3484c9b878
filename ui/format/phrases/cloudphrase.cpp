// SPDX-License-Identifier: GPL-3.0-or-later
// Phrases for what a connection test found out about bills, allocations, prices, machines, their use, and plans.
#include "ui/format/phrases/phrase.h"

// Mark the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text

namespace gpuledger::ui {

namespace {

using ports::FindingText;

const char *cloudPattern(const ports::Finding &finding)
{
    switch (finding.text) {
    case FindingText::PlatformAnswers:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 responds and accepts the credentials");
    case FindingText::RightGiven:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "may %1");
    case FindingText::RightMissing:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "may not %1");
    case FindingText::BillVersion:
        return finding.terms.empty()
            ? QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "an AWS Cost and Usage Report, by its columns")
            : QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "FOCUS version %1, by its columns");
    case FindingText::CostsRefused:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "may not %1: nothing of the bill is shown until it is allowed; the handbook has the "
                                 "policy, and in a member account the management account must also allow it");
    case FindingText::PricesWithheld:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "may not %1: prices (%2) are not compared until it is allowed");
    case FindingText::PricesUnread:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "prices can't be read: %1");
    case FindingText::ReadsOnly:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the configuration does not allow stopping anything here");
    case FindingText::RightsPerMachine:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "machines can be read; permission to stop one is checked when it is selected");
    case FindingText::MachinesWithheld:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "may not %1: machines without telemetry are not seen until it is allowed");
    case FindingText::MachinesUnread:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "machines can't be listed: %1");
    case FindingText::UsageWithheld:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "may not %1: what machines without telemetry do stays unknown until it is allowed");
    case FindingText::NoUsageMetrics:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "no machine reports %1: what they do is unknown where %2 does not run");
    case FindingText::RunsUnread:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "machines count only from the last operation on each, because the activity log can't "
                                 "be read: %1");
    case FindingText::OwnersUnread:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "owners of %1 can't be read: %2");
    case FindingText::StopsUnready:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "nothing can be stopped: %1");
    case FindingText::NodesCounted:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "nodes that run now: %1; instance types: %2");
    case FindingText::NoNodesCounted:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "%1 has no samples now: no node runs, or the account may not read it");
    case FindingText::TypesWithoutPrice:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "the rate card has no price today for %1: what such nodes cost stays unknown");
    case FindingText::NoAllocatorGpuMetrics:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "%1 has no GPU metrics: it knows what GPUs cost, not what was done with them");
    case FindingText::NoAllocatedPods:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it assigns no GPU cost to any pod");
    case FindingText::AllocatorCurrency:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "its amounts are read as %1, because its responses contain no currency; set "
                                 "`currency` of the source for another one");
    case FindingText::ClaimsFound:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "claimed savings: %1; tools: %2");
    case FindingText::PlansFound:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "files with plans: %1; groups of planned machines: %2");
    case FindingText::BudgetsFound:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "budgets at the provider: %1");
    case FindingText::BudgetsUnread:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the provider's budgets can't be read: %1");
    case FindingText::CommitmentsFound:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "commitments at the provider: %1");
    case FindingText::CommitmentsUnread:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the provider's commitments can't be read: %1");
    default: // FindingText::PaidRequests: textOf() keeps the others
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "the provider charges for requests: %1 for this test, at least %2 for the "
                                 "first sync, %3 for each later one that asks again, and about %4 a month");
    }
}

} // namespace

Phrase cloudTextOf(const ports::Finding &finding)
{
    using Kind = Phrase::Term::Kind;
    Phrase out{cloudPattern(finding), nullptr, 0, {}};
    for (const ports::FindingTerm &term : finding.terms) {
        if (const auto *text = std::get_if<std::string>(&term))
            out.terms.push_back({Kind::Text, *text, 0, {}});
        else
            out.terms.push_back({Kind::Count, {}, static_cast<double>(std::get<std::uint64_t>(term)), {}});
    }
    return out;
}

} // namespace gpuledger::ui
