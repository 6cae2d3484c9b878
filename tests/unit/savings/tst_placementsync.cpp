// SPDX-License-Identifier: GPL-3.0-or-later
// When a sync asks a cloud how likely it grants spot machines, and what it keeps of the answers.
#include "app/services/engine/engine.h"
#include "app/services/prices/placementmemory.h"
#include "app/services/sources/placementsync.h"
#include "app/services/sources/pricelistsync.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tst_placementsync {

using namespace gpuledger;
using base::ErrorCode;
using base::Result;
using model::PlacementQuestion;
using model::PlacementRating;
using services::KeptPlacement;
using services::SyncReport;

namespace {

constexpr char kCloud[] = "cloud";

class TestClock final : public base::Clock {
public:
    base::UtcTime now() const override { return time; }
    base::UtcTime time = base::parseTime("2026-11-20T12:00:00Z").value();
};

// What a fake cloud answers, and what it was asked.
struct ToldRatings {
    bool rates = true;
    std::vector<PlacementQuestion> asked;
    std::vector<std::string> order; // "prices" and "placement", as they were asked for
    std::function<Result<PlacementRating>(std::size_t number, const PlacementQuestion &, base::UtcTime)> answer;
};

PlacementRating ratingFor(const PlacementQuestion &question, base::UtcTime now, int value = 7)
{
    return {"aws", "us-east-1", question, {{"use1-az1", value}}, now};
}

class FakeRatings final : public ports::PriceSource {
public:
    explicit FakeRatings(ToldRatings &told)
        : m_told(told)
    {
    }
    const std::string &name() const override { return m_name; }
    std::string provider() const override { return "aws"; }
    std::vector<std::string> lists() const override { return {"spot"}; }
    Result<ports::PricesTold> read(const ports::PricesAsked &, std::stop_token) override
    {
        m_told.order.emplace_back("prices");
        return base::fail(ErrorCode::Forbidden, "no prices");
    }
    bool ratesPlacement() const override { return m_told.rates; }
    Result<PlacementRating> placement(const PlacementQuestion &question, base::UtcTime now, std::stop_token) override
    {
        m_told.order.emplace_back("placement");
        m_told.asked.push_back(question);
        return m_told.answer ? m_told.answer(m_told.asked.size(), question, now) : ratingFor(question, now);
    }
    Result<std::vector<ports::Finding>> probe(std::stop_token) override { return std::vector<ports::Finding>(); }

private:
    std::string m_name = kCloud;
    ToldRatings &m_told;
};

class RatingCatalog final : public ports::SourceCatalog {
public:
    explicit RatingCatalog(ToldRatings &told)
        : m_told(told)
    {
    }
    ports::SourceKinds kinds() const override
    {
        using ports::Capability;
        return {{"demo", "Fake", {Capability::Telemetry}},
                {"prices", "Cloud", {Capability::Stops, Capability::Prices}}};
    }
    Result<std::unique_ptr<ports::TelemetrySource>> create(const model::SourceSettings &,
                                                           const std::vector<model::ExporterMappingText> &,
                                                           ports::SecretStore &, const base::Clock &) const override
    {
        tests::FakePlan plan; // a p4d.24xlarge
        plan.change = [](ports::FactBatch &batch) {
            model::Node other = batch.nodes.front();
            other.name = "node-2";
            other.instanceType = "g5.12xlarge";
            batch.nodes.push_back(other);
            batch.nodeSpans.push_back({1, batch.covered});
        };
        return std::make_unique<tests::FakeSource>(plan);
    }
    Result<std::unique_ptr<ports::PriceSource>> createPrices(const model::SourceSettings &, ports::SecretStore &,
                                                             const base::Clock &) const override
    {
        return std::make_unique<FakeRatings>(m_told);
    }

private:
    ToldRatings &m_told;
};

// A fleet of two machines with different GPUs in the region of a source that rates placement.
struct Bench {
    Bench()
    {
        settings.timeZone = "UTC";
        model::SourceSettings &telemetry = settings.sources.emplace_back();
        telemetry.name = "fake";
        telemetry.kind = "demo";
        telemetry.firstSync = base::kDay;
        model::SourceSettings &cloud = settings.sources.emplace_back();
        cloud.name = kCloud;
        cloud.kind = "prices";
        cloud.auth.region = "us-east-1";
        services::WorkspaceOptions where;
        where.dataFolder = folder.path().toStdString();
        {
            auto workspace = services::Workspace::open(settings, where, catalog, secrets, clock).value();
            if (!workspace->sources().sync("fake", {}, {}))
                qFatal("no telemetry");
        }
        engine = services::Engine::open(settings, where, catalog, secrets, clock).value();
    }

