// SPDX-License-Identifier: GPL-3.0-or-later
// What a cloud's own monitoring says of the machines of its list, alone and beside telemetry of the same machines. The
// way from real APIs: tests/unit/aws/tst_cloudwatch.cpp and tests/unit/gcp/tst_monitoring.cpp.
#include "app/ingest/paidmonth.h"
#include "app/ingest/usagesync.h"
#include "tests/support/suite.h"
#include "tests/unit/ingest/machinebench.h"

#include <functional>
#include <random>

namespace tst_usagesync {

using namespace gpuledger;
using namespace machinebench;
using base::TimeRange;
using ports::ListedGpu;

namespace {

std::int64_t bucketOf(base::UtcTime t)
{
    return base::toUnix(t) / base::kBucket.count();
}

// Monitoring that knows what a function says. Records what it was asked.
class FakeUsage final : public ports::UsageSource {
public:
    // The share of a GPU in the bucket that begins then; negative: it has no sample.
    using Shares = std::function<double(const ListedMachine &, std::int64_t gpu, base::UtcTime at)>;
    Shares shares;
    std::vector<TimeRange> asked;
    std::vector<std::size_t> machinesAsked;
    std::optional<base::UtcTime> failsAt; // from this day on
    base::Error failure = base::Error::make(base::ErrorCode::Server, "it is out of order");
    bool complete = true;
    std::vector<ListedGpu> strangers; // tells these, too
    std::uint64_t requests = 0; // 0: they are free

    explicit FakeUsage(Shares told)
        : shares(std::move(told))
    {
    }
    Seconds kept() const override { return 10 * base::kDay; }
    base::Result<ports::MeasuredUsage> usage(const std::vector<ListedMachine> &machines, TimeRange range,
                                             std::stop_token) override
    {
        asked.push_back(range);
        machinesAsked.push_back(machines.size());
        if (failsAt && range.end > *failsAt)
            return base::fail(failure);
        ports::MeasuredUsage out;
        out.complete = complete;
        for (std::size_t m = 0; m < machines.size(); ++m) {
            for (std::int64_t gpu = 0; gpu < machines[m].gpus; ++gpu)
                add(out, machines[m], {m, gpu}, range);
        }
        for (const ListedGpu &which : strangers)
            out.gpus.push_back({which, {bucketOf(range.start)}, {model::UsageBucket{}}});
        return out;
    }
    base::Result<ports::MeasuredActivity> activity(const std::vector<ListedMachine> &machines,
                                                   const ports::ActivityQuestion &question, std::stop_token) override
    {
        ports::MeasuredActivity out;
        out.now = *question.at;
        for (std::size_t m = 0; m <= machines.size(); ++m) { // one more than was asked for
            ports::ActivityReading reading;
            reading.signal = model::ActivitySignal::GpuUtilization;
            reading.newest = ports::ActivityReading::Sample{out.now, 0.25};
            out.readings.push_back({{m, 1}, reading});
        }
        return out;
    }
    std::optional<ports::PaidCalls> paid() const override
    {
        if (requests == 0)
            return std::nullopt;
        return ports::PaidCalls{requests,
                                base::Money(static_cast<std::int64_t>(requests) * 10'000'000, base::Currency::usd())};
    }

private:
    void add(ports::MeasuredUsage &out, const ListedMachine &machine, ListedGpu which, TimeRange range) const
    {
        ports::MeasuredGpu gpu;
        gpu.which = which;
        for (base::UtcTime t = range.start; t < range.end; t += base::kBucket) {
            const double share = shares(machine, which.gpu, t);
            if (share < 0)
                continue;
            gpu.bucketNumbers.push_back(bucketOf(t));
            model::UsageBucket &bucket = gpu.buckets.emplace_back();
            bucket.observed = static_cast<std::uint16_t>(base::kBucket.count());
            bucket.activity = model::toShare(share);
            bucket.signal = model::ActivitySignal::GpuUtilization;
        }
        if (!gpu.buckets.empty())
            out.gpus.push_back(std::move(gpu));
    }
};

// Two GPUs, of which the first works.
double firstWorks(const ListedMachine &, std::int64_t gpu, base::UtcTime)
{
    return gpu == 0 ? 0.9 : 0.0;
}

double neverSeen(const ListedMachine &, std::int64_t, base::UtcTime)
{
    return -1;
}

// The list, then what its monitoring says.
struct UsageBench : Bench {
    ingest::UsageOutcome measure(FakeUsage &usage, base::UtcTime now, std::vector<ListedMachine> machines,
                                 Seconds back = kBack)
    {
        FakeInventory list;
        list.answer = ports::Inventory{machines, {}};
        ingest::ReadInventory listed = read(list, now);
        ingest::UsageQuestion question{"cloud", "aws", listed.state, listed.machines, {}, now, back};
        ledger::LedgerWriter writer(*cache, ledger->rollup());
        std::vector<ingest::ReadInventory> lists;
        lists.push_back(std::move(listed));
        question.listed = ingest::storeInventories(std::move(lists), writer).front().range;
        return ingest::syncUsage(usage, question, writer, {});
    }
    ports::PaidCalls paid() { return (*ingest::paidCalls(*cache, "cloud"))->calls; }
};

} // namespace

class TestUsageSync : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The last five minutes are not asked for yet.
    void whatWasMeasuredIsObserved()
    {
        UsageBench bench;
        FakeUsage usage(firstWorks);
        const auto outcome = bench.measure(usage, kNoon, {machineOf("i-1", kNoon - 3 * kHour)});
        QVERIFY2(!outcome.error, outcome.error ? outcome.error->text.c_str() : "");
        QCOMPARE(outcome.accepted, std::uint64_t{2 * 35});
        const double observed = 2.917, unobserved = 0.167;
        QCOMPARE(bench.hours(),
                 (Hours{{"vision:i-1@i-1/active", observed},
                        {"vision:i-1@i-1/idle", observed},
                        {"vision:i-1@i-1/unobserved", unobserved}}));
        QVERIFY(bench.unseen(kNoon).empty());
    }

