// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/device/devicedetails.h"
#include "app/insight/device/extraseries.h"
#include "app/services/workspace/workspace.h"
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

namespace gpuledger::ui {

// One device at one moment; immutable.
struct DeviceSnapshot {
    base::TimeRange covered;
    std::optional<insight::DeviceDetails> details; // null: there is no such device
    std::vector<std::string> sources;
    std::string expressionSource; // answers expressions about it; empty: none does
    base::TimeZone zone;
    base::Currency currency;
    base::UtcTime asked{};
    bool isFiltered = false; // time, cost and holders are those that pass a filter
    double threshold = 0; // of activity, below it is idle
    base::Seconds age() const { return std::max(base::Seconds{0}, asked - covered.end); }
};

// What one expression gave, and for what.
struct ExtraAnswer {
    insight::ExtraQuery query;
    insight::ExtraSeries series;
};

// State and commands of the device page: one device, and the expressions that are drawn beside its own lines. GUI
// thread; asks the workspace on workers and drops late answers.
class DeviceViewModel : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    DeviceViewModel(services::Workspace &workspace, TaskRunner &tasks, ExtraSeriesList &list,
                    QObject *parent = nullptr);

    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const DeviceSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const;

    const Scope &scope() const { return m_scope; }
    void setScope(const Scope &scope);
    // As many points as a line has room for; asks again only where another resolution fits.
    void setPoints(int points);
    // Which device. Without one: that of the most costly idle workload, else the first there is.
    QUrlQuery place() const { return m_place; }
    void restore(const QUrlQuery &place);
    void refresh();
    // A hidden page asks nothing.
    void setActive(bool active);

    // The address of the same device and time in Grafana; nothing without a template.
    std::optional<QUrl> grafanaLink() const;

    // One expression of the list.
    struct Extra {
        QString expression;
        std::shared_ptr<const ExtraAnswer> answer; // of the device and range shown; null: not there (yet)
        std::optional<base::Error> error;
    };
    bool takesExpressions() const;
    std::vector<Extra> extras() const;
    // Asks for it; when the server takes it, it joins the list, else draftError() says why not.
    void tryExpression(const QString &expression);
    void forgetDraft();
    bool isDraftAsked() const { return m_draft && m_draft->asker->isAsking(); }
    const std::optional<base::Error> &draftError() const { return m_draftError; }
    void removeExpression(const QString &expression) { m_list.remove(expression); }

Q_SIGNALS:
    void changed(); // state or snapshot
    void placeChanged();
    void extrasChanged(); // list, or an answer came
    void draftChanged(); // asked, taken or refused
    void draftTaken(); // it is in the list now

private:
    struct Asked {
        QString expression;
        QObject context; // goes with it, and its late answers with that
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

    services::Workspace &m_workspace;
    TaskRunner m_servers; // a slow server keeps no other page waiting
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
