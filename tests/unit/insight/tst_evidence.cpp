// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/evidence.h"
#include "app/insight/idle/idle.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <random>

namespace tst_evidence {

using namespace gpuledger;
using insight::Evidence;
using insight::EvidenceQuery;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kStep = 300;

// The input, by (device, bucket of the scenario).
struct Reading {
    std::optional<double> activity, memoryMib, powerW;
};
using Truth = std::map<std::pair<std::string, std::int64_t>, Reading>;

struct Fleet : Scenario {
    std::uint32_t machine;
    Fleet()
        : Scenario(3)
        , machine(Scenario::node("n1"))
    {
    }

    // One bucket of a device held by a pod.
    void tell(std::uint32_t device, std::uint32_t subject, std::int64_t bucket, const Reading &reading)
    {
        reports(device, subject, machine, bucket * kStep, (bucket + 1) * kStep,
                reading.activity ? *reading.activity * 100 : -1);
        model::UsageBucket &last =
            std::find_if(batch.series.begin(), batch.series.end(), [&](const ports::FactBatch::Series &s) {
                return s.device == device && s.subject == subject;
            })->buckets.back();
        if (reading.memoryMib)
            last.memoryMeanMib = last.memoryMaxMib = static_cast<std::uint32_t>(*reading.memoryMib);
        if (reading.powerW)
            last.powerDeciwatt = static_cast<std::uint16_t>(*reading.powerW * 10);
    }

    Evidence ask(const EvidenceQuery &query, const model::Settings &settings = tests::pricedSettings()) const
    {
        const auto ledger = ledger::Ledger::create(settings).value();
        MemoryFacts facts;
        facts.add(batch);
        const auto reader = ledger->attribution(facts);
        return insight::evidenceOf(facts, *reader, query, settings.idle).value();
    }
    EvidenceQuery query(const std::string &pod, std::vector<std::string> devices, std::int64_t second) const
    {
        return {"prod/ml/" + pod + "/uid-" + pod, "prod", std::move(devices), at(second), std::nullopt};
    }
};

bool near(const std::optional<double> &a, const std::optional<double> &b)
{
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) < 1e-3 * std::max(1.0, std::abs(*b)));
}

} // namespace