    void aMachineWithoutAnAgentIsUnobserved()
    {
        UsageBench bench;
        FakeUsage usage([](const ListedMachine &machine, std::int64_t, base::UtcTime at) {
            return machine.id == "i-1" && at < kNoon - 2 * kHour ? 0.0 : -1;
        });
        const auto outcome =
            bench.measure(usage, kNoon, {machineOf("i-1", kNoon - 3 * kHour), machineOf("i-2", kNoon - kHour)});
        QVERIFY(!outcome.error);
        QCOMPARE(
            bench.hours(),
            (Hours{{"vision:i-1@i-1/idle", 2}, {"vision:i-1@i-1/unobserved", 4}, {"vision:i-2@i-2/unobserved", 2}}));
        QCOMPARE(bench.unseen(kNoon), (std::set<std::string>{"i-1", "i-2"}));
    }

    void theNextSyncGoesOnWhereTheLastOneEnded()
    {
        UsageBench bench;
        FakeUsage usage(firstWorks);
        const ListedMachine machine = machineOf("i-1", kNoon - 30 * kHour);
        bench.measure(usage, kNoon, {machine});
        QCOMPARE(usage.asked.size(), std::size_t{2}); // a day at a time
        QVERIFY(usage.asked.front().start == kNoon - 30 * kHour);
        usage.asked.clear();
        const auto outcome = bench.measure(usage, kNoon + kHour, {machine});
        QCOMPARE(usage.asked.size(), std::size_t{1});
        QVERIFY(usage.asked.front() == (TimeRange{kNoon - Seconds{300} - 2 * kHour, kNoon + kHour - Seconds{300}}));
        QVERIFY(outcome.range == usage.asked.front());
        QCOMPARE(bench.hours().at("vision:i-1@i-1/active"), 30.917);
        // The same again changes nothing.
        const auto before = bench.hours();
        bench.measure(usage, kNoon + kHour, {machine});
        QCOMPARE(bench.hours(), before);
    }

    void nothingIsAskedThatCanNotBeKnown()
    {
        UsageBench bench;
        FakeUsage usage(neverSeen);
        ListedMachine stopped = machineOf("i-2", kNoon - 30 * kHour);
        stopped.until = kNoon - 20 * kHour;
        ListedMachine member = machineOf("i-3", kNoon - 30 * kHour);
        member.isMember = true; // its cluster says what it does
        bench.measure(usage, kNoon, {machineOf("i-1", kNoon - 400 * kHour), stopped, member});
        QVERIFY(usage.asked.front().start == kNoon - 10 * base::kDay); // no service keeps it for longer
        QCOMPARE(usage.machinesAsked.back(), std::size_t{1});
        QCOMPARE(usage.machinesAsked.at(usage.machinesAsked.size() - 2), std::size_t{2});
        UsageBench other;
        usage.asked.clear();
        other.measure(usage, kNoon, {machineOf("i-1", kNoon - 400 * kHour)}, 5 * kHour);
        QVERIFY(usage.asked.front().start == kNoon - 5 * kHour);
        usage.asked.clear();
        UsageBench empty;
        QVERIFY(empty.measure(usage, kNoon, {}).range.empty());
        QVERIFY(usage.asked.empty());
    }

