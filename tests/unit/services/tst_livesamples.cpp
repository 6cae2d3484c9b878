// SPDX-License-Identifier: GPL-3.0-or-later
// What the newest raw samples reveal about a holder, and how long an answer can be reused.
#include "app/services/actions/livesamples.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_livesamples {

using namespace gpuledger;
using actions::Liveness;
using namespace std::chrono_literals;
using ports::ActivityAnswer;
using ports::ActivityReading;
using ports::SampleTime;
using services::livenessOf;
using services::LiveSamples;

namespace {

constexpr double kThreshold = 0.05;
const SampleTime kNow{1'770'000'000s};

ActivityReading reading(const char *uuid, double share, std::chrono::seconds age = 3s)
{
    ActivityReading out;
    out.cluster = "vms";
    out.uuid = uuid;
    out.nodes = {"box"};
    out.signal = model::ActivitySignal::SmActive;
    out.newest = out.most = ActivityReading::Sample{kNow - age, share};
    out.samples = 10;
    out.interval = 15s;
    return out;
}

// Two idle devices of a pod or a machine.
struct Held {
    explicit Held(model::SubjectKind kind = model::SubjectKind::Pod)
    {
        answer.now = kNow;
        answer.readings = {reading("GPU-1", 0.01), reading("GPU-2", 0.02)};
        item.kind = kind;
        item.cluster = "vms";
        item.name = "i-1";
        item.node = "box";
        item.devices = {"GPU-1", "GPU-2"};
        for (ActivityReading &one : answer.readings)
            one.holders = {{kind, "", "i-1"}};
    }
    Liveness::Seen look() { return livenessOf(item, {&answer}, kThreshold, newest); }
    Liveness::Kind kind() { return look().kind; }

    ActivityAnswer answer;
    insight::IdleItem item;
    base::UtcTime newest{};
};

// A source that counts its queries.
class CountingSource final : public ports::TelemetrySource {
public:
    explicit CountingSource(int &asked)
        : m_asked(asked)
    {
    }
    const std::string &name() const override { return m_name; }
    base::Result<ports::ProbeReport> probe(std::stop_token) override { return ports::ProbeReport{}; }
    base::Result<void> fetch(base::TimeRange, ports::FactSink &, std::stop_token) override { return {}; }
    base::Result<ActivityAnswer> newestActivity(const ports::ActivityQuestion &, std::stop_token) override
    {
        ++m_asked;
        return ActivityAnswer{};
    }

private:
    std::string m_name = "prod";
    int &m_asked;
};

} // namespace

class TestLiveSamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quietDevicesAreQuiet()
    {
        Held held;
        QVERIFY(held.kind() == Liveness::Kind::Quiet);
        QVERIFY(held.newest == std::chrono::floor<base::Seconds>(kNow - 3s));
    }

    // Any of its newest samples counts, of any signal, since the time of the idle list.
    void anyActiveSampleIsActivity_data()
    {
        QTest::addColumn<double>("share");
        QTest::addColumn<int>("age");
        QTest::addColumn<bool>("isOlderMaximum"); // the newest sample is idle again
        for (const double share : {kThreshold, 0.06, 1.0}) {
            for (const int age : {0, 5, 15, 60, 240}) {
                for (const bool older : {false, true})
                    QTest::addRow("%g, %d s ago%s", share, age, older ? ", resting again" : "")
                        << share << age << older;
            }
        }
    }
    void anyActiveSampleIsActivity()
    {
        QFETCH(double, share);
        QFETCH(int, age);
        QFETCH(bool, isOlderMaximum);
        Held held;
        ActivityReading &second = held.answer.readings[1];
        second.most = ActivityReading::Sample{kNow - std::chrono::seconds(age), share};
        if (!isOlderMaximum)
            second.newest = second.most;
        second.interval = 300s;
        const Liveness::Seen seen = held.look();
        QVERIFY(seen.kind == Liveness::Kind::Active);
        QCOMPARE(seen.share.value_or(-1), share);
        QVERIFY(seen.at == std::chrono::floor<base::Seconds>(kNow - std::chrono::seconds(age)));
    }

