// SPDX-License-Identifier: GPL-3.0-or-later
// Known events: which UTC days they touch, for whom, and in later years.
#include "app/alerts/anomaly/events.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_events {

using namespace gpuledger;
using alerts::EventCalendar;

namespace {

base::Day eventDay(const char *text)
{
    return base::dayOf(base::parseTime(text).value());
}

model::KnownEvent eventOf(const char *from, const char *to)
{
    return {"GPU week", eventDay(from).number, eventDay(to).number, {}, false};
}

// The days of December 2026 and January 2027 that are within it, counted from 1 December.
std::vector<int> daysOf(const EventCalendar &calendar, const std::optional<std::string> &team = {})
{
    std::vector<int> out;
    const base::Day first = eventDay("2026-12-01");
    for (int i = 0; i < 62; ++i) {
        if (calendar.on(base::Day{first.number + i}, team))
            out.push_back(i + 1);
    }
    return out;
}

} // namespace

class EventsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothEndsBelongToIt()
    {
        const EventCalendar calendar({eventOf("2026-12-07", "2026-12-09")}, {});
        QCOMPARE(daysOf(calendar), (std::vector<int>{7, 8, 9}));
        QCOMPARE(calendar.on(eventDay("2026-12-08"), {})->name, std::string("GPU week"));
        QVERIFY(daysOf(EventCalendar()).empty());
    }

    void aDayOfAnotherZoneTouchesTwo()
    {
        const auto zone = base::TimeZone::find("Asia/Tokyo");
        QVERIFY(zone);
        const EventCalendar calendar({eventOf("2026-12-08", "2026-12-08")}, *zone);
        QCOMPARE(daysOf(calendar), (std::vector<int>{7, 8}));
    }

    void anEventOfATeamIsItsOwn()
    {
        model::KnownEvent event = eventOf("2026-12-07", "2026-12-07");
        event.teams = {"research", "vision"};
        const EventCalendar calendar({event}, {});
        QCOMPARE(daysOf(calendar, "vision"), std::vector<int>{7});
        QVERIFY(daysOf(calendar, "speech").empty());
        QVERIFY(daysOf(calendar).empty()); // everything together has no event
        const EventCalendar all({event, eventOf("2026-12-08", "2026-12-08")}, {});
        QCOMPARE(daysOf(all, "vision"), (std::vector<int>{7, 8}));
        QCOMPARE(daysOf(all), std::vector<int>{8});
    }

    void aYearlyOneComesAgainAndNotBefore()
    {
        model::KnownEvent event = eventOf("2025-12-30", "2026-01-02");
        QVERIFY(daysOf(EventCalendar({event}, {})).empty());
        event.yearly = true;
        QCOMPARE(daysOf(EventCalendar({event}, {})), (std::vector<int>{30, 31, 32, 33}));
        model::KnownEvent later = eventOf("2027-12-30", "2027-12-31");
        later.yearly = true;
        QVERIFY(daysOf(EventCalendar({later}, {})).empty());
        model::KnownEvent leap = eventOf("2024-02-29", "2024-02-29");
        leap.yearly = true;
        const EventCalendar calendar({leap}, {});
        QVERIFY(calendar.on(eventDay("2027-02-28"), {}));
        QVERIFY(!calendar.on(eventDay("2027-03-01"), {}));
        QVERIFY(calendar.on(eventDay("2028-02-29"), {}));
        QVERIFY(!calendar.on(eventDay("2028-02-28"), {}));
    }
};

GPULEDGER_SUITE(EventsTest)

} // namespace tst_events

#include "tst_events.moc"
