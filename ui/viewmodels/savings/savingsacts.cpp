// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/savingsacts.h"

#include "app/actions/run/undo.h"
#include "ui/format/local/localtext.h"

#include <memory>
#include <utility>

namespace gpuledger::ui {

using services::NoAct;

namespace {

QString whyNotText(NoAct reason)
{
    switch (reason) {
    case NoAct::Stale:
        return SavingsActs::tr("The data end before now: sync first (F5).");
    case NoAct::NotIdle:
        return SavingsActs::tr("Nothing of it is idle now, and only what is idle is stopped.");
    case NoAct::Protected:
        return SavingsActs::tr("What is idle of it is protected.");
    case NoAct::Stopped:
        return SavingsActs::tr("It was stopped already.");
    case NoAct::None:
    case NoAct::NoWorkload:
    case NoAct::Report:
    case NoAct::NoPlatform:
        break;
    }
    return {};
}

} // namespace

SavingsActs::SavingsActs(Ask ask, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_ask(std::move(ask))
    , m_asker(tasks, this, [this] { Q_EMIT changed(); })
{
}

void SavingsActs::refresh()
{
    if (!m_ask)
        return;
    m_asker.ask([ask = m_ask](const std::stop_token &) -> LatestQuery<services::ProposalActs>::Answer {
        auto facts = ask();
        GPULEDGER_TRY(facts);
        return std::make_shared<const services::ProposalActs>(std::move(*facts));
    });
}

ActOffer SavingsActs::offerFor(const savings::Proposal *proposal, const base::TimeZone &zone) const
{
    ActOffer out;
    if (!proposal || !m_asker.snapshot() || m_asker.error())
        return out;
    services::ProposalAct act = m_asker.snapshot()->of(*proposal);
    out.whyNot = whyNotText(act.whyNot);
    out.isShown = !act.items.empty() || !out.whyNot.isEmpty();
    out.items = std::move(act.items);
    out.canMark = act.canMark;
    for (const model::ActionRecord &one : act.done) {
        if (actions::undoable(one).can)
            out.undoable.push_back(one.id);
    }
    if (!act.done.empty())
        out.done = tr("Stopped at %1", "time").arg(LocalText::dateTime(act.done.back().changedAt, zone));
    return out;
}

} // namespace gpuledger::ui
