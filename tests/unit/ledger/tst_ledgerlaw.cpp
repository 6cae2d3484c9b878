// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a fleet does, whatever is billed and whoever owns it: for each day and currency the lines of the ledger add
// up to the bill, to the nano-unit and in both views, in whatever order bills and facts arrive.
#include "app/insight/spend/ledgerquery.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/ledger/ledger.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

namespace tst_ledgerlaw {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

using Totals = std::map<std::pair<std::int32_t, std::string>, std::pair<std::int64_t, std::int64_t>>;

struct Delivery {
    std::string hash;
    std::vector<ports::BillBatch> batches;
};

std::int64_t amount(Random &random)
{
    const std::int64_t size = pick(random, 0, 12);
    std::int64_t limit = 10;
    for (std::int64_t i = 0; i < size; ++i)
        limit *= 10;
    return oneIn(random, 6) ? 0 : pick(random, -limit / 4, limit);
}

base::TimeRange chargePeriod(Random &random, const Scenario &fleet)
{
    const std::int64_t start = pick(random, -2 * 86400, 6 * 86400) / 3600 * 3600;
    switch (pick(random, 0, 6)) {
    case 0: // a month
        return {fleet.at(-5 * 86400), fleet.at(25 * 86400)};
    case 1: // not aligned
        return {fleet.at(start + 17), fleet.at(start + pick(random, 18, 400'000))};
    case 2: // an empty range, or one beyond all dates
        return oneIn(random, 2) ? base::TimeRange{fleet.at(start), fleet.at(start)}
                                : base::TimeRange{base::fromUnix(-50'000'000'000), base::fromUnix(90'000'000'000)};
    case 3:
        return {fleet.day(static_cast<int>(pick(random, -1, 5))).start(), fleet.at(start + 9 * 86400)};
    default: {
        const base::Day day = fleet.day(static_cast<int>(pick(random, 0, 5)));
        return {day.start(), day.end()};
    }
    }
}

model::BillLine randomLine(Random &random, const Scenario &fleet, const model::BillKey &key)
{
    model::BillLine line;
    line.billingAccountId = key.billingAccountId;
    line.billingPeriod = {key.periodStart, key.periodStart + 30 * base::kDay};
    line.chargePeriod = chargePeriod(random, fleet);
    const auto currency = oneIn(random, 4) ? base::Currency::parse("EUR").value() : base::Currency::usd();
    line.billed = base::Money(amount(random), currency);
    line.effective = oneIn(random, 2) ? line.billed : base::Money(amount(random), currency);
    line.category =
        oneIn(random, 3) ? static_cast<model::ChargeCategory>(pick(random, 0, 5)) : model::ChargeCategory::Usage;
    line.chargeClass = oneIn(random, 8) ? model::ChargeClass::Correction : model::ChargeClass::Regular;
    line.product.provider = oneIn(random, 4) ? "Microsoft" : "AWS";
    line.product.serviceCategory = oneIn(random, 3) ? "Storage" : "Compute";
    line.subAccountId = "sub-" + std::to_string(pick(random, 0, 3));
    if (!oneIn(random, 3))
        line.tags["CostCenter"] = "cc-" + std::to_string(pick(random, 0, 3));
    if (!oneIn(random, 3) && !fleet.batch.nodes.empty()) {
        const auto n = static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(fleet.batch.nodes.size())));
        const std::string &name = fleet.batch.nodes[n].name;
        line.resource.id = oneIn(random, 2) ? "i-" + name : "arn:aws:ec2:us-east-1:1:instance/i-" + name;
    }
    if (oneIn(random, 3))
        line.product.skuDetails["InstanceType"] = oneIn(random, 2) ? "p4d.24xlarge" : "m5.large";
    line.consumedQuantity.unit = oneIn(random, 4) ? "GB" : "Hours";
    if (!oneIn(random, 4))
        line.consumedQuantity.amount = base::Decimal::parse(std::to_string(pick(random, 0, 500))).value();
    return line;
}

// Some of the lines are gone, some are new, and the others are as they were, in another order.
std::vector<model::BillLine> restated(Random &random, const Scenario &fleet, const ports::BillBatch &before)
{
    std::vector<model::BillLine> lines;
    for (const model::BillLine &line : before.lines) {
        if (!oneIn(random, 10))
            lines.push_back(oneIn(random, 10) ? randomLine(random, fleet, before.key) : line);
    }
    lines.push_back(randomLine(random, fleet, before.key));
    std::shuffle(lines.begin(), lines.end(), random);
    return lines;
}

std::vector<Delivery> randomDeliveries(Random &random, const Scenario &fleet)
{
    std::vector<Delivery> all;
    for (int i = 0; i < 4; ++i) {
        Delivery one;
        one.hash = std::string(63, '0') + static_cast<char>('a' + i);
        // The last one restates the first.
        const int account = i == 3 ? 0 : i;
        for (int k = 0; k < 2; ++k) {
            ports::BillBatch batch;
            batch.key = {"bill", "account-" + std::to_string(account * 2 + k), base::fromUnix(1'760'000'000)};
            const std::int64_t lines = pick(random, 1, 40);
            for (std::int64_t n = 0; n < lines; ++n)
                batch.lines.push_back(randomLine(random, fleet, batch.key));
            if (i == 3 && oneIn(random, 2))
                batch.lines = restated(random, fleet, all.front().batches[static_cast<std::size_t>(k)]);
            one.batches.push_back(std::move(batch));
        }
        all.push_back(std::move(one));
    }
    return all;
}

// The required totals, from the lines themselves: each line's share of a day by largest remainder.
Totals expected(const std::vector<Delivery> &deliveries)
{
    std::map<model::BillKey, const ports::BillBatch *> standing;
    for (const Delivery &delivery : deliveries) {
        for (const ports::BillBatch &batch : delivery.batches)
            standing[batch.key] = &batch;
    }
    Totals totals;
    for (const auto &[key, batch] : standing) {
        for (const model::BillLine &line : batch->lines) {
            std::vector<std::int64_t> seconds{1};
            base::Day first = base::dayOf(base::fromUnix(1'760'000'000));
            const base::TimeRange charge = line.chargePeriod;
            if (base::toUnix(charge.start) > 0 && charge.length() < 3000 * base::kDay) {
                first = base::dayOf(charge.start);
                seconds.clear();
                for (base::Day day = first; seconds.empty() || day.start() < charge.end; ++day.number)
                    seconds.push_back(charge.intersect({day.start(), day.end()}).length().count());
            }
            const auto billed = line.billed.allocate(seconds).value(),
                       effective = line.effective.allocate(seconds).value();
            for (std::size_t i = 0; i < seconds.size(); ++i) {
                auto &sum =
                    totals[{first.number + static_cast<std::int32_t>(i), std::string(line.billed.currency().code())}];
                sum.first += billed[i].nanos();
                sum.second += effective[i].nanos();
            }
        }
    }
    std::erase_if(totals, [](const auto &entry) { return entry.second == std::pair<std::int64_t, std::int64_t>{}; });
    return totals;
}

using Lines = std::vector<std::pair<base::Day, model::LedgerLine>>;

Lines linesOf(store::LedgerStore &store)
{
    Lines lines;
    const auto cube = store.cube().value();
    const auto done =
        cube->ledger({-1'000'000}, {1'000'000},
                     [&](base::Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) {
                         lines.push_back({day, {key, amounts}});
                         return base::Result<void>();
                     });
    if (!done)
        qFatal("%s", done.error().text.c_str());
    std::sort(lines.begin(), lines.end(), [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first < b.first : a.second.key < b.second.key;
    });
    return lines;
}

Totals told(const Lines &lines)
{
    Totals totals;
    for (const auto &[day, line] : lines) {
        auto &sum = totals[{day.number, std::string(line.key.currency.code())}];
        sum.first += line.amounts.billed;
        sum.second += line.amounts.effective;
    }
    std::erase_if(totals, [](const auto &entry) { return entry.second == std::pair<std::int64_t, std::int64_t>{}; });
    return totals;
}

base::Result<void> import(store::LedgerStore &store, ledger::Ledger &ledger, const Delivery &delivery)
{
    const auto known = store.knowsBills({delivery.hash});
    GPULEDGER_TRY(known);
    if (*known)
        return {};
    auto transaction = store.beginBills("bill", {{"/bills/" + delivery.hash, delivery.hash, 1}}, base::fromUnix(1));
    GPULEDGER_TRY(transaction);
    for (const ports::BillBatch &batch : delivery.batches)
        GPULEDGER_TRY((*transaction)->accept(batch));
    const auto done = ledger::LedgerWriter(store, ledger.rollup()).commit(**transaction);
    GPULEDGER_TRY(done);
    return {};
}

model::Settings randomRules(Random &random)
{
    model::Settings settings = pricedSettings();
    settings.prices.exchangeRates = {
        {base::Currency::parse("EUR").value(), base::Currency::usd(), "1.25", base::fromUnix(0)}};
    const auto rule = [&](model::OwnerRule::Kind kind, const char *key, const char *pattern, const char *team) {
        model::OwnerRule one;
        one.kind = kind;
        one.key = key;
        one.pattern = pattern;
        one.team = team;
        settings.owners.push_back(one);
    };
    if (oneIn(random, 2))
        rule(model::OwnerRule::Kind::Label, "team", "", "");
    if (oneIn(random, 2))
        rule(model::OwnerRule::Kind::CloudTag, "CostCenter", "", "");
    if (oneIn(random, 2))
        rule(model::OwnerRule::Kind::Account, "", "sub-1", "platform");
    if (oneIn(random, 2))
        rule(model::OwnerRule::Kind::Namespace, "", "", "");
    return settings;
}

Scenario fleetOnAws(Random &random)
{
    Scenario fleet = randomFleet(random, Telling::Loose);
    for (model::Node &node : fleet.batch.nodes) {
        node.cloud = "aws";
        node.instanceType = "p4d.24xlarge";
        if (!oneIn(random, 3))
            node.providerId = "aws:///us-east-1a/i-" + node.name;
    }
    return fleet;
}

} // namespace

class TestLedgerLaw : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesComeToTheBill_data()
    {
        QTest::addColumn<int>("seed");
        // For more of them: GPULEDGER_HISTORIES=first-last.
        const QList<QByteArray> range = qgetenv("GPULEDGER_HISTORIES").split('-');
        const int first = range.size() == 2 ? range[0].toInt() : 1, last = range.size() == 2 ? range[1].toInt() : 6;
        for (int seed = first; seed <= last; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void linesComeToTheBill()
    {
        QFETCH(int, seed);
        Random random(static_cast<std::uint64_t>(seed));
        const Scenario fleet = fleetOnAws(random);
        const auto ledger = ledger::Ledger::create(randomRules(random)).value();
        const std::vector<Delivery> deliveries = randomDeliveries(random, fleet);
        const auto pieces = randomPieces(fleet, random, Telling::Loose);
        QTemporaryDir dir;
        const auto store = store::LedgerStore::open(dir.path().toStdString()).value();
        // Bills arrive among the facts.
        std::size_t next = 0;
        for (const Piece &piece : pieces) {
            QVERIFY(ledger::LedgerWriter(*store, ledger->rollup()).commit(piece.source, piece.batch));
            if (next < deliveries.size() && oneIn(random, 2))
                QVERIFY(import(*store, *ledger, deliveries[next++]));
        }
        for (; next < deliveries.size(); ++next)
            QVERIFY(import(*store, *ledger, deliveries[next]));
        const Lines lines = linesOf(*store);
        QVERIFY(told(lines) == expected(deliveries));
        const auto problems = ledger::verify(*store, ledger->rollup());
        QVERIFY(problems);
        QVERIFY2(problems->empty(), problems->empty() ? "" : problems->front().what.c_str());
        // The test is not vacuous.
        QVERIFY(std::any_of(lines.begin(), lines.end(),
                            [](const auto &l) { return l.second.key.match != model::LedgerMatch::None; }));
        QVERIFY(std::any_of(lines.begin(), lines.end(),
                            [](const auto &l) { return l.second.key.category == model::LedgerCategory::Unexplained; }));
        eachHourHasOneValue(*store, fleet, lines);
        listPricesAreThePriceBookTimesHours(*store, *ledger);
        billedCostIsWhatBillsCharge(*store, *ledger, fleet, lines);
        importingTwiceChangesNothing(*store, *ledger, deliveries, lines);
        splitsAddUp(*store, *ledger, lines);
        doubtsAddUp(*store, *ledger, lines);
        orderDoesNotMatter(*ledger, pieces, deliveries, lines);
    }

private:
    // What the roll-up says of a day's cost, team by team, is what the ledger says: the effective cost of the machines
    // that a bill names and telemetry saw, and the estimate of the others. The ledger
    // keeps the bill's currency.
    static void eachHourHasOneValue(store::LedgerStore &store, const Scenario &fleet, const Lines &lines)
    {
        std::map<std::pair<std::int32_t, std::string>, std::int64_t> ledger, rollup;
        for (const auto &[day, line] : lines) {
            if (line.key.category != model::LedgerCategory::Gpu
                && line.key.category != model::LedgerCategory::NotBilled)
                continue;
            const bool onBill = line.key.match != model::LedgerMatch::None;
            const bool estimated =
                line.key.origin == model::LedgerOrigin::Priced || line.key.category == model::LedgerCategory::NotBilled;
            const std::int64_t effective = line.key.currency == base::Currency::usd()
                ? line.amounts.effective
                : line.amounts.effective / 4 * 5; // at the exchange rate of randomRules()
            ledger[{day.number, line.key.team}] += onBill ? effective : estimated ? line.amounts.priced : 0;
        }
        const auto cube = store.cube().value();
        const auto groups = cube->groups().value();
        std::map<std::int64_t, std::string> teams;
        std::int64_t most = 0;
        for (const auto &[id, key] : groups) {
            teams[id.value] = key.team;
            most = std::max(most, id.value);
        }
        const std::vector<store::Measure> costs{store::Measure::CostActive, store::Measure::CostIdle,
                                                store::Measure::CostUnallocated, store::Measure::CostUnobservedHeld,
                                                store::Measure::CostUnobservedFree};
        const auto done =
            cube->rows({0}, {1'000'000}, costs, std::vector<char>(static_cast<std::size_t>(most) + 1, 1),
                       [&](base::GroupId group, base::Day day, store::Measure, const store::CellRow &row) {
                           for (const std::int64_t nanos : row)
                               rollup[{day.number, teams[group.value]}] += nanos;
                       });
        QVERIFY(done);
        const auto parts = static_cast<std::int64_t>(fleet.batch.devices.size() + 40) * 300;
        int compared = 0;
        for (const auto &[key, nanos] : ledger) {
            QVERIFY2(std::abs(nanos - rollup[key]) <= parts,
                     qPrintable(QStringLiteral("day %1, team %2: ledger %3, roll-up %4")
                                    .arg(key.first)
                                    .arg(QString::fromStdString(key.second))
                                    .arg(nanos)
                                    .arg(rollup[key])));
            compared += nanos != 0 ? 1 : 0;
        }
        QVERIFY(compared > 0);
    }

    // The price of pricedSettings() is a millionth of a unit for each GPU-second, so that nothing is rounded.
    static void listPricesAreThePriceBookTimesHours(store::LedgerStore &store, const ledger::Ledger &ledger)
    {
        constexpr std::int64_t kNanosPerSecond = 1'000'000;
        const auto facts = store.facts().value();
        int compared = 0, wrong = 0, elsewhere = 0;
        const auto reader = ledger.attribution(*facts, model::CostView::List);
        QVERIFY(!reader->hasStoredCost());
        QVERIFY(reader->walk(daysOf(store).first, daysOf(store).second, {},
                             [&](const model::DeviceAttribution &device) -> base::Result<void> {
                                 std::int64_t ticks = 0, nanos = 0;
                                 for (const model::UsagePart &part : device.parts) {
                                     ticks += part.ticks;
                                     nanos += part.costNanos;
                                 }
                                 if (!device.priced)
                                     return {};
                                 ++compared;
                                 wrong += nanos != ticks / base::GpuTime::kTicksPerSecond * kNanosPerSecond ? 1 : 0;
                                 elsewhere += device.basis != model::RateBasis::PriceBook ? 1 : 0;
                                 return {};
                             }));
        QVERIFY(compared > 0);
        QCOMPARE(wrong, 0);
        QCOMPARE(elsewhere, 0);
    }

    // Day by day and team by team; what no bill contains is unknown, not nothing.
    static void billedCostIsWhatBillsCharge(store::LedgerStore &store, const ledger::Ledger &ledger,
                                            const Scenario &fleet, const Lines &lines)
    {
        std::map<std::pair<std::int32_t, std::string>, std::int64_t> charged, told;
        for (const auto &[day, line] : lines) {
            if (line.key.category == model::LedgerCategory::Gpu && line.key.match != model::LedgerMatch::None)
                charged[{day.number, line.key.team}] += line.key.currency == base::Currency::usd()
                    ? line.amounts.billed
                    : line.amounts.billed / 4 * 5; // at the exchange rate of randomRules()
        }
        const auto facts = store.facts().value();
        int wrong = 0;
        const auto reader = ledger.attribution(*facts, model::CostView::Billed);
        QVERIFY(reader->walk(daysOf(store).first, daysOf(store).second, {},
                             [&](const model::DeviceAttribution &device) -> base::Result<void> {
                                 for (const model::UsagePart &part : device.parts) {
                                     wrong +=
                                         part.priced != device.priced || (!part.priced && part.costNanos != 0) ? 1 : 0;
                                     const std::string &team = part.holder == model::kNobody
                                         ? device.nodeOwner
                                         : (*device.holders)[static_cast<std::size_t>(part.holder)].team;
                                     told[{device.day.number, team}] += part.costNanos;
                                 }
                                 return {};
                             }));
        QCOMPARE(wrong, 0);
        QVERIFY(std::any_of(charged.begin(), charged.end(), [](const auto &one) { return one.second != 0; }));
        const auto parts = static_cast<std::int64_t>(fleet.batch.devices.size() + 40) * 300;
        for (const auto &[key, nanos] : charged)
            QVERIFY2(std::abs(nanos - told[key]) <= parts,
                     qPrintable(QStringLiteral("day %1, team %2: bills %3, told %4")
                                    .arg(key.first)
                                    .arg(QString::fromStdString(key.second))
                                    .arg(nanos)
                                    .arg(told[key])));
    }

    static std::pair<base::Day, base::Day> daysOf(store::LedgerStore &store)
    {
        const auto covered = store.facts().value()->coveredRange().value();
        return {base::dayOf(covered.start), base::dayOf(covered.end - base::Seconds{1})};
    }

    static void importingTwiceChangesNothing(store::LedgerStore &store, ledger::Ledger &ledger,
                                             const std::vector<Delivery> &deliveries, const Lines &lines)
    {
        const auto before = store.generation().value();
        for (const Delivery &delivery : deliveries)
            QVERIFY(import(store, ledger, delivery));
        QCOMPARE(store.generation().value(), before);
        QVERIFY(same(linesOf(store), lines));
    }

    static void add(model::LedgerAmounts &sum, const insight::LedgerRow &row)
    {
        sum.billed += row.billed.nanos();
        sum.effective += row.effective.nanos();
        sum.priced += row.priced.nanos();
        sum.ticks += row.gpuTime.ticks;
    }

    // Under every split policy the parts of a machine add up to its price, team by team, and its time stays with its
    // GPUs; gpu-first equals the ledger.
    static void splitsAddUp(store::LedgerStore &store, ledger::Ledger &ledger, const Lines &lines)
    {
        if (lines.empty())
            return;
        insight::LedgerQuery query;
        query.range = {lines.front().first.start(), lines.back().first.end()};
        query.by = {insight::LedgerDimension::Team, insight::LedgerDimension::Part};
        const auto whole = askFor(store, ledger, query);
        std::set<std::string> parts;
        for (const auto policy : {model::SplitPolicy::GpuFirst, model::SplitPolicy::Aws, model::SplitPolicy::OpenCost,
                                  model::SplitPolicy::Fixed}) {
            query.split = policy;
            std::map<std::pair<std::string, base::Currency>, model::LedgerAmounts> split, expected;
            for (const insight::LedgerRow &row : askFor(store, ledger, query)) {
                add(split[{row.keys[0], row.currency}], row);
                parts.insert(row.keys[1]);
                QVERIFY(row.gpuTime.ticks == 0 || row.keys[1] == "gpu" || row.keys[1] == "unsplit");
                QVERIFY(policy != model::SplitPolicy::GpuFirst || (row.keys[1] != "cpu" && row.keys[1] != "memory"));
            }
            for (const insight::LedgerRow &row : whole)
                add(expected[{row.keys[0], row.currency}], row);
            QVERIFY(split == expected);
        }
        QVERIFY(parts.contains("cpu") && parts.contains("memory"));
    }

    // Splitting by the certainty of the amounts preserves the sums.
    static void doubtsAddUp(store::LedgerStore &store, ledger::Ledger &ledger, const Lines &lines)
    {
        if (lines.empty())
            return;
        insight::LedgerQuery query;
        query.range = {lines.front().first.start(), lines.back().first.end()};
        std::map<base::Currency, model::LedgerAmounts> expected, told;
        for (const insight::LedgerRow &row : askFor(store, ledger, query))
            add(expected[row.currency], row);
        query.by = {insight::LedgerDimension::Sharing, insight::LedgerDimension::PriceDate};
        bool hasDate = false; // the user's own prices have none
        for (const insight::LedgerRow &row : askFor(store, ledger, query)) {
            add(told[row.currency], row);
            hasDate = hasDate || !row.keys[1].empty();
        }
        QVERIFY(told == expected);
        QVERIFY(!hasDate);
        const auto listed = ledger::Ledger::create({}).value();
        const auto rows = askFor(store, *listed, query);
        QVERIFY(std::any_of(rows.begin(), rows.end(), [](const auto &row) { return row.keys[1].size() == 10; }));
    }

    static std::vector<insight::LedgerRow> askFor(store::LedgerStore &store, ledger::Ledger &ledger,
                                                  const insight::LedgerQuery &query)
    {
        insight::LedgerSums sums(
            query, base::Currency::usd(), {},
            [&](model::SplitPolicy policy, std::string_view type) { return ledger.splitOf(policy, type); });
        const auto facts = store.facts().value();
        const auto done =
            ledger.linesInDetail(sums.first(), sums.last(), insight::detailOf(query), *facts,
                                 [&](base::Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) {
                                     return sums.add(day, key, amounts);
                                 });
        if (!done)
            qFatal("%s", done.error().text.c_str());
        return sums.take().value().rows;
    }

    // All bills before the first fact, in another order; a restatement of a key comes after the original.
    static void orderDoesNotMatter(ledger::Ledger &ledger, const std::vector<Piece> &pieces,
                                   const std::vector<Delivery> &deliveries, const Lines &lines)
    {
        QTemporaryDir dir;
        const auto store = store::LedgerStore::open(dir.path().toStdString()).value();
        for (const std::size_t i : {2u, 0u, 3u, 1u})
            QVERIFY(import(*store, ledger, deliveries[i]));
        for (const Piece &piece : pieces)
            QVERIFY(ledger::LedgerWriter(*store, ledger.rollup()).commit(piece.source, piece.batch));
        QVERIFY(same(linesOf(*store), lines));
        QVERIFY(ledger::verify(*store, ledger.rollup()).value().empty());
    }

    static bool same(const Lines &a, const Lines &b)
    {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &x, const auto &y) {
            return x.first == y.first && x.second.key == y.second.key && x.second.amounts == y.second.amounts;
        });
    }
};

GPULEDGER_SUITE(TestLedgerLaw)

} // namespace tst_ledgerlaw

#include "tst_ledgerlaw.moc"
