// SPDX-License-Identifier: GPL-3.0-or-later
// Tags of bill lines that could name an owner: the preview of their effect equals the ledger once the rule is in use.
#include "app/insight/spend/ledgerquery.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/ledger.h"
#include "app/ledger/rules/ownerrules.h"
#include "app/model/money/mangledlabel.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/spend/spendservice.h"
#include "app/services/workspace/workspace.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_tagsurvey {

using namespace gpuledger;
using namespace gpuledger::tests;
using ledger::TagPreview;
using model::OwnerRule;
using Kind = model::OwnerRule::Kind;

namespace {

constexpr std::int64_t kUsd = 1'000'000'000; // nano-units
constexpr char kDay[] = "2025-01-06";

OwnerRule rule(Kind kind, std::string key, std::string pattern = {}, std::string team = {})
{
    return {kind, OwnerRule::Match::Exact, std::move(key), std::move(pattern), std::move(team), {}, {}};
}

model::Settings with(std::vector<OwnerRule> owners)
{
    model::Settings settings = pricedSettings();
    settings.owners = std::move(owners);
    return settings;
}

model::BillLine charge(std::int64_t usd, model::Labels tags, const std::string &machine = {})
{
    model::BillLine line;
    line.billingAccountId = "account";
    const base::UtcTime start = base::parseTime(kDay).value();
    line.billingPeriod = insight::Month{2025, 1}.range();
    line.chargePeriod = {start, start + base::kDay};
    line.billed = base::Money(2 * usd * kUsd, base::Currency::usd());
    line.effective = base::Money(usd * kUsd, base::Currency::usd());
    line.tags = std::move(tags);
    line.product.provider = "AWS";
    line.product.serviceCategory = machine.empty() ? "Storage" : "Compute";
    line.consumedQuantity.unit = machine.empty() ? "GB" : "Hours";
    line.resource.id = machine.empty() ? "bucket" : "i-" + machine;
    return line;
}

// Three machines: one of team vision, one with a pod without labels, one without a holder. And storage.
class Company {
public:
    explicit Company(const std::vector<model::BillLine> &lines)
        : folder(dir.path().toStdString())
        , clock(base::parseTime("2025-01-20T00:00:00Z").value())
        , workspace(services::Workspace::open(with({rule(Kind::Label, "team")}), {folder, "UTC", false, "alex"},
                                              catalog, secrets, clock)
                        .value())
    {
        const auto store = store::LedgerStore::open(folder).value();
        const auto ledger = ledger::Ledger::create(workspace->settings()).value();
        Scenario day(1, kDay);
        for (const std::string name : {"owned", "silent", "free"}) {
            const auto node = day.node(name);
            day.batch.nodes[node].providerId = "aws:///us-east-1a/i-" + name;
            day.batch.nodes[node].cloud = "aws";
            const auto device = day.device("GPU-" + name);
            auto label = Scenario::kNone;
            if (name != "free") {
                label = day.label("train-" + name);
                const auto pod = day.pod("train-" + name, "uid-" + name, name);
                if (name == "owned")
                    day.batch.holders[pod].labels = {{"team", "vision"}};
                day.runs(pod, 0, Scenario::kDaySeconds);
            }
            day.reports(device, label, node, 0, Scenario::kDaySeconds, name == "free" ? 0 : 100);
        }
        if (!ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", day.batch))
            qFatal("telemetry is refused");
        ports::BillBatch batch;
        batch.key = {"bill", "account", insight::Month{2025, 1}.range().start};
        batch.lines = lines;
        auto transaction = store->beginBills("bill", {{"/bills/a", "a", 1}}, clock.now());
        if (!lines.empty()
            && (!transaction || !(*transaction)->accept(batch)
                || !ledger::LedgerWriter(*store, ledger->rollup()).commit(**transaction)))
            qFatal("the bill is refused");
    }

    base::TimeRange range() const
    {
        const base::UtcTime start = base::parseTime(kDay).value();
        return {start, start + base::kDay};
    }

    // The effective cost of "unowned" in the ledger with these rules in use.
    std::int64_t unownedBy(const std::vector<OwnerRule> &owners)
    {
        if (!workspace->apply(with(owners)))
            qFatal("the rules are refused");
        insight::LedgerQuery query;
        query.range = range();
        query.by = {insight::LedgerDimension::Team};
        const auto answer = workspace->spend().ledger(query).value();
        std::int64_t sum = 0;
        for (const insight::LedgerRow &row : answer.rows)
            sum += row.keys[0] == ledger::kUnowned ? row.effective.nanos() : 0;
        return sum;
    }

    std::optional<TagPreview> preview(const std::vector<OwnerRule> &owners)
    {
        return workspace->fleet().testRules(range(), owners, {}).value().bills;
    }

    QTemporaryDir dir;
    std::filesystem::path folder;
    base::FrozenClock clock;
    gpuledger::tests::FakeCatalog catalog;
    gpuledger::tests::NoSecrets secrets;
    std::unique_ptr<services::Workspace> workspace;
};

const std::vector<model::BillLine> &lines()
{
    static const std::vector<model::BillLine> all{
        charge(50, {{"cost-center", "cc1"}, {"build-hash", "0123abcd"}}),
        charge(33, {{"CostCenter", "cc2"}}), // the spelling of another provider
        charge(12, {{"project", "p1"}}),
        charge(5, {}),
        charge(24, {{"cost-center", "cc1"}}, "owned"),
        charge(100, {{"cost-center", "cc3"}, {"project", "p2"}}, "silent"),
        charge(40, {{"cost-center", "cc1"}}, "free"),
    };
    return all;
}

} // namespace

class TestTagSurvey : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsHowMuchOfTheUnownedATagCovers()
    {
        Company company(lines());
        const auto preview = company.preview({rule(Kind::Label, "team")});
        QVERIFY(preview);
        QCOMPARE(preview->all.nanos(), 264 * kUsd);
        QCOMPARE(preview->unowned.nanos(), 200 * kUsd); // cost without a holder is shared, not unowned
        QCOMPARE(preview->tags.size(), std::size_t{2}); // a hash does not identify a team
        const TagPreview::Tag &center = preview->tags[0], &project = preview->tags[1];
        QCOMPARE(model::mangledLabel(center.key), std::string("cost_center"));
        QCOMPARE(center.carried.nanos(), 247 * kUsd);
        QCOMPARE(center.unowned.nanos(), 183 * kUsd);
        QCOMPARE(center.values, std::size_t{3});
        QCOMPARE(project.key, std::string("project"));
        QCOMPARE(project.unowned.nanos(), 112 * kUsd);
    }

