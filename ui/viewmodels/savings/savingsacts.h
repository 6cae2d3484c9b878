// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/services/savings/proposalacts.h"
#include "ui/viewmodels/shell/latestquery.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <vector>

namespace gpuledger::ui {

// What can be asked of the program about one proposal, and what was done.
struct ActOffer {
    bool isShown = false; // false: there is nothing that could be stopped, whatever happens
    std::vector<insight::IdleItem> items; // empty: nothing can be stopped now
    bool canMark = false;
    QString whyNot; // if there are no items
    QString done; // what was stopped, and when; empty: nothing
    std::vector<std::int64_t> undoable; // actions
    bool isBusy = false; // a stop or an undo is running, so no other can start
};

// Which stops do something about a proposal now. GUI thread; queries on worker threads.
class SavingsActs : public QObject {
    Q_OBJECT
public:
    using Ask = std::function<base::Result<services::ActFacts>()>;

    // `tasks` and what `ask` refers to must outlive it. Without `ask` nothing is offered.
    SavingsActs(Ask ask, TaskRunner &tasks, QObject *parent = nullptr);

    bool isAsking() const { return m_asker.isAsking(); }
    void refresh();
    void setActive(bool active) { m_asker.setActive(active); }
    // Until the first answer, and after an error, nothing is offered; `proposal` may be null. Times in the zone.
    ActOffer offerFor(const savings::Proposal *proposal, const base::TimeZone &zone) const;

Q_SIGNALS:
    void changed();

private:
    const Ask m_ask;
    LatestQuery<services::ProposalActs> m_asker;
};

} // namespace gpuledger::ui
