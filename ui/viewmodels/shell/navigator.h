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

// A location in the program: the page, its scope, and the place inside the page (drill-down, selection), whose keys
// belong to the page. A value; equivalent to a gpuledger:// link.
struct Place {
    QString page;
    Scope scope;
    QUrlQuery inner;

    QUrl toUrl() const;
    // std::nullopt if it is not such a link or cannot be parsed.
    static std::optional<Place> fromUrl(const QUrl &url);
    friend bool operator==(const Place &, const Place &) = default;
};

// The history of pages, filters and drill-downs, with back and forward like in a browser. One per window; GUI thread.
class Navigator : public QObject {
    Q_OBJECT
public:
    explicit Navigator(Place start, QObject *parent = nullptr);

    const Place &current() const { return m_places[m_at]; }
    const Scope &scope() const { return current().scope; }
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_places.size(); }

    // Adds a step that can be undone; the forward history is discarded. Going to the current place adds no step.
    void go(const Place &place);
    void openPage(const QString &page, const QUrlQuery &inner = {});
    void setScope(const Scope &scope);
    void setInner(const QUrlQuery &inner);
    void back();
    void forward();

    static constexpr std::size_t kSteps = 200; // kept; the oldest are dropped

Q_SIGNALS:
    void moved(); // current() has changed

private:
    std::vector<Place> m_places;
    std::size_t m_at = 0;
};

} // namespace gpuledger::ui
