// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of stops, on random fleets with random bills: those of a replay are proved by adding up the facts stop by
// stop, and a plan shows the money of the idle list.
#include "app/actions/plan/planner.h"
#include "app/insight/idle/idlereplay.h"
#include "app/insight/proof/figure.h"
#include "app/insight/proof/idleproof.h"
#include "app/insight/proof/proof.h"
#include "app/services/actions/actionservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/proof/proofservice.h"
#include "app/store/facts/factreader.h"
#include "tests/support/fleets/randomcompany.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_stopfigures {

using namespace gpuledger;
using namespace gpuledger::tests;
using insight::Figure;
using insight::FigureValue;
using model::CostView;

namespace {

constexpr int kCompanies = 9;
constexpr CostView kViews[] = {CostView::Effective, CostView::Billed, CostView::List};

insight::ReplayQuery randomReplay(Company &c)
{
    insight::ReplayQuery query;
    query.range = c.range();
    query.rule = companyRules().idle;
    query.rule.observed = oneIn(c.random, 2) ? 0.5 : 0.9;
    if (oneIn(c.random, 2))
        query.rule.threshold = 0.3;
    for (auto &[kind, length] : query.rule.grace)
        length = base::Seconds{pick(c.random, 1, 40) * 300 + (oneIn(c.random, 4) ? 7 : 0)};
    query.resumeWithin = base::Seconds{pick(c.random, 300, 40'000)};
    query.cost = kViews[pick(c.random, 0, 3)];
    if (oneIn(c.random, 3))
        query.filter.include[insight::Dimension::Team] = {"unowned", "vision"}; // as a figure names them
    return query;
}

FigureValue counted(std::int64_t n)
{
    return FigureValue::of(static_cast<double>(n), "stops");
}

void mustBeProved(Company &c, const Figure &figure, const FigureValue &value)
{
    const std::string id = toString(figure);
    const auto again = insight::figureFromString(id);
    QVERIFY2(again && *again == figure, id.c_str());
    const auto proof = c.workspace->proof().explain(*again);
    QVERIFY2(proof, proof ? "" : (id + ": " + proof.error().text).c_str());
    QVERIFY2(proof->shown == value, ("the proof shows another value: " + id).c_str());
    QVERIFY2(proof->recomputed == value, ("the facts give another value: " + id).c_str());
    QVERIFY2(proof->agrees, id.c_str());
}

void sumIsProved(Company &c, Figure figure, const insight::ReplaySum &sum, base::Currency currency)
{
    const std::vector<std::pair<const char *, FigureValue>> all{
        {"stops", counted(sum.stops)},
        {"false-stops", counted(sum.falseStops)},
        {"resumed", counted(sum.resumed)},
        {"undecided", counted(sum.undecided)},
        {"back-gpu-hours", FigureValue::of(sum.back)},
        {"back-gpu-hours-of-false-stops", FigureValue::of(sum.falseBack)},
        {"unobserved-gpu-hours", FigureValue::of(sum.unobserved)},
        {"lost-gpu-hours", FigureValue::of(sum.lost)},
        {"unpriced-gpu-hours", FigureValue::of(sum.unpriced)},
        {"money-back", FigureValue::of(base::Money(sum.money, currency))}};
    const std::size_t known = all.size() - (sum.back.ticks > 0 && sum.unpriced == sum.back ? 1 : 0);
    const auto &[measure, value] = all[static_cast<std::size_t>(pick(c.random, 0, static_cast<std::int64_t>(known)))];
    figure.measure = measure;
    mustBeProved(c, figure, value);
}

void stopIsProved(Company &c, Figure figure, const insight::ReplayStop &stop)
{
    figure.at = stop.at;
    figure.item = stop.id;
    figure.measure = "stop.back-gpu-hours";
    mustBeProved(c, figure, FigureValue::of(stop.back));
    figure.measure = "stop.lost-gpu-hours";
    mustBeProved(c, figure, FigureValue::of(stop.lost));
    figure.measure = "stop.money-back";
    if (stop.money)
        mustBeProved(c, figure, FigureValue::of(*stop.money));
}

} // namespace

class TestStopFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void replaysAreProved_data() { companies(); }
    void replaysAreProved();
    void loggedMoneyIsProved();
    void aPlanShowsTheMoneyOfTheIdleList();

private:
    static void companies();
    static void planIsTheList(Company &company, std::size_t &seen);
};

void TestStopFigures::companies()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= kCompanies; ++seed)
        QTest::addRow("%d", seed) << seed;
}