    void oneOfEightIsEnough()
    {
        Held held;
        for (int i = 3; i <= 8; ++i) {
            const std::string uuid = "GPU-" + std::to_string(i);
            held.answer.readings.push_back(reading(uuid.c_str(), 0.0));
            held.item.devices.push_back(uuid);
        }
        QVERIFY(held.kind() == Liveness::Kind::Quiet);
        held.answer.readings.back().most->share = 0.06;
        QVERIFY(held.kind() == Liveness::Kind::Active);
    }

    // A slice is judged without its neighbours, a whole device with its slices.
    void slicesAreJudgedByThemselves()
    {
        Held held;
        held.item.devices = {"GPU-1:3"};
        held.answer.readings = {reading("GPU-1", 0.0), reading("GPU-1", 0.9)};
        held.answer.readings[0].gpuInstance = "3";
        held.answer.readings[1].gpuInstance = "13";
        QVERIFY(held.kind() == Liveness::Kind::Quiet);
        held.answer.readings[0].most->share = 0.06;
        QVERIFY(held.kind() == Liveness::Kind::Active);
        held.answer.readings[0].most->share = 0.0;
        held.item.devices = {"GPU-1"};
        QVERIFY(held.kind() == Liveness::Kind::Active);
    }

    // The utilization of a slice is 0 by design, so it proves nothing.
    void aSignalThatSlicesLackSaysNothing()
    {
        Held held;
        held.item.devices = {"GPU-1:3"};
        held.answer.readings = {reading("GPU-1", 0.0)};
        held.answer.readings[0].gpuInstance = "3";
        held.answer.readings[0].signal = model::ActivitySignal::GpuUtilization;
        QVERIFY(held.kind() == Liveness::Kind::Unseen);
    }

    void whatIsOldIsUnknown_data()
    {
        QTest::addColumn<int>("interval");
        QTest::addColumn<int>("age");
        QTest::addColumn<bool>("isKnown");
        for (const int interval : {5, 15, 30, 60}) {
            QTest::addRow("%d s, now", interval) << interval << 0 << true;
            QTest::addRow("%d s, two intervals", interval) << interval << 2 * interval << true;
            QTest::addRow("%d s, older", interval) << interval << 2 * interval + 1 << false;
            QTest::addRow("%d s, from the future", interval) << interval << -2 * interval << false;
        }
        QTest::addRow("no interval") << 0 << 0 << false;
    }
    void whatIsOldIsUnknown()
    {
        QFETCH(int, interval);
        QFETCH(int, age);
        QFETCH(bool, isKnown);
        Held held;
        held.answer.readings[0] = reading("GPU-1", 0.0, std::chrono::seconds(age));
        held.answer.readings[0].interval = std::chrono::seconds(interval);
        QCOMPARE(held.kind() == Liveness::Kind::Quiet, isKnown);
        QVERIFY(isKnown || held.kind() == Liveness::Kind::Unseen);
    }

    // A signal that ended is not replaced by another one that continues.
    void everySignalMustBeOfThePresent()
    {
        Held held;
        ActivityReading old = reading("GPU-1", 0.0, 120s);
        old.signal = model::ActivitySignal::GpuUtilization;
        held.answer.readings.push_back(old);
        QVERIFY(held.kind() == Liveness::Kind::Unseen);
    }

    void everyDeviceMustBeSeen()
    {
        Held held;
        held.answer.readings.pop_back();
        QVERIFY(held.kind() == Liveness::Kind::Unseen);
        held.item.devices.clear();
        QVERIFY(held.kind() == Liveness::Kind::Unseen);
    }

    // Each source that knows the device counts.
    void everySourceThatKnowsItIsHeard()
    {
        Held held;
        ActivityAnswer other;
        other.now = kNow;
        const auto kind = [&] { return livenessOf(held.item, {&held.answer, &other}, kThreshold, held.newest).kind; };
        QVERIFY(kind() == Liveness::Kind::Quiet); // it does not know the device
        other.readings = {reading("GPU-2", 0.0, 300s)};
        QVERIFY(kind() == Liveness::Kind::Unseen);
        other.readings = {reading("GPU-2", 0.8)};
        QVERIFY(kind() == Liveness::Kind::Active);
    }

