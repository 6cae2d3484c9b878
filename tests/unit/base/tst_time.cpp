// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/time/clock.h"
#include "app/base/time/time.h"
#include "app/base/time/timezone.h"
#include "tests/support/suite.h"

#include <QDate>
#include <QDateTime>
#include <QTest>
#include <QTimeZone>

#include <rapidcheck.h>

namespace tst_time {

using namespace gpuledger::base;

namespace {

UtcTime at(std::string_view text)
{
    return parseTime(text).value();
}

TimeZone zone(std::string_view name)
{
    return TimeZone::find(name).value();
}

std::int32_t localDayOf(std::string_view date)
{
    return dayOf(at(date)).number;
}

} // namespace

class TestTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsRfc3339_data();
    void readsRfc3339();
    void refusesBadTimes_data();
    void refusesBadTimes();
    void printedTimesAreReadBack();
    void readsDurations();
    void refusesBadDurations();
    void floorsBeforeTheEpoch();
    void rangesAreHalfOpen();
    void daysHaveTheirLength_data();
    void daysHaveTheirLength();
    void offsetsEqualThoseOfTheDatabase_data();
    void offsetsEqualThoseOfTheDatabase();
    void hourOfWeekIsLocal();
    void repeatedHourCountsTwice();
    void unknownZonesAreRefused();
};

void TestTime::readsRfc3339_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("unixTime");
    const auto row = [](const char *text, qint64 t) { QTest::newRow(text) << QByteArray(text) << t; };
    row("1970-01-01T00:00:00Z", 0);
    row("2026-11-01", 1793491200);
    row("2026-11-01T00:00:00Z", 1793491200);
    row("2026-11-01t00:00:00z", 1793491200);
    row("2026-11-01 00:00:00Z", 1793491200);
    row("2026-11-01T00:00Z", 1793491200);
    row("2026-11-01T01:00:00+01:00", 1793491200);
    row("2026-11-01T05:45:00+05:45", 1793491200);
    row("2026-10-31T20:30:00-03:30", 1793491200);
    row("2026-11-01T00:00:00.999999999Z", 1793491200);
    row("2026-10-31T23:59:60Z", 1793491200);
    row("2016-12-31T23:59:60Z", 1483228800);
    row("2024-02-29T12:00:00Z", 1709208000);
    row("1969-12-31T23:59:59.5Z", -1);
    row("0001-01-01", -62135596800);
    row("9999-12-31T23:59:59Z", 253402300799);
}

void TestTime::readsRfc3339()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, unixTime);
    const auto t = parseTime(text.toStdString());
    QVERIFY(t.has_value());
    QCOMPARE(qint64{toUnix(*t)}, unixTime);
}

void TestTime::refusesBadTimes_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"",
                             "2026",
                             "2026-11",
                             "2026-11-31",
                             "2026-02-29",
                             "2026-13-01",
                             "2026-00-01",
                             "2026-11-00",
                             "26-11-01",
                             "2026-11-01T",
                             "2026-11-01T00",
                             "2026-11-01T00:00",
                             "2026-11-01T00:00:00",
                             "2026-11-01T24:00:00Z",
                             "2026-11-01T00:60:00Z",
                             "2026-11-01T00:00:61Z",
                             "2026-11-01T00:00:00.Z",
                             "2026-11-01T00:00:00+1:00",
                             "2026-11-01T00:00:00+24:00",
                             "2026-11-01T00:00:00+01:60",
                             "2026-11-01T00:00:00ZZ",
                             "2026-11-01Z",
                             "2026-11-01T00:00:00 Z",
                             "+026-11-01",
                             "2026/11/01",
                             "01.11.2026",
                             "now",
                             "1793491200",
                             "2026-11-01T-1:00:00Z",
                             "0000-01-01T00:30:00+01:00", // in UTC before the year 0 and after 9999
                             "9999-12-31T23:30:00-01:00",
                             "9999-12-31T23:59:60Z"})
        QTest::newRow(text) << QByteArray(text);
    QTest::newRow("with a zero byte") << QByteArray("2026-11-01\0", 11);
}

