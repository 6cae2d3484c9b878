// SPDX-License-Identifier: GPL-3.0-or-later
// Interruption histories that the configuration names: which market they are for, and what of them counts.
#include "app/services/savingsinputs/spot/spotfacts.h"
#include "resources/resources.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

namespace tst_spothistories {

using namespace gpuledger;
using services::SpotHistories;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kBegan = 1'790'812'800; // 2026-10-01

class SpotFiles {
public:
    model::SpotHistoryFile file(const std::string &name, const std::string &text, std::int64_t began = kBegan) const
    {
        const std::string path = (m_dir.path().toStdString() + '/') + name;
        std::ofstream(path, std::ios::binary) << text;
        return {path, base::fromUnix(began)};
    }
    model::SpotHistoryFile missing() const { return {m_dir.path().toStdString() + "/none.csv", base::fromUnix(0)}; }
    model::SpotHistoryFile folder() const { return {m_dir.path().toStdString(), base::fromUnix(0)}; }

private:
    QTemporaryDir m_dir;
};

// `pairs` times 9 hours with capacity and one without.
std::string traceOf(const std::string &zone, int pairs, const std::string &machine = "p4d.24xlarge")
{
    std::string text = "trace,zone,instance_type,gpu,gpus,tick_s,start_s,duration_s,available\n";
    const auto add = [&](std::int64_t start, std::int64_t length, int state) {
        text += "t," + zone + ',' + machine + ",A100,8,600," + std::to_string(start) + ',' + std::to_string(length)
            + ',' + std::to_string(state) + '\n';
    };
    for (int i = 0; i < pairs; ++i) {
        add(i * 10 * kHour, 9 * kHour, 1);
        add(i * 10 * kHour + 9 * kHour, kHour, 0);
    }
    return text;
}

std::optional<savings::SpotInterruptions> known(const SpotHistories &all, std::int64_t at,
                                                const std::string &region = "us-east-1")
{
    return services::historyOf(all, region, "P4D.24xlarge", base::fromUnix(at));
}

const ledger::PriceBook &prices()
{
    static const auto kCatalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
    static const auto kPrices =
        ledger::PriceBook::create({}, base::Currency::usd(), resources::find("prices/instances.csv").value(), kCatalog)
            .value();
    return kPrices;
}

} // namespace

