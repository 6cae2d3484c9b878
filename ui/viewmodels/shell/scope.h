// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/base/timezone.h"
#include "app/insight/query/query.h"

#include <QUrlQuery>

#include <optional>

namespace gpuledger::ui {

// A stretch of time as people choose it. Relative ones end now, wherever the data end; Custom stays where it is.
enum class Span { Day, Week, Month, Quarter, ThisMonth, LastMonth, All, Custom };

struct TimeChoice {
    Span span = Span::Month;
    base::TimeRange custom; // of Span::Custom only

    // The range within what can be asked for (askableRange()); "this month" and "last month" are the calendar months of
    // the zone at its end. Empty when nothing can be asked for or the choice lies outside of it.
    base::TimeRange resolve(base::TimeRange askable, const base::TimeZone &zone) const;
    friend bool operator==(const TimeChoice &, const TimeChoice &) = default;
};

// What every page looks at: one time range and one filter for all of them. A value.
struct Scope {
    TimeChoice time;
    insight::Filter filter;

    // Readable keys, as in links: span=week&team=vision&not.cluster=dev. What is not said keeps its default.
    QUrlQuery toQuery() const;
    // Nothing when a key or value can't be read.
    static std::optional<Scope> fromQuery(const QUrlQuery &query);
    friend bool operator==(const Scope &, const Scope &) = default;
};

} // namespace gpuledger::ui
