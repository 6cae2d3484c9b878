// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/device/devicedetails.h"
#include "app/insight/device/extraseries.h"
#include "ui/viewmodels/device/extraserieslist.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/scope.h"

#include <QObject>
#include <QUrl>
#include <QUrlQuery>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace gpuledger::services {
class ConfigService;
class FleetService;
class SourceService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// The data of one device at one point in time; immutable.
struct DeviceSnapshot {
    base::TimeRange covered;
    std::optional<insight::DeviceDetails> details; // null: no such device
    std::vector<std::string> sources;
    std::string expressionSource; // the source that evaluates expressions for it; empty: none does
    base::TimeZone zone;
    base::Currency currency;
    base::UtcTime asked{};
    bool isFiltered = false; // time, cost and holders are restricted by a filter
    double threshold = 0; // activity below it is idle
    base::Seconds age() const { return std::max(base::Seconds{0}, asked - covered.end); }
};

// The answer to one expression, with the question it belongs to.
struct ExtraAnswer {
    insight::ExtraQuery query;
    insight::ExtraSeries series;
};

// State and commands of the device page: one device, and the expressions drawn beside its own lines. GUI thread;
// queries on worker threads and drops stale answers.
class DeviceViewModel : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    DeviceViewModel(const services::ConfigService &config, services::FleetService &fleet,
                    services::SourceService &sources, TaskRunner &tasks, ExtraSeriesList &list,
                    QObject *parent = nullptr);

    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const DeviceSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const;

    const Scope &scope() const { return m_scope; }
    void setScope(const Scope &scope);
    // The number of points that a line has room for; queries again only if another resolution fits better.
    void setPoints(int points);
    // The current device. If none was chosen: that of the most costly idle workload, otherwise the first one.
    QUrlQuery place() const { return m_place; }
    void restore(const QUrlQuery &place);
    void refresh();
    // A hidden page sends no queries.
    void setActive(bool active);

    // The Grafana address for this device and time; std::nullopt without a template.
    std::optional<QUrl> grafanaLink() const;

    // One expression of the list.
    struct Extra {
        QString expression;
        std::shared_ptr<const ExtraAnswer> answer; // for the device and range shown; null: not available (yet)
        std::optional<base::Error> error;
    };
    bool takesExpressions() const;
    std::vector<Extra> extras() const;
    // Evaluates the expression; if the server accepts it, it is added to the list, otherwise draftError() says why not.
    void tryExpression(const QString &expression);
    void forgetDraft();
    bool isDraftAsked() const { return m_draft && m_draft->asker->isAsking(); }
    const std::optional<base::Error> &draftError() const { return m_draftError; }
    void removeExpression(const QString &expression) { m_list.remove(expression); }

Q_SIGNALS:
    void changed(); // state or snapshot
    void placeChanged();
    void extrasChanged(); // the list changed, or an answer arrived
    void draftChanged(); // asked, accepted or rejected
    void draftTaken(); // it has been added to the list

private:
    struct Asked {
        QString expression;
        QObject context; // destroyed with this object, which drops its late answers
        std::unique_ptr<LatestQuery<ExtraAnswer>> asker;
    };

    void take();
    void takeDraft();
    void followList();
    void askExtras();
    void askExtra(Asked &extra);
    std::unique_ptr<Asked> makeExtra(const QString &expression, std::function<void()> answered);
    insight::ExtraQuery extraQuery(const QString &expression) const;
    bool isCurrent(const insight::ExtraQuery &query) const;

    const services::ConfigService &m_config;
    services::FleetService &m_fleet;
    services::SourceService &m_sources;
    TaskRunner m_servers; // separate, so that a slow server does not block other pages
    ExtraSeriesList &m_list;
    LatestQuery<DeviceSnapshot> m_asker;
    PageState m_state = PageState::Loading;
    Scope m_scope;
    QUrlQuery m_place;
    int m_points;
    bool m_active = true;
    std::vector<std::unique_ptr<Asked>> m_extras;
    std::unique_ptr<Asked> m_draft;
    std::optional<base::Error> m_draftError;
};

} // namespace gpuledger::ui
