// SPDX-License-Identifier: GPL-3.0-or-later
// One price and one owner for one GPU-hour, on random fleets with random bills: pages whose figures mean the same show
// the same money for each team.
#include "app/insight/heatmap/heatmap.h"
#include "app/insight/overview/summary.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/reports/statement/statement.h"
#include "app/services/billing/billingservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/spend/spendservice.h"
#include "tests/support/fleets/randomcompany.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_equalpages {

using namespace gpuledger;
using namespace gpuledger::tests;
using insight::LedgerDimension;
using insight::LedgerRow;

namespace {

constexpr int kCompanies = 6;
constexpr std::int64_t kHalfCent = base::Money::kNanosPerUnit / 200; // parts are rounded to a billionth, each by itself

using Money = std::map<std::string, std::int64_t>; // by team; nano-units of USD, only what is not zero

// Every currency of the bills can be converted: pages with one currency then have the money of all bills.
model::Settings rules()
{
    model::Settings settings = companyRules();
    settings.prices.exchangeRates.push_back({base::Currency::parse("EUR").value(), base::Currency::usd(), "1.25", {}});
    return settings;
}

struct Fleet : Company {
    explicit Fleet(int seed)
        : Company(static_cast<std::uint64_t>(seed), static_cast<Telling>(seed % 3), rules())
    {
    }
    // The whole UTC days of the fleet's past.
    base::TimeRange days() const
    {
        return {base::floorTo(fleet.at(0), base::kDay), base::floorTo(fleet.at(kHistoryDays * 86400), base::kDay)};
    }
};

void companies()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= kCompanies; ++seed)
        QTest::addRow("%d", seed) << seed;
}

Money withoutZeros(Money money)
{
    std::erase_if(money, [](const auto &one) { return one.second == 0; });
    return money;
}

Money summaryOf(Fleet &company, model::CostView cost = model::CostView::Effective)
{
    Money money;
    const insight::Query query{company.days(), {}, cost};
    const insight::Summary summary = company.workspace->fleet().summary(query, insight::Dimension::Team).value();
    for (const insight::SummaryRow &row : summary.rows)
        money[row.key] += row.cost.total();
    return withoutZeros(money);
}

// What a line of GPU time costs: by its bill, else by its estimate; that of a machine which its cloud's bill lacks, by
// the price book.
std::int64_t worth(const LedgerRow &row)
{
    if (row.keys[1] == "not-billed")
        return row.replaced ? row.replaced->nanos() : 0;
    return row.keys[3] == "billed" ? row.effective.nanos() : row.priced.nanos();
}

// Telemetry saw the machine.
bool isSeen(const LedgerRow &row)
{
    return row.keys[1] == "not-billed" || row.keys[3] != "billed" || (!row.keys[2].empty() && row.keys[2] != "none");
}

Money ledgerOf(Fleet &company, base::TimeRange range, bool onlySeen)
{
    insight::LedgerQuery query;
    query.range = range;
    query.by = {LedgerDimension::Team, LedgerDimension::Category, LedgerDimension::Match, LedgerDimension::Origin};
    query.showIn = base::Currency::usd();
    Money money;
    const insight::LedgerAnswer ledger = company.workspace->spend().ledger(query).value();
    for (const LedgerRow &row : ledger.rows) {
        const bool isGpu = row.keys[1] == "gpu" || (onlySeen && row.keys[1] == "not-billed");
        if (isGpu && (!onlySeen || isSeen(row)))
            money[row.keys[0]] += worth(row);
    }
    return withoutZeros(money);
}

Money heatmapOf(Fleet &company)
{
    insight::HeatmapQuery query;
    query.query = {company.days(), {}};
    query.bins = insight::Bins::Day;
    query.metric = insight::Metric::Cost;
    Money money;
    const insight::Heatmap heatmap = company.workspace->fleet().heatmap(query).value();
    for (const insight::HeatmapRow &row : heatmap.rows) {
        for (const insight::HeatmapCell &cell : row.cells)
            money[row.key] += qRound64(cell.value.value_or(0) * static_cast<double>(base::Money::kNanosPerUnit));
    }
    return withoutZeros(money);
}

void mustAgree(const Money &left, const Money &right)
{
    Money differences = left;
    for (const auto &[team, nanos] : right)
        differences[team] -= nanos;
    for (const auto &[team, nanos] : differences) {
        const auto shown = [&](const Money &money) { return money.contains(team) ? money.at(team) : 0; };
        QVERIFY2(std::abs(nanos) < kHalfCent,
                 qPrintable(QStringLiteral("%1: %2 and %3 nano-USD")
                                .arg(QString::fromStdString(team))
                                .arg(shown(left))
                                .arg(shown(right))));
    }
}

} // namespace

class TestEqualPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void summaryAndLedger_data() { companies(); }
    void summaryAndLedger();
    void summaryAndHeatmap_data() { companies(); }
    void summaryAndHeatmap();
    void statementAndLedger_data() { companies(); }
    void statementAndLedger();
    void billsMatter();
};

void TestEqualPages::summaryAndLedger()
{
    QFETCH(int, seed);
    Fleet company(seed);
    const Money summary = summaryOf(company);
    QVERIFY(!summary.empty());
    mustAgree(summary, ledgerOf(company, company.days(), true));
}

void TestEqualPages::summaryAndHeatmap()
{
    QFETCH(int, seed);
    Fleet company(seed);
    mustAgree(summaryOf(company), heatmapOf(company));
}

// The statement's GPU lines, with those of machines that telemetry did not see, in one currency.
void TestEqualPages::statementAndLedger()
{
    QFETCH(int, seed);
    Fleet company(seed);
    const insight::Month month = company.month();
    Money lines;
    const auto statement = company.workspace->billing().statement(month, reports::CostView::Effective, {}).value();
    for (const reports::CurrencyStatement &currency : statement.currencies) {
        const bool isEuro = currency.currency != base::Currency::usd();
        for (const reports::TeamStatement &team : currency.teams) {
            for (const reports::StatementLine &line : team.lines) {
                if (line.category == "gpu")
                    lines[team.team] += (line.cost.nanos() + line.estimated.nanos()) * (isEuro ? 5 : 4) / 4;
            }
        }
    }
    mustAgree(withoutZeros(lines), ledgerOf(company, month.range(), false));
}

// The pairs would say little if no bill line were for a machine that telemetry saw.
void TestEqualPages::billsMatter()
{
    int different = 0;
    for (int seed = 1; seed <= kCompanies; ++seed) {
        Fleet company(seed);
        different += summaryOf(company, model::CostView::List) != summaryOf(company) ? 1 : 0;
    }
    QVERIFY(different > kCompanies / 2);
}

GPULEDGER_SUITE(TestEqualPages)

} // namespace tst_equalpages

#include "tst_equalpages.moc"