    // Rules for workloads come before those for tags, and the parts are the whole bill.
    void countsTheBillsThatEachRuleDecides()
    {
        Company company(lines());
        const auto preview =
            company.preview({rule(Kind::Label, "team"), rule(Kind::CloudTag, "cost-center", "cc1", "platform"),
                             rule(Kind::CloudTag, "project")});
        QVERIFY(preview);
        QCOMPARE(preview->rules.size(), std::size_t{4});
        QCOMPARE(preview->rules[0].nanos(), 24 * kUsd); // the machine of team vision, whatever its tag
        QCOMPARE(preview->rules[1].nanos(), 90 * kUsd); // storage, and the machine without a holder
        QCOMPARE(preview->rules[2].nanos(), 112 * kUsd); // storage, and the pod without labels
        QCOMPARE(preview->rules[3].nanos(), 38 * kUsd);
        QCOMPARE(preview->all.nanos(), 264 * kUsd);
    }

    void saysWhatTheLedgerWillSay_data()
    {
        QTest::addColumn<int>("which");
        for (int i = 0; i < 7; ++i)
            QTest::addRow("%d", i) << i;
    }
    void saysWhatTheLedgerWillSay()
    {
        QFETCH(int, which);
        const std::vector<std::vector<OwnerRule>> all{
            {rule(Kind::Label, "team")},
            {rule(Kind::Label, "team"), rule(Kind::CloudTag, "cost-center")},
            {rule(Kind::CloudTag, "project")},
            {rule(Kind::Label, "other"), rule(Kind::CloudTag, "CostCenter", "cc1", "platform")},
            {rule(Kind::Label, "other"), rule(Kind::Account, {}, "account", "platform")},
            {rule(Kind::Namespace, {}, "ml", "science")},
            {rule(Kind::Label, "other")},
        };
        Company company(lines());
        const auto &rules = all[static_cast<std::size_t>(which)];
        const auto preview = company.preview(rules);
        QVERIFY(preview);
        QCOMPARE(preview->unowned.nanos(), company.unownedBy(rules));
    }

    // A suggested rule has the effect that was previewed.
    void aSuggestedRuleClaimsWhatItSaid()
    {
        Company company(lines());
        std::vector<OwnerRule> rules{rule(Kind::Label, "team")};
        const auto before = company.preview(rules);
        rules.push_back(rule(Kind::CloudTag, before->tags.front().key));
        const auto after = company.preview(rules);
        QCOMPARE(after->unowned.nanos(), before->unowned.nanos() - before->tags.front().unowned.nanos());
        QCOMPARE(company.unownedBy(rules), 17 * kUsd);
    }

    void withoutABillThereIsNothingToSay()
    {
        Company company({});
        QVERIFY(!company.preview({rule(Kind::Label, "team")}));
    }

    void canBeStopped()
    {
        Company company(lines());
        std::stop_source stop;
        stop.request_stop();
        const auto done = company.workspace->fleet().testRules(company.range(), stop.get_token());
        QVERIFY(!done && done.error().code == base::ErrorCode::Cancelled);
    }
};

GPULEDGER_SUITE(TestTagSurvey)

} // namespace tst_tagsurvey

#include "tst_tagsurvey.moc"
