// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/device/devicedetails.h"
#include "app/insight/overview/summary.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <random>

namespace tst_devicedetails {

using namespace gpuledger;
using insight::DeviceDetails;
using insight::DeviceQuery;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kStep = 300;

struct Fleet : Scenario {
    std::uint32_t machine;
    Fleet()
        : Scenario(3)
        , machine(Scenario::node("n1"))
    {
    }

    model::UsageBucket &bucketOf(std::uint32_t device, std::uint32_t subject, std::int64_t bucket, double percent,
                                 const std::string &instance = {}, model::SeriesRole role = model::SeriesRole::Slice)
    {
        reports(device, subject, machine, bucket * kStep, (bucket + 1) * kStep, percent, instance, role);
        return std::find_if(batch.series.begin(), batch.series.end(),
                            [&](const ports::FactBatch::Series &s) {
                                return s.device == device && s.subject == subject && s.gpuInstance == instance
                                    && s.role == role;
                            })
            ->buckets.back();
    }

    base::Result<DeviceDetails> ask(const DeviceQuery &query,
                                    const model::Settings &settings = tests::pricedSettings()) const
    {
        const auto ledger = ledger::Ledger::create(settings).value();
        MemoryFacts facts;
        facts.add(batch);
        const auto reader = ledger->attribution(facts);
        return insight::deviceDetails(facts, *reader, query);
    }
    DeviceQuery query(const std::string &device, std::int64_t from, std::int64_t to, int points = 5000) const
    {
        return {device, {}, {{at(from), at(to)}, {}}, points};
    }
};

bool near(const std::optional<double> &a, const std::optional<double> &b)
{
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) < 1e-3 * std::max(1.0, std::abs(*b)));
}

} // namespace

