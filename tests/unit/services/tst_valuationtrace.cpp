// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of two pages that must be equal, on the development trace: it has no bills, so that everything is at list
// prices and nothing is billed.
#include "app/actions/plan/planner.h"
#include "app/insight/heatmap/heatmap.h"
#include "app/insight/idle/idlereplay.h"
#include "app/insight/overview/summary.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/services/actions/actionservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/spend/spendservice.h"
#include "app/services/workspace/workspace.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/tracefleet.h"
#include "tests/support/suite.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace tst_valuationtrace {

using namespace gpuledger;
using insight::Dimension;
using model::CostView;
using tests::numberFrom;
using tests::sourceFolder;
using tests::TraceFleet;
using tests::traceFolder;

namespace {

constexpr double kCent = 0.005; // parts are rounded to a billionth, each by itself
constexpr int kPatience = 600'000; // ms

// A cache with a part of the trace, and the services that query it.
class Trace {
public:
    Trace()
    {
        const QString facts = m_dir.filePath(QStringLiteral("facts.txt"));
        QProcess oracle;
        oracle.start(QStringLiteral("/usr/bin/python3"),
                     {QString::fromStdString((sourceFolder() / "tests/support/replay_oracle.py").string()),
                      QString::fromStdString(traceFolder().string()), QStringLiteral("--days"),
                      QString::number(numberFrom("GPULEDGER_TRACE_DAYS", 4)), QStringLiteral("--gpus"),
                      QString::number(numberFrom("GPULEDGER_TRACE_GPUS", 64)), QStringLiteral("--facts"), facts});
        if (!oracle.waitForFinished(kPatience) || oracle.exitCode() != 0)
            qFatal("the trace can't be read");
        const QJsonObject told = QJsonDocument::fromJson(oracle.readAllStandardOutput()).object();
        const auto at = [&](const char *key) { return static_cast<qint64>(told[QLatin1String(key)].toDouble()); };
        range = {base::fromUnix(at("begin")), base::fromUnix(at("end"))};
        m_clock.emplace(range.end);
        const TraceFleet fleet(facts.toStdString(), at("begin"), at("end"));
        const std::filesystem::path folder = m_dir.filePath(QStringLiteral("data")).toStdString();
        const auto ledger = ledger::Ledger::create(settings).value();
        {
            const auto store = store::LedgerStore::open(folder).value();
            if (!ledger::LedgerWriter(*store, ledger->rollup()).commit("trace", fleet.fleet().batch))
                qFatal("no facts");
        }
        workspace =
            services::Workspace::open(settings, {folder, "UTC", false, "alex"}, m_catalog, m_secrets, *m_clock).value();
    }

    const model::Settings settings = tests::pricedSettings();
    base::TimeRange range;

private:
    QTemporaryDir m_dir;
    std::optional<base::FrozenClock> m_clock;
    tests::FakeCatalog m_catalog;
    tests::NoSecrets m_secrets;

public:
    std::unique_ptr<services::Workspace> workspace; // closed first
};

double units(std::int64_t nanos)
{
    return static_cast<double>(nanos) / base::Money::kNanosPerUnit;
}

std::map<std::string, double> summaryOf(Trace &trace, CostView view)
{
    std::map<std::string, double> teams;
    insight::Query query{trace.range, {}};
    query.cost = view;
    const auto answer = trace.workspace->fleet().summary(query, Dimension::Team).value();
    for (const insight::SummaryRow &row : answer.rows)
        teams[row.key] = units(row.cost.total());
    return teams;
}

std::map<std::string, double> heatmapOf(Trace &trace, CostView view)
{
    std::map<std::string, double> teams;
    insight::HeatmapQuery query;
    query.query = {trace.range, {}};
    query.query.cost = view;
    query.bins = insight::Bins::Day;
    query.metric = insight::Metric::Cost;
    query.zone = base::TimeZone::find("UTC").value();
    const auto answer = trace.workspace->fleet().heatmap(query).value();
    for (const insight::HeatmapRow &row : answer.rows) {
        for (const insight::HeatmapCell &cell : row.cells)
            teams[row.key] += cell.value.value_or(0);
    }
    return teams;
}

std::map<std::string, double> ledgerOf(Trace &trace)
{
    std::map<std::string, double> teams;
    insight::LedgerQuery query;
    query.range = trace.range;
    query.by = {insight::LedgerDimension::Team};
    const auto answer = trace.workspace->spend().ledger(query).value();
    for (const insight::LedgerRow &row : answer.rows)
        teams[row.keys.front()] += row.priced.toDouble();
    return teams;
}

// A page may leave out a team that costs nothing.
void mustBeSame(const std::map<std::string, double> &left, std::map<std::string, double> right)
{
    QVERIFY(std::any_of(left.begin(), left.end(), [](const auto &one) { return one.second > 1; }));
    for (const auto &[team, cost] : left)
        right[team] -= cost;
    for (const auto &[team, rest] : right)
        QVERIFY2(std::abs(rest) < kCent, team.c_str());
}

} // namespace

class TestValuationTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void summaryHeatMapAndLedgerAgree();
    void replayAndSummaryAgree();
    void theIdleListAndAPlanAgree();

private:
    std::unique_ptr<Trace> m_trace;
};

void TestValuationTrace::initTestCase()
{
    if (!std::filesystem::exists(traceFolder()))
        QSKIP("skipped: no trace");
    m_trace = std::make_unique<Trace>();
}

void TestValuationTrace::summaryHeatMapAndLedgerAgree()
{
    const auto effective = summaryOf(*m_trace, CostView::Effective);
    QVERIFY(!effective.empty());
    mustBeSame(effective, heatmapOf(*m_trace, CostView::Effective));
    mustBeSame(effective, ledgerOf(*m_trace));
    mustBeSame(effective, summaryOf(*m_trace, CostView::List));
    mustBeSame(effective, heatmapOf(*m_trace, CostView::List));
    for (const auto &[team, cost] : summaryOf(*m_trace, CostView::Billed))
        QCOMPARE(cost, 0.0);
}

void TestValuationTrace::replayAndSummaryAgree()
{
    insight::ReplayQuery query;
    query.range = m_trace->range;
    query.rule = m_trace->settings.idle;
    const auto replay = m_trace->workspace->fleet().replayIdle(query).value();
    const auto summary = m_trace->workspace->fleet().summary({m_trace->range, {}}, Dimension::Team).value();
    QVERIFY(replay.idle.ticks > 0);
    QCOMPARE(replay.idle.ticks, summary.total.time.idle.ticks);
    QVERIFY(replay.total.stops > 0);
    QVERIFY(replay.total.back <= replay.idle);
    QVERIFY(replay.total.money <= summary.total.cost.idle);
}

void TestValuationTrace::theIdleListAndAPlanAgree()
{
    std::map<std::string, insight::IdleItem> listed;
    const auto listOf = [&](CostView view) {
        return m_trace->workspace->fleet().idle(m_trace->range.end, {}, view).value().items;
    };
    actions::PlanQuestion question;
    for (const insight::IdleItem &item : listOf(CostView::Effective)) {
        listed.emplace(item.id, item);
        QVERIFY(item.ratePerHour && item.perMonth && item.wasted);
        QCOMPARE(item.perMonth->nanos(), 730 * item.ratePerHour->nanos());
        if (question.holders.size() < 50)
            question.holders.push_back(item.id);
    }
    QVERIFY(!listed.empty());
    for (const insight::IdleItem &item : listOf(CostView::List))
        QVERIFY(item.ratePerHour == listed.at(item.id).ratePerHour && item.wasted == listed.at(item.id).wasted);
    for (const insight::IdleItem &item : listOf(CostView::Billed))
        QVERIFY(!item.ratePerHour && !item.wasted && !item.perMonth);
    const auto plan = m_trace->workspace->actions().plan(question, {}).value();
    QCOMPARE(plan.stops.size(), question.holders.size()); // nothing is found on a platform and merged
    for (const actions::PlannedStop &stop : plan.stops) {
        const insight::IdleItem &item = listed.at(stop.items.front().id);
        QVERIFY(stop.ratePerHour == item.ratePerHour && stop.perMonth == item.perMonth);
        QVERIFY(stop.items.front().avoidablePerMonth == item.avoidablePerMonth);
    }
}

GPULEDGER_SUITE(TestValuationTrace)

} // namespace tst_valuationtrace

#include "tst_valuationtrace.moc"