    // Without the report of the price list, which always says that a right is missing.
    std::optional<SyncReport> sync(const std::optional<std::string> &source = {}, const std::stop_token &stop = {})
    {
        for (SyncReport &report : services::syncPriceLists(*engine, source, base::Seconds{0}, stop)) {
            if (report.name == "source:cloud/placement")
                return std::move(report);
        }
        return std::nullopt;
    }
    KeptPlacement kept() const { return services::keptPlacement(engine->cache(), kCloud).value(); }

    QTemporaryDir folder;
    ToldRatings told;
    RatingCatalog catalog{told};
    tests::NoSecrets secrets;
    TestClock clock;
    model::Settings settings;
    std::unique_ptr<services::Engine> engine;
};

} // namespace

class TestPlacementSync : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksForEachModelAfterThePrices()
    {
        Bench bench;
        QVERIFY(!bench.sync());
        QCOMPARE(bench.told.order, (std::vector<std::string>{"prices", "placement", "placement"}));
        const std::vector<PlacementQuestion> &asked = bench.told.asked;
        const auto has = [](const PlacementQuestion &one, const std::string &type) {
            return std::find(one.machines.begin(), one.machines.end(), type) != one.machines.end();
        };
        QVERIFY(has(asked[0], "p4d.24xlarge") && has(asked[1], "g5.12xlarge") && has(asked[1], "g5.48xlarge"));
        QVERIFY(asked[0].count == 1 && asked[1].count == 1);
        const KeptPlacement kept = bench.kept();
        QVERIFY(kept.readAt == bench.clock.time && !kept.failedAt && !kept.fullAt && kept.failure.empty());
        QVERIFY(kept.ratings
                == std::vector({ratingFor(asked[0], bench.clock.time), ratingFor(asked[1], bench.clock.time)}));
    }

    void asksOnceADay()
    {
        Bench bench;
        bench.sync();
        bench.clock.time += services::kPlacementPause - base::Seconds{1};
        bench.sync();
        QCOMPARE(bench.told.asked.size(), std::size_t{2});
        bench.clock.time += base::Seconds{1};
        bench.sync();
        QCOMPARE(bench.told.asked.size(), std::size_t{4});
        QCOMPARE(bench.kept().ratings.size(), std::size_t{2});
        bench.sync(kCloud); // by its name, as its price lists
        QCOMPARE(bench.told.asked.size(), std::size_t{6});
        bench.sync("fake");
        QCOMPARE(bench.told.asked.size(), std::size_t{6});
    }

    void asksOnlyWhoRates()
    {
        Bench bench;
        bench.told.rates = false;
        bench.sync();
        QVERIFY(bench.told.asked.empty() && bench.kept() == KeptPlacement());
    }

    void aMissingRightIsOnlyKept()
    {
        Bench bench;
        bench.told.answer = [](auto, const auto &, auto) -> Result<PlacementRating> {
            return base::fail(ErrorCode::Forbidden, "the right x is missing");
        };
        QVERIFY(!bench.sync());
        QCOMPARE(bench.told.asked.size(), std::size_t{1});
        QCOMPARE(bench.kept().failure, std::string("the right x is missing"));
        QVERIFY(bench.kept().failedAt == bench.clock.time && !bench.kept().readAt);
        bench.told.answer = {};
        QVERIFY(!bench.sync());
        QVERIFY(!bench.kept().failedAt && bench.kept().ratings.size() == 2);
    }

    void aFailureLeavesWhatIsKept()
    {
        Bench bench;
        bench.sync();
        const auto before = bench.kept();
        bench.clock.time += base::kDay;
        bench.told.answer = [](std::size_t number, const PlacementQuestion &question,
                               base::UtcTime now) -> Result<PlacementRating> {
            if (number == 3)
                return ratingFor(question, now, 1);
            return base::fail(ErrorCode::Timeout, "no answer");
        };
        const auto report = bench.sync();
        QVERIFY(report && !report->error);
        QCOMPARE(report->warnings, (std::vector<std::string>{"its ratings of spot placement are left out: no answer"}));
        QVERIFY(bench.kept().ratings == before.ratings && bench.kept().readAt == before.readAt);
        QVERIFY(bench.kept().failedAt == bench.clock.time);
        QVERIFY(bench.sync()); // asked again
    }

    void tooManyQuestionsKeepTheAnswersUntilThen()
    {
        Bench bench;
        bench.sync();
        bench.clock.time += base::kDay;
        const base::UtcTime full = bench.clock.time;
        bench.told.answer = [](std::size_t number, const PlacementQuestion &question,
                               base::UtcTime now) -> Result<PlacementRating> {
            if (number == 3)
                return ratingFor(question, now, 1);
            return base::fail(ErrorCode::TooMuch, "no more questions today");
        };
        const auto report = bench.sync();
        QVERIFY(report && report->warnings.size() == 1);
        const KeptPlacement kept = bench.kept();
        QVERIFY(kept.readAt == full && kept.fullAt == full && kept.failedAt == full);
        QCOMPARE(kept.ratings.size(), std::size_t{2});
        QVERIFY(kept.ratings[1] == ratingFor(bench.told.asked[0], full, 1)); // the other one is that of yesterday
        QVERIFY(kept.ratings[0] == ratingFor(bench.told.asked[1], full - base::kDay));
        bench.clock.time += base::kDay - base::Seconds{1};
        bench.sync(kCloud);
        QCOMPARE(bench.told.asked.size(), std::size_t{4});
        bench.clock.time += base::Seconds{1};
        bench.told.answer = {};
        bench.sync(kCloud);
        QCOMPARE(bench.told.asked.size(), std::size_t{6});
        QVERIFY(!bench.kept().fullAt && bench.kept().failure.empty());
    }

    // The cloud doesn't have these machines there, which is no fault.
    void aQuestionWithoutRatingsDoesNotEndTheOthers()
    {
        Bench bench;
        bench.told.answer = [](std::size_t number, const PlacementQuestion &question,
                               base::UtcTime now) -> Result<PlacementRating> {
            if (number == 1)
                return base::fail(ErrorCode::Unsupported, "it has none of them");
            return ratingFor(question, now);
        };
        QVERIFY(!bench.sync());
        QVERIFY(bench.kept().ratings.size() == 1 && bench.kept().readAt == bench.clock.time);
        QCOMPARE(bench.kept().failure, std::string("it has none of them"));
    }

    void ratingsOffTheScaleAreDropped()
    {
        Bench bench;
        bench.told.answer = [](auto, const PlacementQuestion &question, base::UtcTime now) -> Result<PlacementRating> {
            PlacementRating one = ratingFor(question, now);
            one.zones = {{"a", 11}, {"b", 0}, {"c", 10}, {"", 5}, {"d\n", 5}, {std::string(65, 'e'), 5}};
            return one;
        };
        bench.sync();
        QCOMPARE(bench.kept().ratings.size(), std::size_t{2});
        QVERIFY((bench.kept().ratings[0].zones == std::map<std::string, int>{{"c", 10}}));
    }

    void stopsWhenItIsTold()
    {
        Bench bench;
        std::stop_source stop;
        bench.told.answer = [&](auto, const auto &, auto) -> Result<PlacementRating> {
            stop.request_stop();
            return base::fail(ErrorCode::Cancelled, "stopped");
        };
        const auto report = bench.sync({}, stop.get_token());
        QVERIFY(report && report->error && report->error->code == ErrorCode::Cancelled);
        QVERIFY(bench.kept() == KeptPlacement());
        bench.sync({}, stop.get_token());
        QCOMPARE(bench.told.asked.size(), std::size_t{1});
    }

    // Two programs may ask at the same time: neither holds what the other needs.
    void theCacheIsFreeWhileTheCloudAnswers()
    {
        Bench bench;
        bench.told.answer = [&](auto, const PlacementQuestion &question, base::UtcTime now) -> Result<PlacementRating> {
            if (const auto write = bench.engine->cache().putMemory("other", "text"); !write)
                return base::fail(write.error());
            return ratingFor(question, now);
        };
        QVERIFY(!bench.sync());
        QCOMPARE(bench.kept().ratings.size(), std::size_t{2});
    }
};

GPULEDGER_SUITE(TestPlacementSync)

} // namespace tst_placementsync

#include "tst_placementsync.moc"