class TestDeviceDetails : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // One device with gaps of all kinds, compared with a naive computation from the input, at two resolutions.
    void linesAgreeWithANaiveOracle()
    {
        std::mt19937 random(20261121);
        const auto chance = [&](int percent) { return static_cast<int>(random() % 100) < percent; };
        Fleet f;
        const auto device = f.device("GPU-1");
        f.runs(f.pod("a", "uid-a", "n1"), 0, 3 * kDay);
        const auto label = f.label("a");
        struct Reading {
            std::optional<double> activity, memory, power;
        };
        std::vector<Reading> truth(3 * base::kBucketsPerDay);
        for (std::int64_t b = 0; b < 3 * base::kBucketsPerDay; ++b) {
            if (b % 50 > 40 || chance(5))
                continue; // no data
            Reading &r = truth[static_cast<std::size_t>(b)];
            if (!chance(15))
                r.activity = static_cast<double>(random() % 100) / 100;
            model::UsageBucket &bucket = f.bucketOf(device, label, b, r.activity ? *r.activity * 100 : -1);
            if (!chance(15))
                r.memory = bucket.memoryMeanMib = bucket.memoryMaxMib = random() % 40000;
            if (!chance(15)) {
                bucket.powerDeciwatt = static_cast<std::uint16_t>(random() % 4000);
                r.power = bucket.powerDeciwatt / 10.0;
            }
        }
        const std::int64_t from = 5 * kHour, to = 2 * kDay + 5 * kHour;
        for (const int points : {5000, 100}) {
            const DeviceDetails got = f.ask(f.query("GPU-1", from, to, points)).value();
            const auto &lines = got.lines;
            const std::int64_t step = points == 5000 ? kStep : 1800;
            QCOMPARE(lines.step.count(), step);
            QVERIFY(lines.first == f.at(from));
            QCOMPARE(lines.count, static_cast<std::size_t>((to - from) / step));
            QCOMPARE(lines.units.size(), std::size_t{1});
            int gaps = 0, known = 0;
            for (std::size_t i = 0; i < lines.count; ++i) {
                const auto mean = [&](std::optional<double> Reading::*member) {
                    double sum = 0;
                    int count = 0;
                    const auto first = (from + static_cast<std::int64_t>(i) * step) / kStep;
                    for (std::int64_t b = first; b < first + step / kStep; ++b) {
                        if (const auto &value = truth[static_cast<std::size_t>(b)].*member) {
                            sum += *value;
                            ++count;
                        }
                    }
                    return count > 0 ? std::optional(sum / count) : std::nullopt;
                };
                QVERIFY(near(lines.units[0].activity[i], mean(&Reading::activity)));
                QVERIFY(near(lines.units[0].memoryMib[i], mean(&Reading::memory)));
                QVERIFY(near(lines.powerW[i], mean(&Reading::power)));
                (lines.units[0].activity[i] ? known : gaps) += 1;
            }
            QVERIFY(gaps > 5 && known > 20); // both cases occurred
        }
    }

    void figuresAreThoseOfTheOtherPages()
    {
        Fleet f;
        const auto device = f.device("GPU-1"), other = f.device("GPU-2", 1);
        f.runs(f.pod("a", "uid-a", "n1", 2), 0, kDay);
        const auto label = f.label("a");
        f.reports(device, label, f.machine, 0, 6 * kHour, 80);
        f.reports(device, label, f.machine, 6 * kHour, 10 * kHour, 1);
        f.reports(other, label, f.machine, 0, kDay, 50);
        f.reports(device, Scenario::kNone, f.machine, kDay, kDay + 3 * kHour, 0);
        const DeviceDetails got = f.ask(f.query("GPU-1", 0, 2 * kDay)).value();
        const auto time = got.sums.time();
        QCOMPARE(time.active.hours(), 6.0);
        QCOMPARE(time.idle.hours(), 4.0);
        QCOMPARE(time.unobservedHeld.hours(), 14.0);
        QCOMPARE(time.unallocated.hours(), 3.0);
        QCOMPARE(time.paid().hours(), 48.0);
        QCOMPARE(got.sums.cost().total(), std::int64_t{172'800'000'000}); // 48 h at 3.6
        QVERIFY(got.priced && !got.severalPrices);
        QCOMPARE(got.rate.nanosPerHour(), std::int64_t{3'600'000'000});
        QVERIFY(got.priceSource.find("override") != std::string::npos);
        QVERIFY(got.node && got.node->name == "n1");
    }

    void tellsWhoHeldItAndWhen()
    {
        Fleet f;
        const auto device = f.device("GPU-1");
        f.runs(f.pod("old", "uid-old", "n1"), 0, 20 * kHour);
        f.runs(f.pod("new", "uid-new", "n1"), 22 * kHour, 3 * kDay);
        f.reports(device, f.label("old"), f.machine, 0, 20 * kHour, 90);
        f.reports(device, f.label("new"), f.machine, 22 * kHour, 3 * kDay, 1);
        const DeviceDetails got = f.ask(f.query("GPU-1", 12 * kHour, 2 * kDay)).value();
        QCOMPARE(got.stays.size(), std::size_t{2});
        const insight::DeviceStay &now = got.stays[0], &before = got.stays[1];
        QCOMPARE(now.workload, std::string("ml/Pod/new"));
        QVERIFY(now.range == (base::TimeRange{f.at(22 * kHour), f.at(2 * kDay)}));
        QVERIFY(now.endedLater && !now.beganBefore);
        QCOMPARE(now.idle.hours(), 26.0);
        QVERIFY(before.range == (base::TimeRange{f.at(12 * kHour), f.at(20 * kHour)}));
        QVERIFY(before.beganBefore && !before.endedLater);
        QCOMPARE(before.held.hours(), 8.0);
        QCOMPARE(before.idle.hours(), 0.0);
        QCOMPARE(before.costNanos, std::int64_t{28'800'000'000});
        std::int64_t held = 0;
        for (const auto &stay : got.stays)
            held += stay.held.ticks;
        QCOMPARE(held, got.sums.time().held().ticks); // every held second belongs to a holder
    }

    void aPauseMakesTwoStays()
    {
        Fleet f;
        const auto device = f.device("GPU-1");
        const auto pod = f.pod("a", "uid-a", "n1");
        f.runs(pod, 0, 2 * kHour);
        f.runs(pod, 4 * kHour, 6 * kHour);
        f.reports(device, f.label("a"), f.machine, 0, 2 * kHour, 50);
        f.reports(device, Scenario::kNone, f.machine, 2 * kHour, 4 * kHour, 0);
        f.reports(device, f.label("a"), f.machine, 4 * kHour, 6 * kHour, 50);
        const DeviceDetails got = f.ask(f.query("GPU-1", 0, 8 * kHour)).value();
        QCOMPARE(got.stays.size(), std::size_t{2});
        QVERIFY(got.stays[0].id != got.stays[1].id);
    }

    // Each slice has a line; power is the device's, no matter which slice reports it.
    void slicesHaveLinesOfTheirOwn()
    {
        Fleet f;
        const auto device = f.device("GPU-1");
        f.slice(device, "1", {3, 7});
        f.slice(device, "2", {4, 7});
        f.runs(f.pod("a", "uid-a", "n1", 1, "nvidia_com_mig_3g_20gb"), 0, kDay);
        const auto label = f.label("a");
        for (std::int64_t b = 0; b < 12; ++b) {
            f.bucketOf(device, label, b, 60, "1").powerDeciwatt = 2000;
            f.bucketOf(device, Scenario::kNone, b, 20, "2").powerDeciwatt = 2010;
        }
        const DeviceDetails got = f.ask(f.query("GPU-1:2", 0, kHour)).value(); // queried by its slice
        QCOMPARE(got.device.uuid, std::string("GPU-1"));
        QCOMPARE(got.lines.units.size(), std::size_t{2});
        QVERIFY(near(got.lines.units[0].activity[3], 0.6) && near(got.lines.units[1].activity[3], 0.2));
        QVERIFY(near(got.lines.powerW[3], 201.0));
        QCOMPARE(got.stays.size(), std::size_t{1});
        QCOMPARE(got.stays[0].slice, std::string("1"));
    }

    // The activity of processes on a shared device adds up; copies of one reading do not.
    void sharingIsNotCountedTwice()
    {
        Fleet f;
        const auto copied = f.device("GPU-1"), measured = f.device("GPU-2", 1);
        const auto a = f.label("a"), b = f.label("b");
        for (const auto role : {model::SeriesRole::CopyPerHolder, model::SeriesRole::ProcessShare}) {
            const auto device = role == model::SeriesRole::CopyPerHolder ? copied : measured;
            f.bucketOf(device, a, 0, 30, {}, role).memoryMeanMib = 1000;
            f.bucketOf(device, b, 0, 30, {}, role).memoryMeanMib = 1000;
        }
        const auto copies = f.ask(f.query("GPU-1", 0, kHour)).value();
        QVERIFY(near(copies.lines.units[0].activity[0], 0.3));
        QVERIFY(near(copies.lines.units[0].memoryMib[0], 1000.0));
        const auto parts = f.ask(f.query("GPU-2", 0, kHour)).value();
        QVERIFY(near(parts.lines.units[0].activity[0], 0.6));
        QVERIFY(near(parts.lines.units[0].memoryMib[0], 2000.0));
    }

    void aFilterNarrowsTheFiguresButNotTheLines()
    {
        Fleet f;
        const auto device = f.device("GPU-1");
        f.runs(f.pod("a", "uid-a", "n1"), 0, kHour);
        f.reports(device, f.label("a"), f.machine, 0, kHour, 50);
        DeviceQuery query = f.query("GPU-1", 0, kDay);
        query.query.filter.include[insight::Dimension::Team] = {"nobody has this name"};
        const DeviceDetails got = f.ask(query).value();
        QCOMPARE(got.sums.time().paid().ticks, std::int64_t{0});
        QVERIFY(got.stays.empty());
        QVERIFY(near(got.lines.units[0].activity[0], 0.5));
    }

    void saysWhenThereIsNoSuchDevice()
    {
        Fleet f;
        const auto device = f.device("GPU-1");
        f.reports(device, Scenario::kNone, f.machine, 0, kHour, 0);
        QVERIFY(f.ask(f.query("GPU-2", 0, kHour)).error().code == base::ErrorCode::NotFound);
        DeviceQuery elsewhere = f.query("GPU-1", 0, kHour);
        elsewhere.cluster = "other";
        QVERIFY(!f.ask(elsewhere));
        const auto got = f.ask(f.query("GPU-1", 0, 0)).value(); // an empty range
        QVERIFY(got.range.empty() && got.lines.count == 0 && got.stays.empty());
        QVERIFY(!f.ask(f.query("", 0, kHour)));
    }

    void stepsAreRoundAndFit()
    {
        using insight::lineStep;
        const auto days = [](std::int64_t n) { return base::TimeRange{base::fromUnix(0), base::fromUnix(n * kDay)}; };
        QCOMPARE(lineStep(days(1), 300).count(), std::int64_t{300});
        QCOMPARE(lineStep(days(7), 400).count(), std::int64_t{1800});
        QCOMPARE(lineStep(days(30), 400).count(), std::int64_t{7200});
        QCOMPARE(lineStep(days(1), 2000, base::Seconds{15}).count(), std::int64_t{60});
        QCOMPARE(lineStep(days(1), 0).count(), kDay);
    }
};

GPULEDGER_SUITE(TestDeviceDetails)

} // namespace tst_devicedetails

#include "tst_devicedetails.moc"
