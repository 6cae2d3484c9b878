// SPDX-License-Identifier: GPL-3.0-or-later
// For every figure of every page: its id finds it again, its value is the one that the page showed, the facts alone
// yield the same to the last unit, and the source rows add up to it. If stored data were tampered with, the proof
// reports it.
#include "app/insight/heatmap/heatmap.h"
#include "app/insight/overview/overview.h"
#include "app/insight/overview/summary.h"
#include "app/insight/proof/figure.h"
#include "app/insight/proof/proof.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/spend.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/reports/statement/splitlens.h"
#include "app/reports/statement/statement.h"
#include "app/services/billing/billingservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/proof/proofservice.h"
#include "app/services/spend/spendservice.h"
#include "app/store/sqlite/database.h"
#include "tests/support/fleets/randomcompany.h"
#include "tests/support/suite.h"

#include <QTest>

#include <cmath>
#include <tuple>

namespace tst_explain {

using namespace gpuledger;
using namespace gpuledger::tests;
using insight::Dimension;
using insight::Figure;
using insight::FigureKind;
using insight::FigureValue;
using insight::LedgerDimension;
using insight::MoneyView;
using insight::Proof;

namespace {

constexpr int kSeeds = 10, kCellsEach = 100; // 1,000 random cells

// A figure of a page: its id, and the value that the page showed.
struct Cell {
    std::string id;
    FigureValue value;
};

FigureValue money(std::int64_t nanos)
{
    return FigureValue::of(base::Money(nanos, base::Currency::usd()));
}

FigureValue shownOf(const insight::SummaryRow &row, std::string_view measure)
{
    const auto &t = row.time;
    const auto &c = row.cost;
    if (measure.starts_with("cost.") && c.unpriced.ticks > 0 && c.unpriced.ticks >= t.paid().ticks)
        return {};
    const std::map<std::string_view, FigureValue> all{
        {"gpu-hours.paid", FigureValue::of(t.paid())},
        {"gpu-hours.active", FigureValue::of(t.active)},
        {"gpu-hours.idle", FigureValue::of(t.idle)},
        {"gpu-hours.unallocated", FigureValue::of(t.unallocated)},
        {"gpu-hours.unobserved", FigureValue::of(t.unobserved())},
        {"gpu-hours.held", FigureValue::of(t.held())},
        {"gpu-hours.unpriced", FigureValue::of(c.unpriced)},
        {"utilization", FigureValue::of(row.utilization, "share")},
        {"allocation", FigureValue::of(row.allocation, "share")},
        {"coverage", FigureValue::of(row.coverage, "share")},
        {"cost.total", money(c.total())},
        {"cost.active", money(c.active)},
        {"cost.idle", money(c.idle)},
        {"cost.unallocated", money(c.unallocated)},
        {"cost.unobserved", money(c.unobservedHeld + c.unobservedFree)},
    };
    return all.at(measure);
}

const std::vector<Dimension> kDimensions{
    Dimension::Team,     Dimension::Cluster,      Dimension::Cloud,    Dimension::Region,
    Dimension::GpuModel, Dimension::WorkloadKind, Dimension::Workload, Dimension::Environment,
    Dimension::NodePool, Dimension::Node,         Dimension::Device,   Dimension(Dimension::WorkloadLabel, "team")};

insight::Filter randomFilter(Random &random)
{
    insight::Filter filter;
    if (oneIn(random, 3))
        filter.include[Dimension::Team] = {"vision", "unowned"};
    if (oneIn(random, 4))
        filter.exclude[Dimension::Node] = {"n1"};
    if (oneIn(random, 5))
        filter.exclude[Dimension::WorkloadKind] = {"training", ""};
    return filter;
}

std::optional<Cell> summaryCell(Company &c)
{
    const Dimension by = oneOf(c.random, kDimensions);
    const insight::Query query{c.range(), randomFilter(c.random)};
    const auto answer = c.workspace->fleet().summary(query, by).value();
    const std::string measure(oneOf(c.random, insight::figureMeasures(FigureKind::Summary)));
    const insight::Query used{answer.range, query.filter};
    if (answer.rows.empty() || oneIn(c.random, 5))
        return Cell{toString(summaryFigure(used, by, std::nullopt, measure)), shownOf(answer.total, measure)};
    const auto &row = oneOf(c.random, answer.rows);
    return Cell{toString(summaryFigure(used, by, row.key, measure)), shownOf(row, measure)};
}

std::optional<Cell> heatmapCell(Company &c)
{
    insight::HeatmapQuery query;
    query.query = {c.range(), randomFilter(c.random)};
    query.by = oneOf(c.random, kDimensions);
    query.bins = static_cast<insight::Bins>(pick(c.random, 0, 4));
    query.metric = static_cast<insight::Metric>(pick(c.random, 0, 10));
    query.zone = base::TimeZone::find(oneIn(c.random, 2) ? "Asia/Kathmandu" : kCompanyZone).value();
    const auto map = c.workspace->fleet().heatmap(query).value();
    if (map.rows.empty())
        return std::nullopt;
    const auto &row = oneOf(c.random, map.rows);
    const auto bin = static_cast<std::size_t>(pick(c.random, 0, static_cast<std::int64_t>(map.bins.size())));
    const bool whole = oneIn(c.random, 6);
    const insight::HeatmapCell &cell = whole ? row.overall : row.cells[bin];
    if (oneIn(c.random, 4)) {
        Figure held = heatmapFigure(query, map.range, row.key, whole ? std::nullopt : std::optional(map.bins[bin]));
        held.measure = "held-hours";
        constexpr double kTicksPerHour = 3600.0 * base::GpuTime::kTicksPerSecond;
        return Cell{toString(held), FigureValue::of(base::GpuTime{std::llround(cell.heldHours * kTicksPerHour)})};
    }
    if (!cell.value)
        return std::nullopt;
    const FigureValue value = query.metric == insight::Metric::IdleCost ? money(cell.idleCostNanos)
        : query.metric == insight::Metric::Cost                         ? money(std::llround(*cell.value * 1e9))
                                                                        : FigureValue::of(cell.value, map.unit);
    return Cell{toString(heatmapFigure(query, map.range, row.key, whole ? std::nullopt : std::optional(map.bins[bin]))),
                value};
}

std::optional<Cell> ledgerCell(Company &c)
{
    insight::LedgerQuery query;
    query.range = {c.fleet.day(static_cast<int>(pick(c.random, -2, 2))).start(), c.fleet.day(kHistoryDays + 1).end()};
    for (std::int64_t n = pick(c.random, 0, 4); n > 0; --n) {
        const LedgerDimension by = oneOf(c.random, insight::ledgerDimensions());
        if (std::find(query.by.begin(), query.by.end(), by) == query.by.end())
            query.by.push_back(by);
    }
    if (oneIn(c.random, 3))
        query.include[LedgerDimension::Category] = {"gpu", "storage"};
    if (oneIn(c.random, 2)) {
        query.split = oneOf(c.random, std::vector(reports::kSplitPolicies.begin(), reports::kSplitPolicies.end()));
        if (std::find(query.by.begin(), query.by.end(), LedgerDimension::Part) == query.by.end())
            query.by.push_back(LedgerDimension::Part);
    }
    const auto answer = c.workspace->spend().ledger(query).value();
    if (answer.rows.empty())
        return std::nullopt;
    const auto &row = oneOf(c.random, answer.rows);
    const MoneyView view = oneIn(c.random, 2) ? MoneyView::Billed : MoneyView::Effective;
    const auto cell = [&](const char *measure, const FigureValue &value) {
        return Cell{toString(ledgerFigure(query, answer.range, row, view, measure)), value};
    };
    switch (pick(c.random, 0, 6)) {
    case 5: {
        const base::Money &bill = view == MoneyView::Billed ? row.billed : row.effective;
        const std::int64_t priced = row.priced.currency() == row.currency ? row.priced.nanos() : 0;
        return cell("total", FigureValue::of(base::Money(bill.nanos() + priced, row.currency)));
    }
    case 0:
        return row.hasGpuTime ? std::optional(cell("gpu-hours", FigureValue::of(row.gpuTime))) : std::nullopt;
    case 1:
        return row.replaced ? std::optional(cell("price-book", FigureValue::of(*row.replaced))) : std::nullopt;
    case 2:
        return cell("priced", FigureValue::of(row.priced));
    default:
        return cell("cost", FigureValue::of(view == MoneyView::Billed ? row.billed : row.effective));
    }
}

std::optional<Cell> reconcileCell(Company &c)
{
    const auto answer = c.workspace->spend().reconcile(c.month()).value();
    const auto &total = oneOf(c.random, answer.totals);
    Figure figure = insight::monthFigure(FigureKind::Reconcile, c.month(), MoneyView::Billed, total.currency, "bill");
    if (oneIn(c.random, 3))
        return Cell{toString(figure), FigureValue::of(total.billBilled)};
    const auto &line = oneOf(c.random, total.lines);
    using Kind = insight::ReconcileKind;
    if (line.kind == Kind::Adjustment || line.kind == Kind::EffectiveZero)
        return std::nullopt;
    figure.measure = "line.cost";
    figure.view = MoneyView::Effective;
    figure.line = std::string(insight::toString(line.kind));
    figure.detail = line.detail;
    return Cell{toString(figure), FigureValue::of(*line.effective)};
}

std::optional<Cell> showbackCell(Company &c)
{
    const bool billed = oneIn(c.random, 2);
    const auto view = billed ? reports::CostView::Billed : reports::CostView::Effective;
    const auto statement = c.workspace->billing().statement(c.month(), view, {}).value();
    const auto &currency = oneOf(c.random, statement.currencies);
    const auto &team = oneOf(c.random, currency.teams);
    Figure figure =
        insight::monthFigure(FigureKind::Showback, c.month(), billed ? MoneyView::Billed : MoneyView::Effective,
                             currency.currency, "team.total");
    figure.team = team.team;
    if (oneIn(c.random, 3))
        return Cell{toString(figure), FigureValue::of(team.total())};
    if (oneIn(c.random, 4)) {
        const bool isMoved = oneIn(c.random, 2);
        figure.measure = isMoved ? "team.moved" : "team.charged";
        return Cell{toString(figure), FigureValue::of(isMoved ? team.moved : team.charged())};
    }
    if (team.change && oneIn(c.random, 2)) {
        const std::map<std::string, base::Money> parts{{"price", team.change->price},
                                                       {"hours", team.change->hours},
                                                       {"efficiency", team.change->efficiency},
                                                       {"mix", team.change->mix},
                                                       {"other", team.change->other}};
        const auto part = std::next(parts.begin(), pick(c.random, 0, 5));
        figure.measure = "team.change." + part->first;
        return Cell{toString(figure), FigureValue::of(part->second)};
    }
    const auto &line = oneOf(c.random, team.lines);
    figure.category = line.category;
    figure.state = line.state;
    if (oneIn(c.random, 3) && line.gpuTime) {
        figure.measure = "line.gpu-hours";
        return Cell{toString(figure), FigureValue::of(*line.gpuTime)};
    }
    figure.measure = oneIn(c.random, 2) ? "line.cost" : "line.estimated";
    return Cell{toString(figure), FigureValue::of(figure.measure == "line.cost" ? line.cost : line.estimated)};
}

// Two adjacent periods of the same length, as the overview compares them.
std::pair<base::TimeRange, base::TimeRange> twoPeriods(Company &c)
{
    const base::TimeRange range = c.range();
    return {{range.start - (range.end - range.start), range.start}, range};
}

std::optional<Cell> changeCell(Company &c)
{
    insight::OverviewQuery query;
    std::tie(query.previous, query.query.range) = twoPeriods(c);
    query.query.filter = randomFilter(c.random);
    query.zone = base::TimeZone::find(kCompanyZone).value();
    const auto page = c.workspace->fleet().overview(query).value();
    Figure figure;
    figure.kind = FigureKind::Change;
    figure.range = page.range;
    figure.before = page.previous;
    figure.filter = query.query.filter;
    auto change = page.change;
    if (!page.teams.empty() && oneIn(c.random, 2)) {
        const auto &team = oneOf(c.random, page.teams);
        figure.filter.include[Dimension::Team] = {team.now.key};
        change = team.change;
    }
    if (!change || figure.range.empty() || figure.before.empty())
        return std::nullopt;
    const std::map<std::string, std::int64_t> parts{{"price", change->price},
                                                    {"hours", change->hours},
                                                    {"mix", change->mix},
                                                    {"efficiency", change->efficiency},
                                                    {"difference", change->after - change->before}};
    const auto part = std::next(parts.begin(), pick(c.random, 0, 5));
    figure.measure = part->first;
    return Cell{toString(figure), money(part->second)};
}

std::optional<Cell> spendChangeCell(Company &c)
{
    Figure figure;
    figure.kind = FigureKind::SpendChange;
    const auto [before, range] = twoPeriods(c);
    figure.before = insight::nearestDays(before);
    figure.range = insight::nearestDays(range);
    figure.currency = base::Currency::usd();
    const auto spendIn = [&](base::TimeRange days) {
        insight::LedgerQuery query;
        query.range = days;
        query.by = insight::spendDimensions();
        return insight::spendOf(c.workspace->spend().ledger(query).value(), figure.currency, days.end).value();
    };
    const insight::Spend then = spendIn(figure.before), now = spendIn(figure.range);
    const insight::SpendChange change = insight::changeOf(then, now).value();
    const std::map<std::string, std::int64_t> parts{
        {"price", change.gpu.price}, {"hours", change.gpu.hours},
        {"mix", change.gpu.mix},     {"efficiency", change.gpu.efficiency},
        {"other", change.other},     {"difference", now.total().nanos() - then.total().nanos()}};
    const auto part = std::next(parts.begin(), pick(c.random, 0, 6));
    figure.measure = part->first;
    return Cell{toString(figure), money(part->second)};
}

std::optional<Cell> idleCell(Company &c)
{
    const auto list = c.workspace->fleet().idle(c.fleet.at(pick(c.random, 2, kHistoryDays * 24) * 3600), {}).value();
    if (list.items.empty())
        return std::nullopt;
    const auto &item = oneOf(c.random, list.items);
    if (oneIn(c.random, 2) || !item.wasted)
        return Cell{toString(insight::idleFigure(list.at, item.id, "idle-hours")),
                    FigureValue::of(item.idleHours, "h")};
    return oneIn(c.random, 2)
        ? Cell{toString(insight::idleFigure(list.at, item.id, "wasted")), FigureValue::of(*item.wasted)}
        : Cell{toString(insight::idleFigure(list.at, item.id, "per-month")), FigureValue::of(*item.perMonth)};
}

std::optional<Cell> randomCell(Company &c)
{
    switch (pick(c.random, 0, 11)) {
    case 0:
    case 1:
    case 2:
        return summaryCell(c);
    case 3:
    case 4:
        return heatmapCell(c);
    case 5:
        return ledgerCell(c);
    case 6:
        return reconcileCell(c);
    case 7:
        return showbackCell(c);
    case 8:
        return changeCell(c);
    case 9:
        return spendChangeCell(c);
    default:
        return idleCell(c);
    }
}

// The sum of a figure's rows, including those left out; std::nullopt if the figure is not a sum of them.
std::optional<FigureValue> sumOfRows(const Proof &proof)
{
    const std::string &measure = proof.figure.measure;
    if (proof.figure.kind >= FigureKind::Change || measure.starts_with("team.change.") || measure == "team.moved"
        || measure == "team.charged")
        return std::nullopt;
    const bool isUsage = proof.figure.kind <= FigureKind::Idle;
    const bool isTime = measure.find("gpu-hours") != std::string::npos || measure == "held-hours";
    const bool isCost = measure.starts_with("cost") || measure == "idle-cost" || measure == "wasted";
    if ((isUsage && !isTime && !isCost) || measure == "difference" || !proof.recomputed.isKnown())
        return std::nullopt;
    base::GpuTime time = proof.leftOutTime;
    std::int64_t nanos = proof.leftOutAmount ? proof.leftOutAmount->nanos() : 0;
    for (const auto &row : proof.usage) {
        time += row.time;
        nanos += row.cost ? row.cost->nanos() : 0;
    }
    for (const auto &row : proof.money) {
        time += row.time.value_or(base::GpuTime{});
        nanos += row.amount ? row.amount->nanos() : 0;
    }
    return isTime ? FigureValue::of(time) : FigureValue::of(base::Money(nanos, proof.recomputed.money->currency()));
}

void execute(const std::filesystem::path &folder, const std::string &sql)
{
    const auto database = store::Database::open(folder / "ledger.db", store::Database::Mode::Writer).value();
    if (const auto done = database->execute(sql); !done)
        qFatal("%s", done.error().text.c_str());
}

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCellIsProved_data();
    void everyCellIsProved();
    void tamperedRollupIsTold();
    void tamperedChangeIsTold();
    void tamperedLedgerIsTold();
    void tamperedShareOfABillIsTold();
    void tamperedIdleListIsTold();
    void whatIsNotThereIsRefused();

private:
    static void prove(Company &c, const Cell &cell);
};

void TestExplain::prove(Company &c, const Cell &cell)
{
    const auto figure = insight::figureFromString(cell.id);
    QVERIFY2(figure, cell.id.c_str());
    const auto proof = c.workspace->proof().explain(*figure);
    QVERIFY2(proof, proof ? "" : (cell.id + ": " + proof.error().text).c_str());
    QVERIFY2(proof->shown == cell.value, ("the proof shows another value: " + cell.id).c_str());
    QVERIFY2(proof->recomputed == cell.value, ("the facts give another value: " + cell.id).c_str());
    QVERIFY2(proof->agrees, cell.id.c_str());
    const auto sum = sumOfRows(*proof);
    QVERIFY2(!sum || *sum == cell.value, ("the rows do not add up: " + cell.id).c_str());
    QVERIFY(proof->usage.size() + proof->money.size() <= Proof::kMostRows);
    QCOMPARE(proof->policy, std::string(figure->split ? model::toString(*figure->split) : "gpu-first"));
    for (const auto &row : proof->money)
        QVERIFY2(!row.charge || row.place.starts_with("/bills/bill-"), row.place.c_str());
}

void TestExplain::everyCellIsProved_data()
{
    QTest::addColumn<int>("seed");
    // For more of them: GPULEDGER_HISTORIES=first-last.
    const QList<QByteArray> range = qgetenv("GPULEDGER_HISTORIES").split('-');
    const int first = range.size() == 2 ? range[0].toInt() : 1, last = range.size() == 2 ? range[1].toInt() : kSeeds;
    for (int seed = first; seed <= last; ++seed)
        QTest::addRow("%d", seed) << seed;
}

void TestExplain::everyCellIsProved()
{
    QFETCH(int, seed);
    Company company(static_cast<std::uint64_t>(seed), static_cast<Telling>(seed % 3));
    int notZero = 0;
    for (int proved = 0, asked = 0; proved < kCellsEach; ++asked) {
        QVERIFY(asked < 10 * kCellsEach);
        const auto cell = randomCell(company);
        if (!cell)
            continue;
        prove(company, *cell);
        if (QTest::currentTestFailed())
            return;
        ++proved;
        const FigureValue &value = cell->value;
        notZero += (value.money && !value.money->isZero()) || (value.time && value.time->ticks != 0)
            || (value.number && *value.number != 0);
    }
    QVERIFY2(notZero > kCellsEach / 3, std::to_string(notZero).c_str()); // the test is not vacuous
}

namespace {

// The paid time of the whole fleet on all its days.
Cell paidOf(Company &c)
{
    const insight::Query query{{c.fleet.at(0), c.fleet.at(kHistoryDays * 86400)}, {}};
    const auto answer = c.workspace->fleet().summary(query, Dimension::Team).value();
    return {toString(summaryFigure({answer.range, {}}, Dimension::Team, std::nullopt, "gpu-hours.paid")),
            FigureValue::of(answer.total.time.paid())};
}

Cell costOf(Company &c)
{
    insight::LedgerQuery query;
    query.range = {c.fleet.day(-3).start(), c.fleet.day(kHistoryDays + 6).end()};
    query.include[LedgerDimension::Currency] = {"USD"};
    const auto answer = c.workspace->spend().ledger(query).value();
    return {toString(ledgerFigure(query, answer.range, answer.rows.front(), MoneyView::Billed, "cost")),
            FigureValue::of(answer.rows.front().billed)};
}

Proof proofOf(Company &c, const std::string &id)
{
    return c.workspace->proof().explain(insight::figureFromString(id).value()).value();
}

} // namespace

void TestExplain::tamperedRollupIsTold()
{
    Company company(1, Telling::Tidy);
    const Cell before = paidOf(company);
    QVERIFY(proofOf(company, before.id).agrees);
    execute(company.folder, "DELETE FROM rollup WHERE id = (SELECT min(id) FROM rollup)");
    const Cell after = paidOf(company);
    QVERIFY(!(after.value == before.value));
    const Proof proof = proofOf(company, after.id);
    QVERIFY(!proof.agrees);
    QVERIFY(proof.shown == after.value);
    QVERIFY(proof.recomputed == before.value);
}

void TestExplain::tamperedChangeIsTold()
{
    Company company(1, Telling::Tidy);
    Figure figure;
    figure.kind = FigureKind::Change;
    figure.measure = "difference";
    const base::UtcTime middle = company.fleet.at(kHistoryDays / 2 * 86400);
    figure.before = {company.fleet.at(0), middle};
    figure.range = {middle, company.fleet.at(kHistoryDays * 86400)};
    const Proof before = proofOf(company, toString(figure));
    QVERIFY(before.agrees && !before.inputs.empty() && !before.usage.empty());
    execute(company.folder, "DELETE FROM rollup WHERE id = (SELECT min(id) FROM rollup)");
    const Proof proof = proofOf(company, toString(figure));
    QVERIFY(!proof.agrees);
    QVERIFY(proof.recomputed == before.recomputed);
    figure.before = {};
    const auto refused = company.workspace->proof().explain(figure);
    QVERIFY(!refused && refused.error().code == base::ErrorCode::InvalidArgument);
}

void TestExplain::tamperedLedgerIsTold()
{
    Company company(2, Telling::Loose);
    const Cell before = costOf(company);
    QVERIFY(proofOf(company, before.id).agrees);
    execute(company.folder,
            "UPDATE ledger_line SET billed = billed + 1 WHERE (day, key) = (SELECT l.day, l.key FROM ledger_line l "
            "JOIN ledger_key k"
            " ON k.id = l.key WHERE k.currency = 'USD' AND k.origin = 0 LIMIT 1)");
    const Proof proof = proofOf(company, before.id);
    QVERIFY(!proof.agrees);
    QCOMPARE(proof.shown.money->nanos(), before.value.money->nanos() + 1);
    QVERIFY(proof.recomputed == before.value);
}

// Both the daily shares and the ledger computed from them are wrong: the lines of the bill still reveal it.
void TestExplain::tamperedShareOfABillIsTold()
{
    Company company(2, Telling::Loose);
    const Cell before = costOf(company);
    execute(company.folder,
            "UPDATE bill_day SET billed = billed + 1000000 WHERE item IN (SELECT id FROM bill_item WHERE currency = "
            "'USD')");
    execute(company.folder, "UPDATE meta SET value = 'other' WHERE key = 'rollup_fingerprint'");
    const auto store = store::LedgerStore::open(company.folder).value();
    QVERIFY(ledger::LedgerWriter(*store, company.ledger->rollup()).refreshRollup().value());
    const Cell after = costOf(company);
    QVERIFY(!(after.value == before.value));
    const Proof proof = proofOf(company, before.id);
    QVERIFY(!proof.agrees);
    QVERIFY(proof.shown == after.value);
    QVERIFY(proof.recomputed == before.value);
}

void TestExplain::tamperedIdleListIsTold()
{
    Company company(3, Telling::Tidy);
    const base::UtcTime at = company.fleet.at(kHistoryDays * 86400);
    const auto list = company.workspace->fleet().idle(at, {}).value();
    QVERIFY(!list.items.empty());
    const std::string id = toString(insight::idleFigure(list.at, list.items.front().id, "wasted"));
    QVERIFY(proofOf(company, id).agrees);
    execute(company.folder, "DELETE FROM idle_day");
    execute(company.folder, "DELETE FROM idle_candidate");
    QVERIFY(!proofOf(company, id).agrees);
}

void TestExplain::whatIsNotThereIsRefused()
{
    Company company(5, Telling::Tidy);
    const auto codeOf = [&](const char *id) {
        const auto proof = company.workspace->proof().explain(insight::figureFromString(id).value());
        return proof ? base::ErrorCode::Internal : proof.error().code;
    };
    const std::string day = base::toRfc3339(company.fleet.at(0)).substr(0, 10);
    const std::string range = "from=" + day + "&to=" + base::toRfc3339(company.fleet.at(86400)).substr(0, 10);
    QVERIFY(codeOf(("heatmap/cost?" + range + "&bins=day&tz=UTC&bin=1999-01-01").c_str())
            == base::ErrorCode::InvalidArgument);
    QVERIFY(codeOf(("heatmap/cost?" + range + "&bins=day&tz=Mars/North").c_str()) == base::ErrorCode::NotFound);
    QVERIFY(codeOf(("idle/wasted?at=" + day + "&id=nobody").c_str()) == base::ErrorCode::NotFound);
    // A team without any device: the figure is known, and zero.
    const Proof none = proofOf(company, "summary/gpu-hours.paid?" + range + "&team=nobody");
    QVERIFY(none.agrees && none.shown == FigureValue::of(base::GpuTime{}) && none.usage.empty());
}

GPULEDGER_SUITE(TestExplain)

} // namespace tst_explain

#include "tst_explain.moc"
