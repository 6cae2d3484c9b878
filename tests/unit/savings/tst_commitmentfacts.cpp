// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of the commitments, from bills and telemetry in a cache: whose money it is, and what is unknown.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/services/engine/engine.h"
#include "app/services/prices/listedprices.h"
#include "app/services/prices/paidprices.h"
#include "app/services/savings/savingsengines.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <set>

namespace tst_commitmentfacts {

using namespace gpuledger;
using namespace gpuledger::tests;
using savings::Proposal;

namespace {

constexpr int kDays = 21;
constexpr std::int64_t kEnd = kDays * Scenario::kDaySeconds;
const char *const kType = "p5.48xlarge";
const std::string kBilledId = "commitments:aws/1/us-east-1/p5.48xlarge/"; // then the currency
const std::string kUnbilledId = "commitments:aws//us-east-1/p5.48xlarge/";

// A rented machine with one GPU that is held all the time.
void addMachine(Scenario &fleet, const std::string &name, const std::string &type, bool recorded = true)
{
    const auto node = fleet.node(name, {}, recorded);
    fleet.batch.nodes[node].cloud = "aws"; // allowed: a cloud
    fleet.batch.nodes[node].instanceType = type;
    fleet.batch.nodes[node].region = "us-east-1";
    const auto device = fleet.device("GPU-" + name);
    const auto label = fleet.label("train-" + name, "uid-" + name);
    fleet.runs(fleet.pod("train-" + name, "uid-" + name, name), 0, kEnd);
    fleet.reports(device, label, node, 0, kEnd, 90);
}

class Fleet {
public:
    Fleet()
        : folder(dir.path().toStdString())
        , store(store::LedgerStore::open(folder).value())
        , ledger(ledger::Ledger::create(pricedSettings()).value())
    {
    }

    void measure(const Scenario &fleet)
    {
        m_range = fleet.covered();
        if (!ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", fleet.batch))
            qFatal("telemetry is refused");
    }

    // One machine on demand on the days [first, kDays) of the scenario, on a machine that the bill does not name.
    void bill(const Scenario &fleet, int first, const std::vector<base::Currency> &currencies)
    {
        ports::BillBatch batch;
        const base::TimeRange period{fleet.day(-1).start(), fleet.day(29).start()}; // November
        batch.key = {"bill", "1", period.start};
        for (int day = first; day < kDays; ++day) {
            for (const base::Currency currency : currencies)
                batch.lines.push_back(lineOf(period, {fleet.day(day).start(), fleet.day(day).end()}, currency));
        }
        auto transaction = store->beginBills("bill", {{"/bills/1", "1", 1}}, m_range.end).value();
        if (!transaction->accept(batch) || !ledger::LedgerWriter(*store, ledger->rollup()).commit(*transaction))
            qFatal("the bill is refused");
    }

    std::vector<Proposal> ask(model::CostView cost = model::CostView::Effective)
    {
        return replay(cost, {}).proposals({}, {}).value();
    }

    // With own offers; empty: none.
    services::SavingsReplay replay(model::CostView cost, const std::string &offers)
    {
        const auto known = services::priceLists().value();
        const auto own = offers.empty() ? nullptr
                                        : std::make_shared<const savings::QuoteList>(
                                            savings::readOwnOffers(offers, "offers.csv", known.catalog).value());
        const base::FrozenClock clock(m_range.end);
        auto settings = pricedSettings();
        settings.prices.own = lists;
        const auto engine =
            services::Engine::open(settings, {folder, "UTC", false, "alex"}, catalog, secrets, clock).value();
        return services::commitmentReplay(*engine, {m_range, cost, nullptr, own}, {}).value();
    }

    // Names a list in the configuration; a sync has read it if there are `offers`.
    void configure(const std::string &file, const std::string &offers)
    {
        lists.push_back({file, {}, {}, {}});
        if (offers.empty())
            return;
        const auto catalogue = services::priceLists().value().catalog;
        const auto read = savings::readOwnOffers(offers, file, catalogue).value();
        if (!store->prices().put(file, services::offersOf(read), {}, m_range.end))
            qFatal("the list is refused");
    }
    std::vector<model::PriceList> lists;

private:
    static model::BillLine lineOf(base::TimeRange period, base::TimeRange day, base::Currency currency)
    {
        model::BillLine line;
        line.billingAccountId = "1";
        line.billingPeriod = period;
        line.chargePeriod = day;
        line.billed = line.effective = base::Money(2400 * base::Money::kNanosPerUnit, currency);
        line.pricing = model::PricingCategory::Standard;
        line.product.provider = "AWS";
        line.product.skuDetails["InstanceType"] = kType;
        line.resource.regionId = "us-east-1";
        line.consumedQuantity = line.pricingQuantity = {base::Decimal::parse("24").value(), "Hours"};
        return line;
    }

    QTemporaryDir dir;
    std::filesystem::path folder;
    FakeCatalog catalog;
    NoSecrets secrets;
    std::unique_ptr<store::LedgerStore> store;
    std::unique_ptr<ledger::Ledger> ledger;
    base::TimeRange m_range;
};

const Proposal &only(const std::vector<Proposal> &list, const std::string &id)
{
    const auto starts = [&](const Proposal &one) { return one.id.starts_with(id); };
    if (std::count_if(list.begin(), list.end(), starts) != 1)
        qFatal("not one proposal has this id");
    tests::checked(list);
    return *std::find_if(list.begin(), list.end(), starts);
}

} // namespace

class TestCommitmentFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesWithoutAnIdShareTheMoneyOfTheType()
    {
        Scenario fleet(kDays);
        addMachine(fleet, "node-1", kType);
        addMachine(fleet, "node-2", "P5.48xlarge");
        addMachine(fleet, "node-3", "g5.xlarge");
        Fleet facts;
        facts.measure(fleet);
        facts.bill(fleet, 0, {base::Currency::usd()});
        const auto list = facts.ask();
        const Proposal &one = only(list, kBilledId);
        QCOMPARE(one.resources.size(), std::size_t(2));
        QVERIFY(!one.resources[0].starts_with("bill:"));
    }

