// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-made weeks in zones whose clocks differ by parts of an hour, written down minute by minute from the wall clock.
#include "app/savings/schedule/schedule.h"
#include "app/savings/schedule/schedulerun.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <functional>
#include <numeric>

namespace tst_schedulezones {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kUsd = 1'000'000'000;

base::UtcTime at(const char *text)
{
    return base::parseTime(text).value();
}

base::TimeZone zone(const QString &name)
{
    return base::TimeZone::find(name.toStdString()).value();
}

struct Wall { // a reading of the clock on the wall
    int day = 0; // 0 = Monday
    int minute = 0; // of the day
};

Wall wallAt(const base::TimeZone &zone, base::UtcTime t)
{
    const std::int64_t local = zone.localSeconds(t);
    return {static_cast<int>((local / 86400 + 3) % 7), static_cast<int>(local % 86400 / 60)};
}

bool isOffOn(const Wall &wall) // nights and weekends
{
    return wall.day >= 5 || wall.minute < 7 * 60 || wall.minute >= 20 * 60;
}

// Weeks up to `until`, cut as the page cuts them.
SchedulePast pastUntil(const char *until, int weeks, const base::TimeZone &zone)
{
    SchedulePast past;
    past.zone = zone;
    const base::TimeRange range =
        scheduleRange({at(until) - base::Seconds{(weeks * 7 + 2) * 86400}, at(until)}, past.zone);
    past.start = range.start;
    past.hours = weeks * kScheduleWeekHours;
    past.currency = base::Currency::usd();
    past.groups.emplace_back();
    return past;
}

// Holds a GPU at 1 USD an hour all the time, and works in the minutes that `works` admits on the clock of `zone`.
void addWorkload(SchedulePast &past, const base::TimeZone &zone, const std::function<bool(const Wall &)> &works)
{
    ScheduleWorkload one;
    one.id = "schedule:prod/nb";
    one.target = "nb";
    one.owner = "research";
    const base::GpuTime whole = base::GpuTime::wholeDevice(base::Seconds{3600});
    for (std::int32_t h = 0; h < past.hours; ++h) {
        std::int64_t minutes = 0;
        for (int minute = 0; minute < 60; ++minute)
            minutes += works(wallAt(zone, past.start + base::Seconds{h * 3600 + minute * 60})) ? 1 : 0;
        one.hours.push_back({h, whole, {whole.ticks * minutes / 60}, {}, {}, kUsd});
        one.endings.push_back({h, 0, kUsd, kUsd - kUsd * minutes / 60, whole});
    }
    past.workloads.push_back(std::move(one));
}

std::int64_t offMinutes(const SchedulePast &past, const base::TimeZone &zone)
{
    std::int64_t minutes = 0;
    for (std::int64_t minute = 0; minute < std::int64_t{past.hours} * 60; ++minute)
        minutes += isOffOn(wallAt(zone, past.start + base::Seconds{minute * 60})) ? 1 : 0;
    return minutes;
}

ScheduleFate fateOf(const SchedulePast &past, base::Seconds delay = base::Seconds{0})
{
    ScheduleRules rules;
    rules.policies = {schedulePolicies()[2]};
    rules.scaleDownDelay = delay;
    return scheduleFates(past, rules, {}, 0).value().at(0);
}

} // namespace