    void aFailureKeepsTheDaysBefore()
    {
        UsageBench bench;
        FakeUsage usage(firstWorks);
        usage.failsAt = kNoon - 12 * kHour; // midnight
        const ListedMachine machine = machineOf("i-1", kNoon - 30 * kHour);
        const auto outcome = bench.measure(usage, kNoon, {machine});
        QVERIFY(outcome.error && outcome.error->code == base::ErrorCode::Server);
        QCOMPARE(outcome.error->source, std::string("cloud"));
        QCOMPARE(bench.hours().at("vision:i-1@i-1/active"), 18.0); // to midnight
        usage.failsAt.reset();
        usage.asked.clear();
        QVERIFY(!bench.measure(usage, kNoon, {machine}).error);
        QVERIFY(usage.asked.front().start == kNoon - 14 * kHour); // two hours before
        QCOMPARE(bench.hours().at("vision:i-1@i-1/active"), 29.917);
    }

    void whatMayBeMissingIsAskedForAgain()
    {
        UsageBench bench;
        FakeUsage usage(firstWorks);
        usage.complete = false;
        const ListedMachine machine = machineOf("i-1", kNoon - 3 * kHour);
        QVERIFY(bench.measure(usage, kNoon, {machine}).partial);
        usage.complete = true;
        usage.asked.clear();
        QVERIFY(!bench.measure(usage, kNoon + 20 * base::kDay, {machineOf("i-1", kNoon - 3 * kHour)}).partial);
        QVERIFY(usage.asked.front().start < kNoon + 11 * base::kDay); // from the start, as far as it is kept
    }

    void gpusThatTheListLacksAreCounted()
    {
        UsageBench bench;
        FakeUsage usage(firstWorks);
        usage.strangers = {{0, 2}, {0, -1}, {7, 0}, {0, 1}}; // the last one was told before
        const auto outcome = bench.measure(usage, kNoon, {machineOf("i-1", kNoon - kHour)});
        QCOMPARE(outcome.rejected, std::uint64_t{4});
        QCOMPARE(bench.hours().at("vision:i-1@i-1/active"), 0.917);
    }

    // Telemetry that knows the machine says more than its cloud; each GPU is counted once.
    void telemetryOfTheMachineComesFirst_data()
    {
        QTest::addColumn<bool>("isCloudFirst");
        QTest::newRow("cloud first") << true;
        QTest::newRow("telemetry first") << false;
    }
    void telemetryOfTheMachineComesFirst()
    {
        QFETCH(bool, isCloudFirst);
        UsageBench bench;
        FakeUsage usage([](const ListedMachine &, std::int64_t, base::UtcTime) { return 0.0; });
        const auto telemetry = telemetryOf("node-1", "aws:///eu-central-1a/i-1", kNoon - 2 * kHour, kNoon - kHour, 2);
        if (!isCloudFirst)
            bench.commit(telemetry);
        bench.measure(usage, kNoon, {machineOf("i-1", kNoon - 4 * kHour)});
        if (isCloudFirst)
            bench.commit(telemetry);
        double sum = 0, idle = 0;
        for (const auto &[key, hours] : bench.hours()) {
            sum += hours;
            idle += key.ends_with("/idle") ? hours : 0;
        }
        QCOMPARE(sum, 8.0); // two GPUs for four hours
        QVERIFY2(idle < 6, qPrintable(QString::number(idle))); // the hour of the telemetry was not idle
    }

    // Asking may cost money.
    void machinesThatTelemetryKnowsAreNotAskedFor()
    {
        UsageBench bench;
        FakeUsage usage(firstWorks);
        const std::vector<ListedMachine> machines{machineOf("i-1", kNoon - 4 * kHour),
                                                  machineOf("i-2", kNoon - 4 * kHour)};
        bench.commit(telemetryOf("node-1", "aws:///eu-central-1a/i-1", kNoon - 6 * kHour, kNoon - kHour, 2));
        bench.measure(usage, kNoon, machines);
        QCOMPARE(usage.machinesAsked, (std::vector<std::size_t>{2})); // its last hour is not known
        bench.commit(telemetryOf("node-1", "aws:///eu-central-1a/i-1", kNoon - 6 * kHour, kNoon + kHour, 2));
        bench.measure(usage, kNoon + kHour, machines);
        QCOMPARE(usage.machinesAsked, (std::vector<std::size_t>{2, 1}));
        bench.measure(usage, kNoon + 2 * kHour, {machines.front()}); // telemetry has ended
        QCOMPARE(usage.machinesAsked, (std::vector<std::size_t>{2, 1, 1}));
        bench.commit(telemetryOf("node-1", "aws:///eu-central-1a/i-1", kNoon - 6 * kHour, kNoon + 3 * kHour, 2));
        bench.measure(usage, kNoon + 3 * kHour, {machines.front()});
        QCOMPARE(usage.machinesAsked, (std::vector<std::size_t>{2, 1, 1})); // nobody is left to ask about
        QCOMPARE(bench.hours().at("vision:i-2@i-2/active"), 4.917);
    }

