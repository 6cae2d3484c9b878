// SPDX-License-Identifier: GPL-3.0-or-later
// How likely the demo company's cloud grants spot machines: on the scale, the same for a day, and in its savings.
#include "app/services/environment/demosettings.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/demo/demoplacement.h"
#include "tests/support/fakes/nosecrets.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace tst_demoplacement {

using namespace gpuledger;
using demo::DemoPlacement;
using model::PlacementQuestion;
using model::PlacementRating;

namespace {

const base::UtcTime kNow = base::parseTime("2026-11-21T12:00:00Z").value();

const std::vector<std::string> kTypes{"g5.12xlarge", "g5.24xlarge", "g5.48xlarge"};

PlacementRating ratingAt(base::UtcTime now, const PlacementQuestion &question)
{
    return DemoPlacement("bill", "us-east-1", 1).placement(question, now, {}).value();
}

} // namespace

class DemoPlacementTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ratingsAreOnTheScale()
    {
        std::set<int> seen;
        for (const std::int64_t count : {std::int64_t{1}, std::int64_t{64}, INT64_MAX}) {
            for (int day = 0; day < 100; ++day) {
                const PlacementRating one = ratingAt(kNow + day * base::kDay, {kTypes, count});
                QCOMPARE(one.zones.size(), std::size_t{4});
                for (const auto &zone : one.zones) {
                    QVERIFY(zone.second >= model::kWorstPlacement && zone.second <= model::kBestPlacement);
                    seen.insert(zone.second);
                }
            }
        }
        QVERIFY(seen.size() > 6);
    }

    void aDayHasOneRating()
    {
        const PlacementQuestion question{kTypes, 8};
        const PlacementRating one = ratingAt(kNow, question);
        QVERIFY(one.cloud == "aws" && one.region == "us-east-1" && one.asked == question && one.at == kNow);
        QVERIFY(ratingAt(kNow + base::Seconds{3600}, question).zones == one.zones);
        std::set<std::map<std::string, int>> days;
        for (int day = 0; day < 5; ++day)
            days.insert(ratingAt(kNow + day * base::kDay, question).zones);
        QVERIFY(days.size() > 1);
        for (const auto &zone : ratingAt(kNow, {question.machines, 1}).zones)
            QVERIFY(one.zones.at(zone.first) <= zone.second); // more machines are harder to get
    }

    void fewTypesAreRatedLow()
    {
        for (const auto &zone : ratingAt(kNow, {{"p4d.24xlarge"}, 1}).zones)
            QVERIFY(zone.second <= 3);
    }

    void theSavingsShowIt()
    {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        const base::FrozenClock clock(kNow);
        const auto catalog = connectors::makeSourceCatalog();
        tests::NoSecrets secrets;
        services::WorkspaceOptions where;
        where.dataFolder = folder;
        const services::DemoOptions options = services::begunAt(kNow, {{"gpus", "56"}}, folder);
        const auto workspace =
            services::Workspace::open(services::demoSettings(options, folder), where, *catalog, secrets, clock).value();
        const auto reports = workspace->sources().sync(std::nullopt, {}, {});
        QVERIFY(reports.has_value());
        services::SavingsQuery query;
        query.kind = savings::Kind::Spot;
        const auto answer = workspace->savings().savings(query);
        QVERIFY2(answer.has_value(), answer ? "" : answer.error().text.c_str());
        std::size_t told = 0;
        for (const savings::Proposal &one : answer->items) {
            if (tests::evidenceOf(one, "chance of getting spot machines, by the cloud (1 to 10)").empty())
                continue;
            ++told;
            QCOMPARE(tests::evidenceOf(one, "date of this chance"), std::string("2026-11-21"));
        }
        QVERIFY(told > 0);
    }
};

GPULEDGER_SUITE(DemoPlacementTest)

} // namespace tst_demoplacement

#include "tst_demoplacement.moc"