void TestTime::refusesBadTimes()
{
    QFETCH(QByteArray, text);
    const auto t = parseTime(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    QVERIFY(!t.has_value());
    QVERIFY(t.error().code == ErrorCode::Parse);
}

void TestTime::printedTimesAreReadBack()
{
    QVERIFY(rc::check([] {
        const UtcTime t = fromUnix(*rc::gen::inRange<std::int64_t>(-62135596800, 253402300799));
        RC_ASSERT(parseTime(toRfc3339(t)).value() == t);
    }));
    QCOMPARE(toRfc3339(fromUnix(-1)), std::string("1969-12-31T23:59:59Z"));
}

void TestTime::readsDurations()
{
    QCOMPARE(parseDuration("0").value(), Seconds{0});
    QCOMPARE(parseDuration("30s").value(), Seconds{30});
    QCOMPARE(parseDuration("5m").value(), Seconds{300});
    QCOMPARE(parseDuration("1h30m").value(), Seconds{5400});
    QCOMPARE(parseDuration("90d").value(), Seconds{90 * 86400});
    QCOMPARE(parseDuration("2w").value(), Seconds{14 * 86400});
    QCOMPARE(parseDuration("0m").value(), Seconds{0});
}

void TestTime::refusesBadDurations()
{
    for (const char *text : {"", "5", "-5m", "m", "5x", "5 m", "1h30", "1.5h", "99999999999999999999s", "5M", "1h-5m"})
        QVERIFY(parseDuration(text).error().code == ErrorCode::Parse);
    std::string endless; // its sum would not fit into 64 bits
    for (int i = 0; i < 20'000; ++i)
        endless += "1000000000w";
    QVERIFY(parseDuration(endless).error().code == ErrorCode::Parse);
}

void TestTime::floorsBeforeTheEpoch()
{
    QCOMPARE(toUnix(floorTo(fromUnix(-1), kBucket)), std::int64_t{-300});
    QCOMPARE(toUnix(floorTo(fromUnix(-300), kBucket)), std::int64_t{-300});
    QCOMPARE(toUnix(ceilTo(fromUnix(-1), kBucket)), std::int64_t{0});
    QCOMPARE(toUnix(ceilTo(fromUnix(1), kBucket)), std::int64_t{300});
    QCOMPARE(dayOf(fromUnix(-1)).number, -1);
    QCOMPARE(FrozenClock(fromUnix(5)).now(), fromUnix(5));
}

void TestTime::rangesAreHalfOpen()
{
    const TimeRange a{fromUnix(0), fromUnix(10)}, b{fromUnix(10), fromUnix(20)};
    QVERIFY(a.contains(fromUnix(0)) && !a.contains(fromUnix(10)));
    QVERIFY(a.intersect(b).empty() && b.intersect(a).empty());
    QCOMPARE((TimeRange{fromUnix(5), fromUnix(1)}.length()), Seconds{0});
}

void TestTime::daysHaveTheirLength_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("date");
    QTest::addColumn<int>("minutes");
    const auto row = [](const char *name, const char *date, int minutes) {
        QTest::addRow("%s %s", name, date) << QByteArray(name) << QByteArray(date) << minutes;
    };
    row("UTC", "2026-03-29", 24 * 60);
    row("Europe/Berlin", "2026-03-29", 23 * 60);
    row("Europe/Berlin", "2026-03-30", 24 * 60);
    row("Europe/Berlin", "2026-10-25", 25 * 60);
    row("America/New_York", "2026-03-08", 23 * 60);
    row("America/New_York", "2026-11-01", 25 * 60);
    row("Asia/Kathmandu", "2026-11-01", 24 * 60);
    row("Australia/Lord_Howe", "2026-04-05", 24 * 60 + 30);
    row("Australia/Lord_Howe", "2026-10-04", 24 * 60 - 30);
    row("Europe/Berlin", "2050-03-27", 23 * 60); // after the end of the zone file's table: by its rule
    row("America/Havana", "2026-03-08", 23 * 60); // begins at 01:00, because midnight does not exist
}

void TestTime::daysHaveTheirLength()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, date);
    QFETCH(int, minutes);
    const TimeZone z = zone(name.toStdString());
    const std::int32_t day = localDayOf(date.toStdString());
    const UtcTime start = z.startOfLocalDay(day);
    QCOMPARE(z.localDay(start), day);
    QCOMPARE(z.localDay(start - Seconds{1}), day - 1);
    QCOMPARE((z.startOfLocalDay(day + 1) - start).count(), std::int64_t{minutes} * 60);
}

void TestTime::offsetsEqualThoseOfTheDatabase_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const char *name : {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe",
                             "America/St_Johns", "Africa/Casablanca", "Asia/Kolkata", "Pacific/Apia"})
        QTest::newRow(name) << QByteArray(name);
}

void TestTime::offsetsEqualThoseOfTheDatabase()
{
    QFETCH(QByteArray, name);
    const TimeZone z = zone(name.toStdString());
    const QTimeZone expected(name);
    // Every 37 hours and a bit for 8 years, so that every hour of the week occurs.
    for (std::int64_t t = toUnix(at("2022-01-01")); t < toUnix(at("2030-01-01")); t += 37 * 3600 + 613) {
        const QDateTime local = QDateTime::fromSecsSinceEpoch(t, expected);
        const UtcTime utc = fromUnix(t);
        QCOMPARE(z.offsetAt(utc).count(), std::int64_t{local.offsetFromUtc()});
        QCOMPARE(z.hourOfDay(utc), local.time().hour());
        QCOMPARE(z.hourOfWeek(utc), (local.date().dayOfWeek() - 1) * 24 + local.time().hour());
        QCOMPARE(qint64{z.localDay(utc)}, QDate(1970, 1, 1).daysTo(local.date()));
    }
}

void TestTime::hourOfWeekIsLocal()
{
    const UtcTime monday = at("2026-11-02T00:00:00Z");
    QCOMPARE(zone("UTC").hourOfWeek(monday), 0);
    QCOMPARE(zone("UTC").hourOfWeek(monday - Seconds{1}), 167);
    QCOMPARE(zone("Asia/Kathmandu").hourOfWeek(monday - Seconds{5 * 3600 + 45 * 60}), 0);
    QCOMPARE(zone("America/New_York").hourOfWeek(monday), 6 * 24 + 19);
}

void TestTime::repeatedHourCountsTwice()
{
    const TimeZone berlin = zone("Europe/Berlin");
    int hours[24] = {};
    for (UtcTime t = at("2026-10-24T22:00:00Z"); t < at("2026-10-25T23:00:00Z"); t += Seconds{3600})
        ++hours[berlin.hourOfDay(t)];
    QCOMPARE(hours[2], 2);
    QCOMPARE(hours[1], 1);
    const TimeZone same = berlin; // a copy shares the table
    QCOMPARE(same.name(), std::string("Europe/Berlin"));
}

void TestTime::unknownZonesAreRefused()
{
    for (const char *name : {"", "Mars/Olympus", "../../etc/passwd", "Europe/Berlin ", "\xFF"})
        QVERIFY2(!TimeZone::find(name), name);
    QVERIFY(TimeZone::find("Mars/Olympus").error().code == ErrorCode::NotFound);
    QCOMPARE(TimeZone().name(), std::string("UTC"));
}

GPULEDGER_PLAIN_SUITE(TestTime)

} // namespace tst_time

#include "tst_time.moc"