    void machinesOutsideTheTelemetryAreTheBills()
    {
        Scenario fleet(kDays);
        addMachine(fleet, "node-1", "g5.xlarge");
        Fleet facts;
        facts.measure(fleet);
        facts.bill(fleet, 0, {base::Currency::usd()});
        const auto list = facts.ask();
        QCOMPARE(only(list, kBilledId).resources, std::vector<std::string>{"bill:aws/1/us-east-1/p5.48xlarge"});
    }

    void eachCurrencyHasItsOwnProposal()
    {
        Scenario fleet(kDays);
        addMachine(fleet, "node-1", kType);
        Fleet facts;
        facts.measure(fleet);
        const auto euro = base::Currency::parse("EUR").value();
        facts.bill(fleet, 0, {base::Currency::usd(), euro});
        for (const model::CostView view : {model::CostView::Effective, model::CostView::List}) {
            const auto list = facts.ask(view);
            std::set<std::string> ids;
            for (const Proposal &one : list)
                QVERIFY2(ids.insert(one.id).second, one.id.c_str());
            QCOMPARE(only(list, kBilledId + "EUR").currency, std::string("EUR"));
            QCOMPARE(only(list, kBilledId + "USD").currency, std::string("USD"));
        }
        // The price list is in dollars.
        QVERIFY(tests::isExcludedBy(only(facts.ask(model::CostView::List), kBilledId + "EUR"),
                                    savings::RemarkText::NoOnDemandPrice));
    }

    // Of a bill of two days nothing is final.
    void aCloudWithoutFinalDaysIsUnbilled()
    {
        Scenario fleet(kDays);
        addMachine(fleet, "node-1", kType);
        Fleet facts;
        facts.measure(fleet);
        facts.bill(fleet, kDays - 2, {base::Currency::usd()});
        const auto list = facts.ask();
        QCOMPARE(only(list, kUnbilledId).resources.size(), std::size_t(1));
    }

