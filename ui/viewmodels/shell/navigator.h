// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/scope.h"

#include <QObject>
#include <QString>
#include <QUrl>
#include <QUrlQuery>

#include <optional>
#include <vector>

namespace gpuledger::ui {

// Where somebody is: the page, what it looks at, and the place inside of the page (drill-down, selection), whose keys
// belong to the page. A value; the same as a gpuledger:// link.
struct Place {
    QString page;
    Scope scope;
    QUrlQuery inner;

    QUrl toUrl() const;
    // Nothing when it is not such a link or can't be read.
    static std::optional<Place> fromUrl(const QUrl &url);
    friend bool operator==(const Place &, const Place &) = default;
};

// The way through pages, filters and drill-downs, back and forward like in a browser. One a window; GUI thread.
class Navigator : public QObject {
    Q_OBJECT
public:
    explicit Navigator(Place start, QObject *parent = nullptr);

    const Place &current() const { return m_places[m_at]; }
    const Scope &scope() const { return current().scope; }
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_places.size(); }

    // A step that can be taken back; what lay ahead is forgotten. The place where one already is makes no step.
    void go(const Place &place);
    void openPage(const QString &page, const QUrlQuery &inner = {});
    void setScope(const Scope &scope);
    void setInner(const QUrlQuery &inner);
    void back();
    void forward();

    static constexpr std::size_t kSteps = 200; // remembered; the oldest are forgotten

Q_SIGNALS:
    void moved(); // current() is another one

private:
    std::vector<Place> m_places;
    std::size_t m_at = 0;
};

} // namespace gpuledger::ui
