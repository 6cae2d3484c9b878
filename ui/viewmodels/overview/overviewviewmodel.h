// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/idle/idle.h"
#include "app/insight/overview/overview.h"
#include "app/insight/spend/spend.h"
#include "ui/viewmodels/overview/overviewforecast.h"
#include "ui/viewmodels/overview/overviewsavings.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/scope.h"

namespace gpuledger::services {
class ConfigService;
class FleetService;
class SpendService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// Everything that the page shows at one point in time; immutable.
struct OverviewSnapshot {
    base::TimeRange covered;
    Span span = Span::Month;
    base::TimeZone zone;
    model::CostView cost = model::CostView::Effective;
    insight::Overview overview;
    // The ledger's spend for these UTC days, including all costs other than GPU time; null: there is no bill, a
    // filter is set, or another view of cost than the effective one. The overview's own cost is that of GPU time.
    std::shared_ptr<const insight::Spend> spend;
    // The same for the equal period before; null: no bill, or it is not comparable (Overview::comparison).
    std::shared_ptr<const insight::Spend> spendBefore;
    std::optional<insight::IdleList> idle; // now, or at the end of older data; null: not available
    std::vector<std::string> sources;
    base::UtcTime asked{};

    base::Seconds age() const { return asked - covered.end; }
};

// State and commands of the Overview page. GUI thread.
class OverviewViewModel : public QObject {
    Q_OBJECT
public:
    // All, and what `desk` refers to, must outlive it.
    OverviewViewModel(const services::ConfigService &config, services::FleetService &fleet,
                      services::SpendService &spend, SavingsDesk desk, TaskRunner &tasks, QObject *parent = nullptr);

    PageState state() const { return m_state; }
    bool isAsking() const { return m_asker.isAsking(); } // while true, the data shown may answer an older query
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const OverviewSnapshot> snapshot() const { return m_asker.snapshot(); }

    // What could be saved in the chosen time, whatever the filter. It is asked after the rest has been answered, which
    // does not wait for it. Null: not known yet, or it failed.
    std::shared_ptr<const OverviewSavings> savings() const;
    const std::optional<base::Error> &savingsError() const { return m_savings.error(); }
    bool isAskingSavings() const { return m_areSavingsDue || m_savings.isAsking(); }

    // What teams will have cost at the end of the current month, whatever the chosen time. Asked like the savings.
    // Without a desk there is none; set it before the first question.
    void setForecasts(ForecastDesk desk);
    std::shared_ptr<const OverviewForecast> forecast() const; // null: not known yet, or it failed
    bool isAskingForecast() const { return m_isForecastDue || m_forecast.isAsking(); }

    void setScope(const Scope &scope);
    const Scope &scope() const { return m_scope; }
    void refresh();
    void setActive(bool active);

    // The equal period before a range: for calendar months the previous month (the same number of days), otherwise the
    // same length immediately before. Empty for all time. The engine checks whether it was fetched.
    static base::TimeRange previous(Span span, base::TimeRange range, const base::TimeZone &zone);

Q_SIGNALS:
    void changed();
    void savingsChanged(); // they, or whether they are asked
    void forecastChanged();

private:
    void ask();
    void take();
    void askSavings();
    void askForecast();

    const services::ConfigService &m_config;
    services::FleetService &m_fleet;
    services::SpendService &m_spend;
    const SavingsDesk m_desk;
    LatestQuery<OverviewSnapshot> m_asker;
    LatestQuery<OverviewSavings> m_savings;
    LatestQuery<OverviewForecast> m_forecast;
    ForecastDesk m_forecastDesk;
    bool m_areSavingsDue = true; // to be asked with the next answer
    bool m_isForecastDue = false; // likewise
    PageState m_state = PageState::Loading;
    Scope m_scope;
};

} // namespace gpuledger::ui