    // Terms and payments of a file, beside each other; each row that is not used is counted.
    void ownOffersAreCompared()
    {
        Scenario fleet(kDays);
        addMachine(fleet, "node-1", kType);
        Fleet facts;
        facts.measure(fleet);
        facts.bill(fleet, 0, {base::Currency::usd()}); // 100 USD an hour
        const std::string offers =
            "provider,machine,gpu_model,gpus,region,currency,per_hour,term_months,payment,upfront,seen\n"
            "AWS,P5.48xlarge,H100 SXM,8,us-east-1,USD,60,12,none,,2026-11-01\n"
            "aws,p5.48xlarge,H100 SXM,8,,USD,10,36,partial,788400,2026-11-02\n" // 40 an hour
            "aws,,H100 SXM,8,us-east-1,USD,50,18,,,\n" // for a machine of this shape
            "aws,p5.48xlarge,H100 SXM,8,,EUR,1,12,,,\n"
            "aws,p5.48xlarge,H100 SXM,8,,USD,0,12,,,\n"
            "aws,p5.48xlarge,H100 SXM,8,,USD,-3,12,,,\n"
            "aws,p5.48xlarge,H100 SXM,8,,USD,3,,,,\n" // on demand
            "aws,p5.48xlarge,H100 SXM,8,eu-west-1,USD,1,12,,,\n"
            "aws,p4d.24xlarge,A100 SXM4,8,,USD,1,12,,,\n"
            "gcp,p5.48xlarge,H100 SXM,8,,USD,1,12,,,\n";
        const auto replay = facts.replay(model::CostView::Effective, offers);
        const auto list = replay.proposals({}, {}).value();
        const Proposal &one = only(list, kBilledId);
        QVERIFY(!one.excludedBy);
        const std::string best = "offer 1: commitment, partial upfront: 788400.00 USD per machine, term in months: 36";
        QCOMPARE(tests::evidenceOf(one, best),
                 std::string("40.0000 USD per machine-hour, level 1, saves 43800.00 USD per month (own offer from "
                             "offers.csv, dated 2026-11-02)"));
        QVERIFY(tests::evidenceOf(one, "alternative 1: commitment, term in months: 18").starts_with("50.0000 USD"));
        QVERIFY(tests::evidenceOf(one, "alternative 2: commitment, no upfront, term in months: 12")
                    .starts_with("60.0000 USD"));
        QVERIFY(tests::evidenceOf(one, "alternative 3: commitment, term in months: 12").starts_with("1.0000 EUR"));
        QCOMPARE(std::count_if(one.evidence.begin(), one.evidence.end(),
                               [](const savings::Evidence &line) {
                                   return line.label.text == savings::RemarkText::OfferAlternative;
                               }),
                 std::ptrdiff_t{3});
        std::vector<std::pair<savings::RemarkText, std::int64_t>> warned;
        for (const savings::Remark &warning : replay.warnings)
            warned.emplace_back(warning.text, warning.terms.front().nanos);
        using Text = savings::RemarkText;
        QVERIFY((warned
                 == decltype(warned){
                     {Text::OwnOffersUnread, 2}, {Text::OwnOffersWithoutTerm, 1}, {Text::OwnOffersUnmatched, 3}}));
        // Without the file, the reason stays.
        const auto without = facts.replay(model::CostView::Effective, {});
        QVERIFY(without.warnings.empty());
        QVERIFY(tests::isExcludedBy(only(without.proposals({}, {}).value(), kBilledId),
                                    savings::RemarkText::NoCommittedPrice));
    }