class TestSpotHistories : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void zonesAreInTheirRegion()
    {
        for (const auto &[zone, region] : {std::pair("us-west-2a", "us-west-2"), std::pair("us-east1-b", "us-east1"),
                                           std::pair("eastus-1", "eastus"), std::pair("US-West-2A", "us-west-2"),
                                           std::pair("us-west-2", "us-west-2")})
            QVERIFY2(services::isZoneOf(zone, region), zone);
        for (const auto &[zone, region] :
             {std::pair("us-west-2a", "us-west-1"), std::pair("us-west-2a", "us-west"), std::pair("eastus2", "eastus"),
              std::pair("us-west-2-lax-1a", "us-west-2"), std::pair("us-east10-b", "us-east1"),
              std::pair("us-east-1-", "us-east-1"), std::pair("us-west-2a", ""), std::pair("", "us-west-2")})
            QVERIFY2(!services::isZoneOf(zone, region), zone);
    }

    void onlyWhatLiesBeforeCounts()
    {
        const SpotFiles files;
        const auto file = files.file("a.csv", traceOf("us-east-1a", 100)); // 1000 hours
        const std::int64_t at = kBegan + 604 * kHour; // in the middle of a time with capacity
        const SpotHistories all = services::readSpotHistories({file}, base::fromUnix(at));
        QVERIFY(all.unread.empty());
        const auto found = known(all, at);
        QVERIFY(found && found->history.size() == 1);
        QCOMPARE(found->basis, savings::SpotBasis::History);
        QCOMPARE(found->history.front().begin(), kBegan);
        QCOMPARE(found->history.front().end(), at);
        QVERIFY(found->history.front().intervals.back().available);
        QCOMPARE(savings::shapeOf(found->history).interruptions, 60);
        QVERIFY(!found->now); // the state at that time is known
        QCOMPARE(found->source, std::string("a.csv"));
        QVERIFY(found->seen == base::dayOf(base::fromUnix(at - 1)));
        QVERIFY(!known(all, at, "us-east-2"));
        QVERIFY(!services::historyOf(all, "us-east-1", "p4de.24xlarge", base::fromUnix(at)));
    }

    void whatEndedBeforeSaysNothingOfThePresentState()
    {
        const SpotFiles files;
        const auto file = files.file("a.csv", traceOf("us-east-1a", 10));
        const std::int64_t end = kBegan + 100 * kHour;
        for (const auto &[at, isPresent] : {std::pair(end + kHour, true), std::pair(end + kHour + 1, false)}) {
            const auto found = known(services::readSpotHistories({file}, base::fromUnix(at)), at);
            QVERIFY(found.has_value());
            QCOMPARE(found->now, isPresent ? std::optional<std::int64_t>() : std::optional(at));
            QVERIFY(found->seen == base::dayOf(base::fromUnix(end - 1)));
        }
    }

    void onlyTheLastNinetyDaysCount()
    {
        const SpotFiles files;
        const auto file = files.file("a.csv", traceOf("us-east-1a", 300)); // 125 days
        const std::int64_t at = kBegan + 400 * kDay;
        const auto found = known(services::readSpotHistories({file}, base::fromUnix(at)), at);
        QVERIFY(found.has_value());
        QCOMPARE(found->history.front().begin(), kBegan + 35 * kDay);
        QCOMPARE(found->history.front().end(), kBegan + 125 * kDay);
    }

    // Zones of the region together, each file with its own begin.
    void filesAreOneHistory()
    {
        const SpotFiles files;
        const std::int64_t at = kBegan + 100 * kHour;
        const SpotHistories all = services::readSpotHistories(
            {files.file("b.csv", traceOf("us-east-1b", 5), kBegan + kDay),
             files.file("a.csv", traceOf("us-east-1a", 10)), files.file("c.csv", traceOf("us-west-2a", 10))},
            base::fromUnix(at));
        const auto found = known(all, at);
        QVERIFY(found.has_value());
        QCOMPARE(found->history.size(), std::size_t{2});
        QCOMPARE(found->history[0].begin(), kBegan + kDay);
        QCOMPARE(found->history[1].begin(), kBegan);
        QCOMPARE(found->source, std::string("a.csv, b.csv"));
    }

    void tooLittleIsUnknown()
    {
        const SpotFiles files;
        const std::int64_t at = kBegan + 400 * kDay;
        const auto of = [&](const std::string &text) {
            return known(services::readSpotHistories({files.file("a.csv", text)}, base::fromUnix(at)), at);
        };
        QVERIFY(!of(traceOf("us-east-1a", 4)));
        QVERIFY(of(traceOf("us-east-1a", 5)).has_value());
        const std::string head = traceOf("us-east-1a", 0);
        const auto whole = [&](std::int64_t length) {
            return head + "t,us-east-1a,p4d.24xlarge,A100,8,600,0," + std::to_string(length) + ",1\n";
        };
        QVERIFY(!of(whole(14 * kDay - 1)));
        QVERIFY(of(whole(14 * kDay)).has_value()); // two weeks without an interruption say something
    }

    void badFilesSpoilNothing()
    {
        const SpotFiles files;
        const std::int64_t at = kBegan + 100 * kHour;
        std::string gap = traceOf("us-east-1a", 6);
        gap += "t,us-east-1a,p4d.24xlarge,A100,8,600,999999,60,1\n";
        const SpotHistories all = services::readSpotHistories(
            {files.missing(), files.folder(), files.file("gap.csv", gap), files.file("empty.csv", ""),
             files.file("late.csv", traceOf("us-east-1c", 10), at), files.file("good.csv", traceOf("us-east-1a", 10))},
            base::fromUnix(at));
        QCOMPARE(all.unread.size(), std::size_t{5});
        QCOMPARE(all.unread[0].why, std::string("there is no such file"));
        QVERIFY(all.unread[0].file.ends_with("none.csv"));
        QCOMPARE(all.unread[1].why, std::string("it is not a file"));
        QVERIFY2(all.unread[2].why.starts_with("line 14 of"), all.unread[2].why.c_str());
        QVERIFY2(all.unread[3].why.find("no column") != std::string::npos, all.unread[3].why.c_str());
        QVERIFY2(all.unread[4].why.find("2026-10-05T04:00:00Z") != std::string::npos, all.unread[4].why.c_str());
        const auto found = known(all, at);
        QVERIFY(found && found->history.size() == 1 && found->source == "good.csv");
    }

    // The file began in time; only what it says of that time counts.
    void aFirstIntervalThatIsTooLateIsNamed()
    {
        const SpotFiles files;
        const std::string rows =
            traceOf("us-east-1a", 0) + "t,us-east-1a,p4d.24xlarge,A100,8,600,360000,60,1\n"; // after 100 hours
        const SpotHistories all =
            services::readSpotHistories({files.file("a.csv", rows)}, base::fromUnix(kBegan + 100 * kHour));
        QCOMPARE(all.unread.size(), std::size_t{1});
        QCOMPARE(all.unread[0].why,
                 "its first interval begins at " + base::toRfc3339(base::fromUnix(kBegan + 100 * kHour))
                     + ", after the time that is asked about");
    }

    void theyReplaceWhatIsPublished()
    {
        const SpotFiles files;
        const std::int64_t at = kBegan + 100 * kHour;
        const SpotHistories all =
            services::readSpotHistories({files.file("a.csv", traceOf("us-east-1a", 10))}, base::fromUnix(at));
        const std::vector<savings::PublishedSpot> published{
            {"aws", "p4d.24xlarge", "us-east-1", "10-15%", 0.125, 67, base::dayOf(base::fromUnix(0)), "list"},
            {"aws", "p4d.24xlarge", "us-west-2", "10-15%", 0.125, 67, base::dayOf(base::fromUnix(0)), "list"}};
        const std::vector<ledger::NodeDay> nodes;
        const services::BilledCommitments bills(prices(), nodes);
        savings::SpotPast past;
        for (const char *region : {"us-east-1", "us-west-2"})
            past.markets.push_back({"aws", region, "p4d.24xlarge", std::nullopt, {}});
        QVERIFY(services::setSpotMarkets(past, {bills, published, {}, prices(), prices(), base::fromUnix(at), &all}));
        QCOMPARE(past.markets[0].interruptions.basis, savings::SpotBasis::History);
        QVERIFY(past.markets[0].interruptions.band.empty());
        QVERIFY(past.markets[0].price && past.markets[0].price->published); // a history says nothing about prices
        QCOMPARE(past.markets[1].interruptions.basis, savings::SpotBasis::Published);
        QVERIFY(!past.markets[1].placement);
        const std::vector<model::PlacementRating> ratings{
            {"aws", "us-west-2", {{"p4d.24xlarge"}, 1}, {{"usw2-az1", 4}}, base::fromUnix(at)}};
        QVERIFY(services::setSpotMarkets(
            past, {bills, published, {}, prices(), prices(), base::fromUnix(at), &all, nullptr, nullptr, &ratings}));
        QVERIFY(!past.markets[0].placement && past.markets[1].placement == ratings[0]);
        // What became of the user's own machines says more.
        const std::map<services::SpotKey, services::SeenSpot> seen{
            {{"aws", "us-east-1", "p4d.24xlarge"}, {base::Seconds{100 * kHour}, 10}}};
        savings::SpotPast own;
        own.markets.push_back({"aws", "us-east-1", "p4d.24xlarge", std::nullopt, {}});
        QVERIFY(services::setSpotMarkets(own, {bills, published, seen, prices(), prices(), base::fromUnix(at), &all}));
        QCOMPARE(own.markets[0].interruptions.basis, savings::SpotBasis::Telemetry);
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotHistories)

} // namespace tst_spothistories

#include "tst_spothistories.moc"