    void aRequestIsActivity()
    {
        Held held;
        ports::RequestReading requests;
        requests.pod = "i-1";
        requests.newest = kNow - 5s;
        requests.interval = 15s;
        held.answer.requests = {requests};
        QVERIFY(held.kind() == Liveness::Kind::Quiet);
        held.answer.requests[0].served = kNow - 20s;
        QVERIFY(held.kind() == Liveness::Kind::Active);
        QVERIFY(!held.look().share);
        held.answer.requests[0].served.reset();
        held.answer.requests[0].newest = kNow - 60s; // no longer counted: unknown
        QVERIFY(held.kind() == Liveness::Kind::Unseen);
        held.answer.requests[0].pod = "another";
        QVERIFY(held.kind() == Liveness::Kind::Quiet);
    }

    // Its other devices stop together with it, whoever holds them.
    void whatElseIsOnTheMachineCounts_data()
    {
        QTest::addColumn<int>("kind"); // of the holder of the third device; -1: none
        QTest::addColumn<double>("share");
        QTest::addColumn<bool>("isHere");
        QTest::addColumn<bool>("isActive");
        QTest::newRow("idle job") << 1 << 0.0 << true << true;
        QTest::newRow("busy job") << 1 << 0.9 << true << true;
        QTest::newRow("idle pod") << 0 << 0.0 << true << true;
        QTest::newRow("activity without a holder") << -1 << 0.9 << true << true;
        QTest::newRow("a free device") << -1 << 0.0 << true << false;
        QTest::newRow("a job elsewhere") << 1 << 0.9 << false << false;
    }
    void whatElseIsOnTheMachineCounts()
    {
        QFETCH(int, kind);
        QFETCH(double, share);
        QFETCH(bool, isHere);
        QFETCH(bool, isActive);
        Held held(model::SubjectKind::Machine);
        ActivityReading third = reading("GPU-3", share);
        if (kind >= 0)
            third.holders = {{static_cast<model::SubjectKind>(kind), "", "another"}};
        if (!isHere)
            third.nodes = {"other"};
        held.answer.readings.push_back(third);
        QCOMPARE(held.kind() == Liveness::Kind::Active, isActive);
    }

    // For a pod only its own devices count.
    void othersOnTheMachineOfAPodDoNotCount()
    {
        Held held;
        held.answer.readings.push_back(reading("GPU-3", 0.9));
        QVERIFY(held.kind() == Liveness::Kind::Quiet);
    }

    void aMachineWithoutANodeCannotBeJudged()
    {
        Held held(model::SubjectKind::Machine);
        held.item.node.clear();
        QVERIFY(held.kind() == Liveness::Kind::Unseen);
    }

    // One answer serves the queries of the same moment, but none that starts later.
    void anAnswerServesItsMoment()
    {
        int asked = 0;
        LiveSamples samples;
        const auto make = [&]() -> base::Result<std::unique_ptr<ports::TelemetrySource>> {
            return std::make_unique<CountingSource>(asked);
        };
        ports::ActivityQuestion question;
        question.since = base::UtcTime{1'770'000'000s};
        const auto ask = [&](LiveSamples::Steady notBefore) {
            return samples.newest("prod", make, question, notBefore, {}).has_value();
        };
        QVERIFY(ask({}) && ask({}));
        QCOMPARE(asked, 1);
        QVERIFY(ask(std::chrono::steady_clock::now()));
        QCOMPARE(asked, 2);
        question.since -= 60s; // further back than the answer reaches
        QVERIFY(ask({}));
        QCOMPARE(asked, 3);
    }

    void scrapeIntervalsAreFoundInTheData()
    {
        const auto every = [](std::chrono::milliseconds step, int count, std::chrono::milliseconds jitter = {}) {
            std::vector<SampleTime> times;
            for (int i = 0; i < count; ++i)
                times.push_back(kNow + i * step + (i % 2 ? jitter : -jitter));
            return times;
        };
        QCOMPARE(ports::scrapeInterval({}).count(), 0);
        QCOMPARE(ports::scrapeInterval({kNow}).count(), 0);
        QVERIFY(ports::scrapeInterval(every(15s, 10)) == 15s);
        QVERIFY(ports::scrapeInterval(every(30s, 10, 500ms)) <= 31s);
        std::vector<SampleTime> gap = every(15s, 20);
        gap.erase(gap.begin() + 5, gap.begin() + 12);
        QVERIFY(ports::scrapeInterval(gap) == 15s);
    }
};

GPULEDGER_SUITE(TestLiveSamples)

} // namespace tst_livesamples

#include "tst_livesamples.moc"