    // Without a file; with one, an offer that is in both counts once.
    void configuredOffersAreCompared()
    {
        Scenario fleet(kDays);
        addMachine(fleet, "node-1", kType);
        Fleet facts;
        facts.measure(fleet);
        facts.bill(fleet, 0, {base::Currency::usd()}); // 100 USD an hour
        const std::string head = "provider,machine,gpu_model,gpus,currency,per_hour,term_months,payment,upfront,seen\n";
        const std::string partial = "aws,p5.48xlarge,H100 SXM,8,USD,10,36,partial,788400,";
        const base::Day last = base::dayOf(fleet.covered().end - base::Seconds{1});
        const base::Day seen{last.number - 5};
        const std::string day = base::toRfc3339(seen.start()).substr(0, 10);
        facts.configure("mine.csv",
                        head + partial + day
                            + "\naws,p5.48xlarge,H100 SXM,8,USD,70,,,,\naws,p4d.24xlarge,A100 SXM4,8,USD,1,12,,,\n");
        facts.configure("new.csv", {});
        using Text = savings::RemarkText;
        const std::string best = "offer 1: commitment, partial upfront: 788400.00 USD per machine, term in months: 36";
        const auto replay = facts.replay(model::CostView::Effective, {});
        const auto list = replay.proposals({}, {}).value();
        const Proposal &one = only(list, kBilledId);
        QVERIFY(!one.excludedBy);
        QCOMPARE(tests::evidenceOf(one, best),
                 "40.0000 USD per machine-hour, level 1, saves 43800.00 USD per month (own offer from mine.csv, dated "
                     + day + ", age in days: 5)");
        QCOMPARE(replay.warnings.size(), std::size_t{2}); // an offer on demand is for others to use
        QVERIFY(replay.warnings[0].text == Text::OwnOffersUnmatched && replay.warnings[0].terms.front().nanos == 1);
        QVERIFY(replay.warnings[1].text == Text::OwnListUnread && replay.warnings[1].terms.front().text == "new.csv");
        const auto both = facts.replay(model::CostView::Effective,
                                       head + partial + day + "\naws,p5.48xlarge,H100 SXM,8,USD,60,12,none,,\n");
        const auto more = both.proposals({}, {}).value();
        const Proposal &two = only(more, kBilledId);
        QVERIFY(tests::evidenceOf(two, best).ends_with("(own offer from offers.csv, dated " + day + ")"));
        QVERIFY(tests::evidenceOf(two, "alternative 1: commitment, no upfront, term in months: 12")
                    .starts_with("60.0000 USD"));
        QVERIFY(tests::evidenceOf(two,
                                  "alternative 2: commitment, partial upfront: 788400.00 USD per machine, term in "
                                  "months: 36")
                    .empty());
        // Taken out of the configuration: no longer compared, even before the next sync.
        facts.lists.clear();
        QVERIFY(only(facts.ask(), kBilledId).excludedBy);
    }

    // Also where no bill says what a machine costs, at the list price on demand.
    void ownOffersAreForUnbilledMachinesToo()
    {
        Scenario fleet(kDays);
        addMachine(fleet, "node-1", kType);
        Fleet facts;
        facts.measure(fleet);
        const auto replay =
            facts.replay(model::CostView::Effective,
                         "provider,machine,gpu_model,gpus,currency,per_hour,purchase\naws,p5.48xlarge,H100 "
                         "SXM,8,USD,20,3-years\n");
        const auto list = replay.proposals({}, {}).value();
        const Proposal &one = only(list, kUnbilledId);
        QVERIFY(!one.excludedBy && one.perMonth->p50.nanos() > 0);
        QVERIFY(!tests::evidenceOf(one, "offer 1: commitment, term in months: 36").empty());
        QVERIFY(replay.warnings.empty());
    }

    void timeOfANodeWithoutARecordIsUnknown()
    {
        const auto knowsHours = [](bool recorded) {
            Scenario fleet(kDays);
            addMachine(fleet, "node-1", kType);
            addMachine(fleet, "node-2", kType, recorded);
            Fleet facts;
            facts.measure(fleet);
            const auto list = facts.ask();
            const Proposal &one = only(list, kUnbilledId);
            return !tests::hasRisk(one, savings::RemarkText::RunTimeUnknown)
                && tests::evidenceOf(one, "machine-hours on demand") == "1008.0";
        };
        QVERIFY(knowsHours(true)); // two machines for 504 hours
        QVERIFY(!knowsHours(false));
    }
};

GPULEDGER_PLAIN_SUITE(TestCommitmentFacts)

} // namespace tst_commitmentfacts

#include "tst_commitmentfacts.moc"