class TestScheduleZones : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // `company` is the zone of the configuration, whose full hours the hours of the past are; `team` has its own clock.
    void zones_data()
    {
        QTest::addColumn<QString>("company");
        QTest::addColumn<QString>("team");
        QTest::addColumn<QByteArray>("until");
        const auto add = [](const char *name, const char *company, const char *team, const char *until) {
            QTest::newRow(name) << company << team << QByteArray(until);
        };
        add("India", "Asia/Kolkata", "Asia/Kolkata", "2026-11-02T00:00:00Z");
        add("India, of a company in Berlin", "Europe/Berlin", "Asia/Kolkata", "2026-11-02T00:00:00Z");
        add("Berlin, of a company in India", "Asia/Kolkata", "Europe/Berlin", "2026-11-02T00:00:00Z");
        add("Nepal, of a company in New York", "America/New_York", "Asia/Kathmandu", "2026-11-09T00:00:00Z");
        add("Lord Howe, spring", "Australia/Lord_Howe", "Australia/Lord_Howe", "2026-10-11T14:00:00Z");
        add("Lord Howe, autumn", "Australia/Lord_Howe", "Australia/Lord_Howe", "2026-04-12T14:00:00Z");
        add("Lord Howe, of a company without a zone", "UTC", "Australia/Lord_Howe", "2026-10-11T14:00:00Z");
    }

    // What never works saves exactly the minutes that are off on the wall.
    void allOffMinutesAreSaved_data() { zones_data(); }
    void allOffMinutesAreSaved()
    {
        QFETCH(QString, company);
        QFETCH(QString, team);
        QFETCH(QByteArray, until);
        SchedulePast past = pastUntil(until.constData(), 3, zone(company));
        past.calendars["research"].zone = zone(team);
        addWorkload(past, zone(team), [](const Wall &) { return false; });
        const ScheduleFate fate = fateOf(past);
        const std::int64_t minutes = offMinutes(past, zone(team));
        QCOMPARE(static_cast<std::int64_t>(fate.saved), minutes * kUsd / 60);
        QCOMPARE(static_cast<std::int64_t>(fate.count.cost), minutes * kUsd / 60);
        QCOMPARE(fate.count.held, (minutes + 59) / 60);
        QCOMPARE(fate.count.cut, std::int64_t{0});
        QVERIFY(fate.limit == ScheduleLimit::None);
        QCOMPARE(std::accumulate(fate.off.begin(), fate.off.end(), std::int64_t{0}), minutes / 15);
        // Each of the 15 times that begin in the weeks, and one before them, costs the delay; it may last longer than
        // the part of its first hour that is off.
        const auto delayed = static_cast<std::int64_t>(fateOf(past, base::Seconds{2400}).saved);
        const std::int64_t lost = minutes * kUsd / 60 - delayed;
        QVERIFY(lost >= 15 * (kUsd * 2 / 3) && lost <= 16 * (kUsd * 2 / 3) + 16);
    }

    // Work from 07:00 to 20:00 on the wall is never cut, also on the day of the change; no minute is claimed in which
    // it worked.
    void workInItsHoursIsNotCut_data() { zones_data(); }
    void workInItsHoursIsNotCut()
    {
        QFETCH(QString, company);
        QFETCH(QString, team);
        QFETCH(QByteArray, until);
        SchedulePast past = pastUntil(until.constData(), 3, zone(company));
        past.calendars["research"].zone = zone(team);
        addWorkload(past, zone(team), [](const Wall &wall) { return !isOffOn(wall); });
        const ScheduleFate fate = fateOf(past);
        QCOMPARE(fate.count.cut, std::int64_t{0});
        QCOMPARE(fate.count.cutTime.ticks, std::int64_t{0});
        QVERIFY(fate.limit == ScheduleLimit::None);
        const std::int64_t minutes = offMinutes(past, zone(team));
        QVERIFY(fate.saved <= minutes * kUsd / 60);
        QVERIFY(fate.saved >= (minutes - 15 * 2 * 45) * kUsd / 60); // but for the hours that are off in part
    }

    // Work from 06:00 to 08:00 is cut for an hour a day, whatever part of an hour the zones differ by.
    void workBeforeItsHoursIsCut_data() { zones_data(); }
    void workBeforeItsHoursIsCut()
    {
        QFETCH(QString, company);
        QFETCH(QString, team);
        QFETCH(QByteArray, until);
        SchedulePast past = pastUntil(until.constData(), 3, zone(company));
        past.calendars["research"].zone = zone(team);
        addWorkload(past, zone(team),
                    [](const Wall &wall) { return wall.day < 5 && wall.minute >= 6 * 60 && wall.minute < 8 * 60; });
        const ScheduleFate fate = fateOf(past);
        QCOMPARE(fate.count.cutTime.ticks, 15 * base::GpuTime::wholeDevice(base::Seconds{3600}).ticks);
        QVERIFY(fate.count.cut >= 15);
    }
};

GPULEDGER_PLAIN_SUITE(TestScheduleZones)

} // namespace tst_schedulezones

#include "tst_schedulezones.moc"
