// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/shell/scope.h"

#include <QUrl>

#include <array>
#include <chrono>

namespace gpuledger::ui {

namespace {

constexpr std::array<std::pair<Span, const char *>, 8> kSpans{{{Span::Day, "day"},
                                                               {Span::Week, "week"},
                                                               {Span::Month, "month"},
                                                               {Span::Quarter, "quarter"},
                                                               {Span::ThisMonth, "this-month"},
                                                               {Span::LastMonth, "last-month"},
                                                               {Span::All, "all"},
                                                               {Span::Custom, "custom"}}};
constexpr QLatin1String kNot("not."), kCost("cost");

base::TimeRange last(base::Seconds length, base::TimeRange askable)
{
    return base::TimeRange{askable.end - length, askable.end}.intersect(askable);
}

// The calendar month that is `back` months before the one at the end.
base::TimeRange month(int back, base::TimeRange askable, const base::TimeZone &zone)
{
    using namespace std::chrono;
    const sys_days day{days{zone.localDay(askable.end - base::Seconds{1})}};
    const year_month_day date{day};
    const year_month first = year_month{date.year(), date.month()} - months{back};
    const auto start = [&](year_month m) {
        return zone.startOfLocalDay(static_cast<std::int32_t>(sys_days{m / 1}.time_since_epoch().count()));
    };
    return base::TimeRange{start(first), start(first + months{1})}.intersect(askable);
}

// Values may contain any character, so they are encoded before they are passed to QUrlQuery.
void add(QUrlQuery &query, const QString &key, const std::string &value)
{
    query.addQueryItem(key, QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(value))));
}

void add(QUrlQuery &query, QLatin1String prefix,
         const std::map<insight::Dimension, std::vector<std::string>> &dimensions)
{
    for (const auto &[dimension, values] : dimensions) {
        const QString name = QString::fromStdString(insight::toString(dimension));
        const QString key = QString::fromLatin1(QUrl::toPercentEncoding(prefix + name, QByteArrayLiteral(":")));
        for (const std::string &value : values)
            add(query, key, value);
    }
}

std::optional<base::UtcTime> timeOf(const QUrlQuery &query, const QString &key)
{
    const auto time = base::parseTime(query.queryItemValue(key, QUrl::FullyDecoded).toStdString());
    return time ? std::optional(*time) : std::nullopt;
}

bool readTime(const QUrlQuery &query, const QString &value, TimeChoice &choice)
{
    for (const auto &[span, name] : kSpans) {
        if (value == QLatin1String(name))
            choice.span = span;
        else
            continue;
        if (span != Span::Custom)
            return true;
        const auto from = timeOf(query, QStringLiteral("from")), to = timeOf(query, QStringLiteral("to"));
        if (!from || !to || *to <= *from)
            return false;
        choice.custom = {*from, *to};
        return true;
    }
    return false;
}

} // namespace

base::TimeRange TimeChoice::resolve(base::TimeRange askable, const base::TimeZone &zone) const
{
    switch (span) {
    case Span::Day:
        return last(base::kDay, askable);
    case Span::Week:
        return last(7 * base::kDay, askable);
    case Span::Month:
        return last(30 * base::kDay, askable);
    case Span::Quarter:
        return last(90 * base::kDay, askable);
    case Span::ThisMonth:
        return month(0, askable, zone);
    case Span::LastMonth:
        return month(1, askable, zone);
    case Span::All:
        return askable;
    case Span::Custom:
        return custom.intersect(askable);
    }
    return askable;
}

QUrlQuery Scope::toQuery() const
{
    QUrlQuery query;
    for (const auto &[span, name] : kSpans) {
        if (span == time.span)
            query.addQueryItem(QStringLiteral("span"), QLatin1String(name));
    }
    if (time.span == Span::Custom) {
        add(query, QStringLiteral("from"), base::toRfc3339(time.custom.start));
        add(query, QStringLiteral("to"), base::toRfc3339(time.custom.end));
    }
    add(query, QLatin1String(), filter.include);
    add(query, kNot, filter.exclude);
    if (cost != model::CostView::Effective)
        add(query, kCost, std::string(model::toString(cost)));
    return query;
}

std::optional<Scope> Scope::fromQuery(const QUrlQuery &query)
{
    Scope scope;
    bool hasSpan = false, hasCost = false;
    for (const auto &[key, value] : query.queryItems(QUrl::FullyDecoded)) {
        if (key == QLatin1String("from") || key == QLatin1String("to"))
            continue;
        if (key == QLatin1String("span")) {
            // Two spans contradict each other, so the query is rejected.
            if (hasSpan || !readTime(query, value, scope.time))
                return std::nullopt;
            hasSpan = true;
            continue;
        }
        if (key == kCost) {
            const auto view = model::costViewFromString(value.toStdString());
            if (hasCost || !view)
                return std::nullopt;
            scope.cost = *view;
            hasCost = true;
            continue;
        }
        const bool no = key.startsWith(kNot);
        const auto dimension = insight::dimensionFromString((no ? key.mid(kNot.size()) : key).toStdString());
        if (!dimension)
            return std::nullopt;
        (no ? scope.filter.exclude : scope.filter.include)[*dimension].push_back(value.toStdString());
    }
    return scope;
}

} // namespace gpuledger::ui