    void whatItCostsAddsUpByMonth()
    {
        UsageBench bench;
        FakeUsage usage(firstWorks);
        usage.requests = 3;
        bench.measure(usage, kNoon, {machineOf("i-1", kNoon - kHour)});
        bench.measure(usage, kNoon + kHour, {machineOf("i-1", kNoon - kHour)});
        QCOMPARE(bench.paid().requests, std::uint64_t{6});
        QCOMPARE(bench.paid().amount.nanos(), std::int64_t{60'000'000});
        bench.measure(usage, kNoon + 31 * base::kDay, {machineOf("i-1", kNoon - kHour)});
        QCOMPARE(bench.paid().requests, std::uint64_t{3});
        usage.failsAt = base::UtcTime{};
        bench.measure(usage, kNoon + 31 * base::kDay, {machineOf("i-1", kNoon - kHour)});
        QCOMPARE(bench.paid().requests, std::uint64_t{6}); // what failed is charged, too
    }

    void theNamesOfNewestSamplesAreThoseOfFacts()
    {
        FakeUsage usage(firstWorks);
        ports::ActivityQuestion question;
        question.at = kNoon;
        const auto answer = ingest::activityOfListed(usage, "cloud", {machineOf("i-1", kNoon)}, question, {});
        QVERIFY(answer);
        QVERIFY(answer->now == kNoon);
        QCOMPARE(answer->readings.size(), std::size_t{1}); // the machine that was not asked for is left out
        const ports::ActivityReading &reading = answer->readings.front();
        QCOMPARE(reading.cluster, std::string("cloud"));
        QCOMPARE(reading.uuid, std::string("i-1/1"));
        QCOMPARE(reading.nodes, (std::vector<std::string>{"i-1", "ip-1.internal"}));
        QVERIFY(reading.holders.size() == 1 && reading.holders[0].kind == model::SubjectKind::Machine);
        QCOMPARE(reading.holders[0].name, std::string("i-1"));
        QCOMPARE(reading.newest->share, 0.25);
    }

    // Random machines, gaps, orders and pauses: every bucket is what was measured last, and the sum is the time of the
    // runs. hours() also checks that what is stored equals a computation of everything.
    void randomReadingsAddUp()
    {
        for (unsigned seed = 1; seed <= 12; ++seed) {
            std::mt19937 random(seed);
            const auto upTo = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
            std::vector<ListedMachine> machines;
            double all = 0;
            const base::UtcTime end = kNoon + 12 * kHour;
            for (int m = 0; m < 1 + upTo(3); ++m) {
                const base::UtcTime since = kNoon - Seconds{300} * (1 + upTo(400));
                machines.push_back(machineOf("i-" + std::to_string(m), since, 1 + upTo(3)));
                all += static_cast<double>(machines.back().gpus * (end - since).count()) / 3600;
            }
            const auto shareOf = [seed](const ListedMachine &machine, std::int64_t gpu, base::UtcTime at) {
                std::mt19937 here(static_cast<unsigned>(bucketOf(at) * 31 + gpu * 7 + machine.id.back() + seed));
                const unsigned fate = static_cast<unsigned>(here() % 10);
                return fate < 3 ? -1.0 : fate < 6 ? 0.0 : 0.9;
            };
            UsageBench bench;
            FakeUsage usage(shareOf);
            for (base::UtcTime now = kNoon; now < end; now += Seconds{300} * (1 + upTo(60)))
                QVERIFY(!bench.measure(usage, now, machines).error);
            QVERIFY(!bench.measure(usage, end, machines).error);
            double idle = 0, active = 0;
            for (const ListedMachine &machine : machines) {
                for (std::int64_t gpu = 0; gpu < machine.gpus; ++gpu) {
                    for (base::UtcTime t = *machine.since; t < end - Seconds{300}; t += base::kBucket) {
                        const double share = shareOf(machine, gpu, t);
                        idle += share == 0 ? 1.0 / 12 : 0;
                        active += share > 0 ? 1.0 / 12 : 0;
                    }
                }
            }
            std::map<std::string, double> found;
            for (const auto &[key, hours] : bench.hours())
                found[key.substr(key.find('/') + 1)] += hours;
            QVERIFY2(std::abs(found["idle"] - idle) < 0.01 && std::abs(found["active"] - active) < 0.01
                         && std::abs(found["idle"] + found["active"] + found["unobserved"] - all) < 0.01,
                     std::to_string(seed).c_str());
        }
    }
};

GPULEDGER_SUITE(TestUsageSync)

} // namespace tst_usagesync

#include "tst_usagesync.moc"
