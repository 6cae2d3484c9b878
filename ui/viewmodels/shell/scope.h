// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/base/time/timezone.h"
#include "app/insight/query/query.h"
#include "app/model/money/costview.h"

#include <QUrlQuery>

#include <optional>

namespace gpuledger::ui {

// A time range as the user chooses it. Relative ones end now, wherever the data end; Custom is fixed.
enum class Span { Day, Week, Month, Quarter, ThisMonth, LastMonth, All, Custom };

// The time range of all pages, as chosen.
struct TimeChoice {
    Span span = Span::Month;
    base::TimeRange custom; // for Span::Custom only

    // The range within askableRange(); "this month" and "last month" are calendar months, in the zone, relative to its
    // end. Empty if nothing can be queried or the choice is outside it.
    base::TimeRange resolve(base::TimeRange askable, const base::TimeZone &zone) const;
    friend bool operator==(const TimeChoice &, const TimeChoice &) = default;
};

// The scope of all pages: one time range, one filter and one view of cost. A value.
struct Scope {
    TimeChoice time;
    insight::Filter filter;
    model::CostView cost = model::CostView::Effective;

    // Readable keys, as in links: span=week&team=vision&not.cluster=dev&cost=list. Defaults are omitted.
    QUrlQuery toQuery() const;
    // std::nullopt if a key or value cannot be parsed.
    static std::optional<Scope> fromQuery(const QUrlQuery &query);
    friend bool operator==(const Scope &, const Scope &) = default;
};

} // namespace gpuledger::ui