void TestStopFigures::replaysAreProved()
{
    QFETCH(int, seed);
    Company company(static_cast<std::uint64_t>(seed), static_cast<Telling>(seed % 3));
    std::int64_t stops = 0;
    for (int asked = 0; asked < 12; ++asked) {
        const insight::ReplayQuery query = randomReplay(company);
        const auto replay = company.workspace->fleet().replayIdle(query).value();
        stops += replay.total.stops;
        QCOMPARE(replay.leftOut, std::size_t{0});
        if (replay.range.empty())
            continue;
        Figure figure = replayFigure(replay, query, {});
        sumIsProved(company, figure, replay.total, replay.currency);
        if (replay.stops.empty() || QTest::currentTestFailed())
            continue;
        const auto row = std::next(replay.parts.begin(), pick(company.random, 0, std::ssize(replay.parts)));
        figure.row = row->first;
        sumIsProved(company, figure, row->second, replay.currency);
        figure.row.reset();
        const insight::ReplayStop &stop = oneOf(company.random, replay.stops);
        const auto same = std::count_if(replay.stops.begin(), replay.stops.end(),
                                        [&](const auto &one) { return one.at == stop.at && one.id == stop.id; });
        if (same == 1)
            stopIsProved(company, figure, stop);
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY2(stops > 0, "the rules stopped nothing");
}

// The log's amount, that of each of its workloads, and what is told if the facts say another one by now.
void TestStopFigures::loggedMoneyIsProved()
{
    Company company(3, Telling::Tidy);
    const auto list = company.workspace->fleet().idle(company.fleet.at(kHistoryDays * 86400), {}).value();
    insight::LoggedStop stop;
    stop.listedAt = list.at;
    std::int64_t sum = 0;
    for (const insight::IdleItem &item : list.items) {
        if (!item.perMonth)
            continue;
        stop.items.push_back({item.id, item.perMonth});
        sum += item.perMonth->nanos();
    }
    QVERIFY(!stop.items.empty());
    stop.perMonth = base::Money(sum, base::Currency::usd());
    const auto store = store::LedgerStore::open(company.folder, {true}).value();
    const auto facts = store->facts().value();
    const auto reader = company.ledger->attribution(*facts);
    const auto proofOf = [&](const std::string &item) {
        return insight::actionProof(*reader, insight::actionFigure(7, item, "per-month"), stop, companyRules().idle,
                                    base::Currency::usd());
    };
    const auto whole = proofOf({}).value();
    QVERIFY(whole.agrees && whole.shown == FigureValue::of(*stop.perMonth) && whole.recomputed == whole.shown);
    QCOMPARE(whole.inputs.size(), stop.items.size());
    for (const auto &item : stop.items) {
        const auto one = proofOf(item.id).value();
        QVERIFY(one.agrees && one.recomputed == FigureValue::of(*item.perMonth));
    }
    QVERIFY(proofOf("nobody").error().code == base::ErrorCode::NotFound);
    stop.items.front().perMonth = base::Money(1, base::Currency::usd());
    QVERIFY(!proofOf({}).value().agrees);
    const auto other = proofOf(stop.items.front().id).value();
    QVERIFY(!other.agrees && other.shown != other.recomputed);
}

// Rate, month and what of it is avoidable; plans and the Stop dialog, which shows them, are of the effective cost.
void TestStopFigures::planIsTheList(Company &company, std::size_t &seen)
{
    const base::UtcTime now = company.clock.now();
    std::map<CostView, std::map<std::string, insight::IdleItem>> lists;
    for (const CostView view : kViews) {
        const auto listed = company.workspace->fleet().idle(now, {}, view).value();
        for (const insight::IdleItem &item : listed.items) {
            lists[view].emplace(item.id, item);
            if (item.ratePerHour)
                QCOMPARE(item.perMonth->nanos(), 730 * item.ratePerHour->nanos());
            if (item.avoidablePerMonth)
                QCOMPARE(item.avoidablePerMonth->nanos() + item.sunkPerMonth->nanos(), item.perMonth->nanos());
        }
    }
    actions::PlanQuestion question;
    for (const auto &[id, item] : lists[CostView::Effective])
        question.holders.push_back(id);
    if (question.holders.empty())
        return;
    const auto plan = company.workspace->actions().plan(question, {}).value();
    std::size_t planned = 0;
    for (const actions::PlannedStop &stop : plan.stops) {
        std::int64_t rate = 0, month = 0;
        for (const insight::IdleItem &item : stop.items) {
            const insight::IdleItem &listed = lists[CostView::Effective].at(item.id);
            QVERIFY(item.ratePerHour == listed.ratePerHour && item.perMonth == listed.perMonth);
            QVERIFY(item.avoidablePerMonth == listed.avoidablePerMonth && item.sunkPerMonth == listed.sunkPerMonth);
            rate += listed.ratePerHour ? listed.ratePerHour->nanos() : 0;
            month += listed.perMonth ? listed.perMonth->nanos() : 0;
            ++planned;
            seen += listed.perMonth ? 1 : 0;
        }
        if (stop.perMonth) {
            QCOMPARE(stop.ratePerHour->nanos(), rate);
            QCOMPARE(stop.perMonth->nanos(), month);
        }
    }
    QCOMPARE(planned, question.holders.size());
}

void TestStopFigures::aPlanShowsTheMoneyOfTheIdleList()
{
    std::size_t seen = 0;
    for (int seed = 1; seed <= kCompanies; ++seed) {
        Company company(static_cast<std::uint64_t>(seed), static_cast<Telling>(seed % 3));
        planIsTheList(company, seen);
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY(seen > 0);
}

GPULEDGER_SUITE(TestStopFigures)

} // namespace tst_stopfigures

#include "tst_stopfigures.moc"
