// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/reports/months/decisions.h"
#include "app/reports/months/statementdetail.h"
#include "app/services/billing/acceptedsavings.h"
#include "ui/viewmodels/shell/latestquery.h"

#include <QUrlQuery>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gpuledger::services {
class BillingService;
class ConfigService;
class SpendService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// Everything that the page shows at one point in time; immutable.
struct ShowbackSnapshot {
    std::vector<reports::MonthStatus> months; // those with data, newest first; empty: nothing was fetched yet
    insight::Month month;
    reports::MonthStatus status; // of the month, with the reasons against closing it
    reports::Statement statement; // of all teams
    reports::History history;
    insight::Reconciliation reconciliation;
    std::vector<reports::Decision> decisions; // of all meetings, in chronological order
    std::vector<services::AcceptedSaving> savings; // accepted, in chronological order
    std::optional<reports::ModelRate>
        commonest; // the GPU model with the most hours; std::nullopt: none has a known cost
    base::TimeZone zone;
    std::vector<std::string> sources;
};

// State and commands of the Showback page: a month, the view of its cost, and whose statement is shown. GUI thread.
class ShowbackViewModel : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    ShowbackViewModel(const services::ConfigService &config, services::SpendService &spend,
                      services::BillingService &billing, TaskRunner &tasks, QObject *parent = nullptr);

    // Computes the figures of a month for the page; call from a worker thread. Without a month: the last complete one
    // with data.
    [[nodiscard]] static LatestQuery<ShowbackSnapshot>::Answer
    ask(const services::ConfigService &config, services::SpendService &spend, services::BillingService &billing,
        std::optional<insight::Month> month, reports::CostView view, const std::stop_token &stop);

    PageState state() const { return m_state; }
    bool isAsking() const { return m_asker.isAsking(); }
    bool isSigning() const { return m_isSigning; } // review() or close() has not ended yet
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const ShowbackSnapshot> snapshot() const { return m_asker.snapshot(); }

    // std::nullopt: the last complete month with data.
    std::optional<insight::Month> month() const { return m_month; }
    reports::CostView view() const { return m_view; }
    // std::nullopt: all teams. A team without figures in the month is shown as having none.
    const std::optional<std::string> &team() const { return m_team; }
    void setMonth(const insight::Month &month);
    void setView(reports::CostView view); // a statement has no list prices: List counts as Effective
    void setTeam(const std::optional<std::string> &team);

    // review() signs off the statement of the team shown, or of the month. Both functions sign off the figures shown:
    // if these have changed meanwhile, nothing is done and signedOff() says so. They continue if the page is left.
    void review();
    void close(const QString &reason);
    // Records a decision of a meeting; continues if the page is left. decisionKept() reports the result.
    void decide(const reports::DecisionDraft &draft);
    void settle(std::int64_t decision, reports::DecisionState state);

    void refresh();
    void setActive(bool active) { m_asker.setActive(active); }
    QUrlQuery place() const;
    void restore(const QUrlQuery &place);

Q_SIGNALS:
    void changed();
    void teamChanged();
    void placeChanged(); // by a setter
    void signedOff(bool done, const QString &text); // the result of review() or close()
    void decisionKept(bool done, const QString &text); // the text: why not

private:
    void take();
    void askAgain();
    void showStatus(const reports::MonthStatus &status);
    using SignOff = base::Result<reports::SignOff>;
    void signOff(std::function<SignOff()> wish);
    void keep(std::function<base::Result<reports::Decision>()> wish);

    const services::ConfigService &m_config;
    services::SpendService &m_spend;
    services::BillingService &m_billing;
    TaskRunner &m_tasks;
    LatestQuery<ShowbackSnapshot> m_asker;
    PageState m_state = PageState::Loading;
    bool m_isSigning = false;
    std::optional<insight::Month> m_month;
    reports::CostView m_view = reports::CostView::Effective; // a team's consumption, whenever it was paid
    std::optional<std::string> m_team;
};

} // namespace gpuledger::ui
