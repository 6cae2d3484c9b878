// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/pricebook.h"
#include "connectors/connectorregistry.h"
#include "connectors/demo/demosource.h"
#include "connectors/demo/fleet/teams.h"
#include "resources/resources.h"
#include "tests/support/fakes/nosecrets.h"
#include "tests/support/suite.h"
#include "tests/unit/demo/demofacts.h"
#include "ui/format/phrases/phrase.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <thread>
#include <tuple>

namespace tst_demosource {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

const std::map<std::string, std::string> kSmall{{"gpus", "56"}, {"held-whole", "1"}};

} // namespace

class DemoSourceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isTheSameForAnyChunking()
    {
        const TimeRange range{at("2026-10-01T07:05:00Z"), at("2026-10-04T18:40:00Z")};
        const Facts whole = fetched(kNow, range);
        const Facts cut = fetched(kNow, range, {},
                                  {at("2026-10-01T07:10:00Z"), at("2026-10-02T00:00:00Z"), at("2026-10-03T11:55:00Z")});
        QVERIFY(whole.samples > 300'000);
        QVERIFY(whole.series == cut.series);
        QVERIFY(whole.holders == cut.holders);
        QVERIFY(whole.nodeSeconds == cut.nodeSeconds);
        QVERIFY(whole.signalHours == cut.signalHours);
    }

    // Also where each piece ends within an hour.
    void isTheSameForPiecesOfAnyLength_data()
    {
        QTest::addColumn<int>("minutes");
        for (const int minutes : {5, 25, 35, 55, 115, 7 * 60})
            QTest::addRow("%d min", minutes) << minutes;
    }
    void isTheSameForPiecesOfAnyLength()
    {
        QFETCH(int, minutes);
        const TimeRange range{at("2026-09-25T07:05:00Z"), at("2026-09-27T18:40:00Z")}; // "llama-canary" is new
        static const Facts whole = fetched(kNow, range, kSmall);
        std::vector<base::UtcTime> cuts;
        for (base::UtcTime cut = range.start + base::Seconds{minutes * 60}; cut < range.end;
             cut += base::Seconds{minutes * 60})
            cuts.push_back(cut);
        const Facts cut = fetched(kNow, range, kSmall, cuts);
        QVERIFY(whole.series == cut.series);
        QVERIFY(whole.holders == cut.holders);
        QVERIFY(whole.nodeSeconds == cut.nodeSeconds);
        QVERIFY(std::any_of(whole.signalHours.begin(), whole.signalHours.end(), [](const auto &entry) {
            return std::get<0>(entry.first) == model::HourSignal::Requests && entry.second.value > 0;
        }));
        QVERIFY(whole.signalHours == cut.signalHours);
    }

    void isTheSameForAnyNow()
    {
        const TimeRange range{at("2026-10-01T00:00:00Z"), at("2026-10-03T00:00:00Z")};
        const Facts early = fetched(at("2026-10-03T00:00:00Z"), range);
        const Facts late = fetched(at("2026-11-20T04:13:09Z"), range);
        QVERIFY(early.series == late.series);
        QVERIFY(early.holders == late.holders);
    }

    // Something waits for input, something doesn't, and an endpoint serves nothing.
    void tellsWhyItIdles()
    {
        const Facts facts = fetched(kNow, {kNow - 3 * base::kDay, kNow});
        const auto &pcie = facts.signals.at(model::HourSignal::PcieBytes);
        QVERIFY(std::any_of(pcie.begin(), pcie.end(), [](std::int64_t v) { return v > 20'000'000; }));
        QVERIFY(std::any_of(pcie.begin(), pcie.end(), [](std::int64_t v) { return v < 1'000'000; }));
        const auto &requests = facts.signals.at(model::HourSignal::Requests);
        QVERIFY(std::count(requests.begin(), requests.end(), 0) >= 24);
    }

    // Some training writes every 20 minutes, some every 30, and some never.
    void tellsCheckpoints()
    {
        const Facts facts = fetched(kNow, {kNow - 3 * base::kDay, kNow});
        const auto &bursts = facts.signals.at(model::HourSignal::WriteBursts);
        for (const std::int64_t often : {0, 2, 3})
            QVERIFY(std::count(bursts.begin(), bursts.end(), often) >= 24);
        QVERIFY(*std::max_element(bursts.begin(), bursts.end()) <= 3);
    }

    // Its machines have facts up to then, those of the others are the same, and nothing is left of them afterwards.
    void givesAPoolBack()
    {
        const base::UtcTime until = at("2026-10-02");
        const TimeRange range{until - base::kDay, until + base::kDay};
        const std::map<std::string, std::string> few{{"gpus", "100"}};
        std::map<std::string, std::string> many = few;
        many["burst-until"] = "2026-10-02";
        const Facts without = fetched(kNow, range, few);
        const Facts whole = fetched(kNow, range, many, {});
        const Facts cut = fetched(kNow, range, many, {until - base::Seconds{300}, until});
        QVERIFY(whole.series == cut.series && whole.holders == cut.holders && whole.nodeSeconds == cut.nodeSeconds);
        QCOMPARE(whole.nodeSeconds.at("gpu-burst-0001"), base::kDay.count());
        QCOMPARE(whole.nodes.size(), without.nodes.size() + 1);
        QCOMPARE(whole.devices.size(), without.devices.size() + 8);
        std::set<std::string> seen;
        for (const auto &[key, buckets] : whole.series) {
            const auto &[device, instance, node, pod, role] = key;
            if (const auto same = without.series.find(key); same != without.series.end()) {
                QVERIFY(buckets == same->second);
                continue;
            }
            QCOMPARE(node, std::string("gpu-burst-0001"));
            QVERIFY(base::fromUnix(buckets.back().first * 300) < until);
            seen.insert(device);
        }
        QCOMPARE(seen.size(), std::size_t{8});
        const Facts after = fetched(kNow, {until, until + base::kDay}, many);
        QVERIFY(!after.nodes.contains("gpu-burst-0001"));
        QCOMPARE(after.devices.size(), without.devices.size());
        QVERIFY(after.series == fetched(kNow, {until, until + base::kDay}, few).series);
    }

    // What works on it is not there longer than its machine, and it is hardly used.
    void thePoolThatIsGivenBackIsHardlyUsed()
    {
        const base::UtcTime until = at("2026-10-07");
        const Facts facts =
            fetched(kNow, {until - 28 * base::kDay, kNow}, {{"gpus", "100"}, {"burst-until", "2026-10-07"}});
        std::int64_t held = 0, paid = 0;
        for (const auto &[key, buckets] : facts.series) {
            const auto &[device, instance, node, pod, role] = key;
            if (node != "gpu-burst-0001")
                continue;
            for (const auto &[number, bucket] : buckets) {
                paid += bucket.observed;
                held += pod.empty() ? 0 : bucket.observed;
            }
        }
        QVERIFY2(held > 0 && held * 20 < paid, std::to_string(held).c_str());
        int pods = 0;
        for (const auto &[key, known] : facts.holders) {
            if (known.holder.node != "gpu-burst-0001")
                continue;
            ++pods;
            QVERIFY(known.holder.completedAt && *known.holder.completedAt <= until && known.seen.end <= until);
        }
        QVERIFY(pods >= 2);
    }

    void dependsOnTheSeed()
    {
        const TimeRange range{at("2026-10-01"), at("2026-10-02")};
        const Facts one = fetched(kNow, range, {{"seed", "1"}});
        const Facts again = fetched(kNow, range, {{"seed", "1"}});
        const Facts two = fetched(kNow, range, {{"seed", "2"}});
        QVERIFY(one.series == again.series);
        QVERIFY(one.series != two.series);
    }

    void honoursTheWindow()
    {
        // Nothing before 60 days ago and nothing after now, whatever range is requested.
        const Facts facts = fetched(kNow, {kNow - 90 * base::kDay, base::ceilTo(kNow + base::kDay, base::kDay)},
                                    {{"gpus", "1"}, {"days", "2"}});
        QVERIFY(facts.doneTo == base::ceilTo(kNow + base::kDay, base::kDay));
        std::int64_t first = INT64_MAX, last = 0;
        for (const auto &[key, buckets] : facts.series) {
            first = std::min(first, buckets.front().first);
            last = std::max(last, buckets.back().first);
        }
        QVERIFY(base::fromUnix(first * 300) == at("2026-10-12"));
        QVERIFY(base::fromUnix(last * 300 + 300) == kNow);
        const base::FrozenClock clock(kNow);
        demo::DemoSource source("demo", {}, clock);
        Facts sink;
        QVERIFY(source.fetch({kNow + base::Seconds{1}, kNow + base::kDay}, sink, {}).error().code
                == base::ErrorCode::InvalidArgument);
    }

    void scalesWithTheOption()
    {
        for (const int gpus : {100, 1000}) {
            const Facts facts =
                fetched(kNow, {at("2026-10-13"), at("2026-10-13T01:00:00Z")}, {{"scale", std::to_string(gpus)}});
            QVERIFY(facts.devices.size() >= static_cast<std::size_t>(gpus));
            QVERIFY(facts.devices.size() < static_cast<std::size_t>(gpus) + 8);
        }
    }

    void refusesWrongOptions()
    {
        const base::FrozenClock clock(kNow);
        const std::map<std::string, std::string> wrong[] = {
            {{"gpus", "0"}}, {{"gpus", "many"}},  {{"days", "-1"}},
            {{"seed", ""}},  {{"colour", "red"}}, {{"burst-until", "2026-10-17T05:00:00Z"}}};
        for (const auto &options : wrong) {
            model::SourceSettings settings;
            settings.options = options;
            const auto made = demo::DemoSource::create(settings, clock);
            QVERIFY(!made);
            QVERIFY(made.error().code == base::ErrorCode::InvalidConfig);
        }
    }

    void stopsAtOnce()
    {
        const base::FrozenClock clock(kNow);
        demo::DemoSource source("demo", {1, 10'000, 60}, clock);
        Facts sink;
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        std::jthread asker([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        const auto done = source.fetch({kNow - base::kDay, kNow}, sink, stop.get_token());
        const auto ended = std::chrono::steady_clock::now();
        asker.join();
        QVERIFY(done.error().code == base::ErrorCode::Cancelled);
        QVERIFY(ended - asked < std::chrono::milliseconds(200));
        QVERIFY(source.probe(stop.get_token()).error().code == base::ErrorCode::Cancelled);
    }

    void isReachedThroughTheRegistry()
    {
        tests::NoSecrets secrets;
        const base::FrozenClock clock(kNow);
        const auto catalog = connectors::makeSourceCatalog();
        model::SourceSettings settings;
        settings.name = "show";
        settings.kind = "demo";
        auto source = catalog->create(settings, {}, secrets, clock);
        QVERIFY(source);
        QCOMPARE((*source)->name(), std::string("show"));
        const auto report = (*source)->probe({});
        QVERIFY(report && report->usable);
        QVERIFY(ui::textOf(report->findings.front()).english().find("3 clusters, 92 days") != std::string::npos);
        settings.kind = "crystal-ball";
        QVERIFY(catalog->create(settings, {}, secrets, clock).error().code == base::ErrorCode::Unsupported);
    }
};

GPULEDGER_PLAIN_SUITE(DemoSourceTest)

} // namespace tst_demosource

#include "tst_demosource.moc"