class TestEvidence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Three devices with gaps of all kinds, compared with a naive computation from the input.
    void agreesWithANaiveOracle()
    {
        std::mt19937 random(20261121);
        const auto chance = [&](int percent) { return static_cast<int>(random() % 100) < percent; };
        Fleet f;
        const auto pod = f.pod("a", "uid-a", "n1", 3);
        f.runs(pod, 0, 3 * kDay);
        const std::uint32_t label = f.label("a");
        const std::vector<std::string> names{"GPU-1", "GPU-2", "GPU-3"};
        Truth truth;
        for (int d = 0; d < 3; ++d) {
            const std::uint32_t device = f.device(names[static_cast<std::size_t>(d)], d);
            for (std::int64_t bucket = 0; bucket < 3 * base::kBucketsPerDay; ++bucket) {
                if (bucket % 40 > 34 || chance(4))
                    continue; // no data
                Reading r;
                if (!chance(10))
                    r.activity = static_cast<double>(random() % 90) / 100;
                if (d != 2 && !chance(10)) // the third one never reports its memory
                    r.memoryMib = static_cast<double>(random() % 40000);
                if (!chance(10))
                    r.powerW = static_cast<double>(random() % 400);
                f.tell(device, label, bucket, r);
                if (!r.activity) // for unobserved time, attribution has no other readings either
                    r = {};
                truth[{names[static_cast<std::size_t>(d)], bucket}] = r;
            }
        }
        const std::int64_t end = 2 * kDay + 7 * kHour;
        const Evidence got = f.ask(f.query("a", names, end + 17)); // truncated to its bucket
        QVERIFY(got.range == (base::TimeRange{f.at(end - kDay), f.at(end)}));
        QCOMPARE(got.activity.size(), std::size_t{288});
        QCOMPARE(got.devices, 3);
        QCOMPARE(got.activityDevices, 3);
        QCOMPARE(got.memoryDevices, 2);
        QCOMPARE(got.powerDevices, 3);
        int gaps = 0, known = 0;
        for (std::size_t i = 0; i < got.activity.size(); ++i) {
            const std::int64_t bucket = (end - kDay) / kStep + static_cast<std::int64_t>(i);
            Reading want;
            want.activity = want.memoryMib = want.powerW = 0;
            for (const std::string &name : names) {
                const auto it = truth.find({name, bucket});
                const Reading r = it == truth.end() ? Reading{} : it->second;
                want.activity =
                    want.activity && r.activity ? std::optional(std::max(*want.activity, *r.activity)) : std::nullopt;
                if (name != "GPU-3")
                    want.memoryMib =
                        want.memoryMib && r.memoryMib ? std::optional(*want.memoryMib + *r.memoryMib) : std::nullopt;
                want.powerW = want.powerW && r.powerW ? std::optional(*want.powerW + *r.powerW) : std::nullopt;
            }
            gaps += want.activity ? 0 : 1;
            known += want.activity ? 1 : 0;
            QVERIFY2(near(got.activity[i], want.activity), qPrintable(QString::number(bucket)));
            QVERIFY2(near(got.memoryMib[i], want.memoryMib), qPrintable(QString::number(bucket)));
            QVERIFY2(near(got.powerW[i], want.powerW), qPrintable(QString::number(bucket)));
        }
        QVERIFY(gaps > 20 && known > 20); // both cases occurred
    }

    // However long ago its last activity was, the line shows it.
    void reachesBackBeforeTheLastActivity()
    {
        constexpr std::int64_t kFall = 10 * kHour, kEnd = 70 * kHour;
        Fleet f;
        const auto device = f.device("GPU-1");
        f.runs(f.pod("a", "uid-a", "n1"), 0, 3 * kDay);
        f.reports(device, f.label("a"), f.machine, 0, kFall, 80);
        f.reports(device, f.label("a"), f.machine, kFall, 3 * kDay, 1);
        EvidenceQuery query = f.query("a", {"GPU-1"}, kEnd);
        const Evidence flat = f.ask(query);
        QVERIFY(std::none_of(flat.activity.begin(), flat.activity.end(), [](const auto &v) { return v > 0.5; }));
        query.since = f.at(kFall);
        const Evidence got = f.ask(query);
        QVERIFY(got.range == (base::TimeRange{f.at(kFall - 6 * kHour), f.at(kEnd)}));
        QVERIFY(got.activity.size() <= insight::kMostEvidenceSteps);
        QCOMPARE(got.step.count(), 2 * kStep); // 792 buckets
        QCOMPARE(got.activity.size(), std::size_t{396});
        QVERIFY(near(got.activity.front(), 0.8) && near(got.activity.back(), 0.01) && near(got.lastActivity, 0.01));
        const auto high =
            std::count_if(got.activity.begin(), got.activity.end(), [](const auto &v) { return v > 0.5; });
        QCOMPARE(high, std::ptrdiff_t{6 * kHour / (2 * kStep)});
        query.since = f.at(kEnd - kHour); // a day is shown at least
        QVERIFY(f.ask(query).range.start == f.at(kEnd - kDay));
    }

    // A step is the highest of its buckets, and unknown if most of them are.
    void thinsWithoutHidingAnything()
    {
        constexpr std::int64_t kEnd = 66 * kHour + 40 * 60; // 800 buckets, two in a step
        Fleet f;
        const auto device = f.device("GPU-1");
        f.runs(f.pod("a", "uid-a", "n1"), 0, 3 * kDay);
        const auto label = f.label("a");
        for (std::int64_t bucket = 0; bucket < kEnd / kStep; ++bucket) {
            if (bucket == 100 || bucket == 200 || bucket == 201)
                continue;
            f.tell(device, label, bucket, {bucket == 311 ? 0.9 : 0.0, std::nullopt, std::nullopt});
        }
        EvidenceQuery query = f.query("a", {"GPU-1"}, kEnd);
        query.since = f.at(6 * kHour);
        const Evidence got = f.ask(query);
        QCOMPARE(got.activity.size(), std::size_t{400});
        QVERIFY(near(got.activity[50], 0.0)); // half of it is known
        QVERIFY(!got.activity[100]);
        QVERIFY(near(got.activity[155], 0.9));
        QVERIFY(near(got.lastActivity, 0.0));
    }

    void beginsWithItsHolder()
    {
        Fleet f;
        const auto device = f.device("GPU-1");
        f.runs(f.pod("old", "uid-old", "n1"), 0, kDay);
        f.runs(f.pod("a", "uid-a", "n1"), kDay, 3 * kDay);
        f.reports(device, f.label("old"), f.machine, 0, kDay, 90);
        f.reports(device, f.label("a"), f.machine, kDay, 3 * kDay, 1);
        const Evidence got = f.ask(f.query("a", {"GPU-1"}, kDay + 3 * kHour));
        QVERIFY(got.range == (base::TimeRange{f.at(kDay), f.at(kDay + 3 * kHour)}));
        QCOMPARE(got.activity.size(), std::size_t{36});
        for (const auto &value : got.activity)
            QVERIFY(near(value, 0.01)); // without the previous holder
    }

    void tellsThresholdSizeAndRest()
    {
        Fleet f;
        const auto one = f.device("GPU-1"), two = f.device("GPU-2", 1);
        f.runs(f.pod("a", "uid-a", "n1", 2), 0, kDay);
        const auto label = f.label("a");
        for (const auto device : {one, two})
            f.reports(device, label, f.machine, 0, kDay, 1);
        model::Settings settings = tests::pricedSettings();
        settings.idle.threshold = 0.07;
        const Evidence got = f.ask(f.query("a", {"GPU-1", "GPU-2"}, kDay), settings);
        QCOMPARE(got.threshold, 0.07);
        QCOMPARE(got.memoryTotalMib.value_or(0), 2 * 40960.0);
        QVERIFY(got.signal == model::ActivitySignal::GpuUtilization);
        QVERIFY(!got.priceSource.empty());
        QCOMPARE(got.memoryDevices, 0);
        QVERIFY(std::none_of(got.memoryMib.begin(), got.memoryMib.end(), [](const auto &v) { return v.has_value(); }));
        f.batch.devices[one].memoryMib = 0;
        QVERIFY(!f.ask(f.query("a", {"GPU-1", "GPU-2"}, kDay)).memoryTotalMib);
    }

    void aSliceHasTheMemoryOfItsProfile()
    {
        Fleet f;
        const auto device = f.device("GPU-1");
        f.slice(device, "3", {3, 7});
        f.batch.devices[device].slices.back().profile = "3g.20gb";
        f.runs(f.pod("a", "uid-a", "n1", 1, "nvidia_com_mig_3g_20gb"), 0, kDay);
        f.reports(device, f.label("a"), f.machine, 0, kDay, 1, "3");
        const Evidence got = f.ask(f.query("a", {"GPU-1:3"}, kDay));
        QCOMPARE(got.devices, 1);
        QCOMPARE(got.memoryTotalMib.value_or(0), 20 * 1024.0); // not 3/7 of the device
        QVERIFY(!got.restingW); // the device's value is meaningless for a part of it
        f.batch.devices[device].slices.back().profile = "3g.gb";
        QVERIFY(!f.ask(f.query("a", {"GPU-1:3"}, kDay)).memoryTotalMib);
    }

    void readsTheDevicesOfTheItemOnly()
    {
        struct Counting final : store::AttributionReader {
            explicit Counting(store::AttributionReader &reader)
                : real(reader)
            {
            }
            base::Result<void> walk(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                                    const Visitor &visit) override
            {
                asked.insert(asked.end(), devices.begin(), devices.end());
                ++walks;
                return real.walk(first, last, devices, visit);
            }
            store::AttributionReader &real;
            std::vector<base::DeviceId> asked;
            int walks = 0;
        };
        Fleet f;
        const auto label = f.label("a");
        f.runs(f.pod("a", "uid-a", "n1", 1), 0, kDay);
        for (int i = 0; i < 12; ++i) // GPU-1 must not match GPU-10
            f.reports(f.device("GPU-" + std::to_string(i), i), label, f.machine, 0, kDay, 1);
        const auto settings = tests::pricedSettings();
        const auto ledger = ledger::Ledger::create(settings).value();
        MemoryFacts facts;
        facts.add(f.batch);
        const auto reader = ledger->attribution(facts);
        Counting counting(*reader);
        const auto got = insight::evidenceOf(facts, counting, f.query("a", {"GPU-1"}, kDay), settings.idle).value();
        QCOMPARE(counting.asked.size(), std::size_t{1});
        QCOMPARE(got.devices, 1);
        const auto none = insight::evidenceOf(facts, counting, f.query("a", {"GPU-77"}, kDay), settings.idle).value();
        QCOMPARE(counting.walks, 1); // an empty list would mean every device
        QVERIFY(none.range.empty());
        QVERIFY(none.activity.empty());
    }
};

GPULEDGER_SUITE(TestEvidence)

} // namespace tst_evidence

#include "tst_evidence.moc"
