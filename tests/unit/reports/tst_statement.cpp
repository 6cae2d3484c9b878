// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/documents/documents.h"
#include "app/reports/statement/statementbuilder.h"
#include "tests/support/suite.h"

#include <QByteArray>
#include <QTest>

#include <limits>
#include <random>

namespace tst_statement {

using namespace gpuledger;
using base::Currency;
using base::GpuTime;
using base::Money;
using insight::LedgerAnswer;
using insight::LedgerRow;
using reports::CostView;
using reports::Statement;
using reports::TeamStatement;

namespace {

const Currency kUsd = Currency::usd();
const Currency kEur = Currency::parse("EUR").value();
constexpr insight::Month kMonth{2026, 10};
constexpr std::int64_t kHour = 3600 * GpuTime::kTicksPerSecond;

const base::TimeRange kCovered{base::parseTime("2026-09-01T00:00:00Z").value(),
                               base::parseTime("2026-11-21T00:00:00Z").value()};

struct RowText {
    std::string team, category = "gpu", state = "active", origin = "billed", model = "H100 SXM";
};

LedgerRow row(const RowText &text, std::int64_t nanos, std::int64_t hours = 0, Currency currency = kUsd)
{
    LedgerRow out;
    out.keys = {text.team, text.category, text.state, text.origin, text.model};
    out.currency = currency;
    const bool estimate = text.origin == "priced";
    out.billed = Money(estimate ? 0 : nanos, currency);
    out.effective = Money(estimate ? 0 : nanos / 2, currency);
    out.priced = Money(estimate ? nanos : 0, kUsd);
    out.gpuTime = {hours * kHour};
    out.hasGpuTime = hours != 0;
    return out;
}

// A bill of the sum of its rows plus `more`.
LedgerAnswer answer(std::vector<LedgerRow> rows, std::int64_t more = 0)
{
    LedgerAnswer out;
    std::map<Currency, insight::LedgerTotal> totals;
    for (const LedgerRow &one : rows) {
        if (one.keys[3] == "priced")
            continue;
        auto &total = totals.try_emplace(one.currency).first->second;
        total.currency = one.currency;
        total.billBilled = Money(total.billBilled.nanos() + one.billed.nanos() + more, one.currency);
        total.billEffective = Money(total.billEffective.nanos() + one.effective.nanos(), one.currency);
        total.unexplainedBilled = total.unexplainedEffective = Money(0, one.currency);
        more = 0;
    }
    out.rows = std::move(rows);
    for (const auto &[currency, total] : totals)
        out.totals.push_back(total);
    return out;
}

base::Result<Statement> make(const LedgerAnswer &after, const LedgerAnswer &before = {},
                             const LedgerAnswer &workloads = {}, const std::string &team = {},
                             const char *now = "2026-11-21T12:00:00Z", CostView view = CostView::Billed,
                             base::TimeRange covered = kCovered)
{
    return reports::makeStatement(
        {kMonth, view, base::parseTime(now).value(), team, covered, after, before, workloads});
}

const TeamStatement &teamOf(const Statement &statement, const std::string &name, std::size_t currency = 0)
{
    for (const TeamStatement &team : statement.currencies.at(currency).teams) {
        if (team.team == name)
            return team;
    }
    qFatal("no such team");
}

} // namespace

class StatementTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void teamsAddUpToTheBill()
    {
        const auto statement =
            make(answer({row({"vision"}, 70'000'000'001, 10), row({"vision", "gpu", "idle"}, 30'000'000'000, 5),
                         row({"speech", "storage", "", "billed", ""}, 12'345'678'901),
                         row({"speech", "gpu", "active", "priced"}, 9'000'000'000, 3)}));
        QVERIFY(statement.has_value());
        const auto &currency = statement->currencies.at(0);
        QCOMPARE(currency.cost.nanos(), 112'345'678'902);
        QCOMPARE(currency.cost.nanos(), currency.bill.nanos());
        QCOMPARE(currency.estimated.nanos(), 9'000'000'000);
        QVERIFY(statement->reconciles());
        QVERIFY(statement->isOver);
        QCOMPARE(currency.teams.at(0).team, std::string("vision")); // the most expensive one
        const TeamStatement &vision = teamOf(*statement, "vision");
        QCOMPARE(vision.idle.nanos(), 30'000'000'000);
        QCOMPARE(vision.idleTime->ticks, 5 * kHour);
        QCOMPARE(vision.gpuTime->ticks, 15 * kHour);
        const TeamStatement &speech = teamOf(*statement, "speech");
        QCOMPARE(speech.lines.size(), std::size_t{2});
        QCOMPARE(speech.lines[0].category, std::string("gpu")); // before everything that is not GPU time
        QCOMPARE(speech.lines[0].estimated.nanos(), 9'000'000'000);
        QVERIFY(!speech.lines[1].gpuTime); // unknown, not zero
        QVERIFY(!speech.change);
    }

    void aBillThatIsNotReachedIsSaid()
    {
        const auto statement = make(answer({row({"vision"}, 5'000'000'000, 1)}, 1));
        QVERIFY(statement.has_value());
        QVERIFY(!statement->reconciles());
        QCOMPARE(statement->currencies.at(0).difference().nanos(), -1);
    }

    void currenciesStayApart()
    {
        const auto statement = make(answer({row({"a"}, 100, 1), row({"a"}, 7, 1, kEur)}));
        QVERIFY(statement.has_value());
        QCOMPARE(statement->currencies.size(), std::size_t{2});
        QVERIFY(statement->currencies[0].currency == kEur);
        QCOMPARE(statement->currencies[0].total().nanos(), 7);
        QCOMPARE(statement->currencies[1].total().nanos(), 100);
    }

    void theEffectiveViewIsAnotherOne()
    {
        const auto statement =
            make(answer({row({"a"}, 100, 1)}), {}, {}, {}, "2026-11-21T12:00:00Z", CostView::Effective);
        QVERIFY(statement.has_value());
        QCOMPARE(statement->currencies.at(0).cost.nanos(), 50);
        QVERIFY(statement->reconciles());
    }

    void changesAddUpExactly()
    {
        std::mt19937_64 random(20261121);
        const auto upTo = [&](std::int64_t most) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
        };
        const std::array<std::string, 3> models{"H100 SXM", "A100 80GB", "L4"};
        for (int round = 0; round < 300; ++round) {
            // This month, the previous one, and the closed previous one as it would be now.
            std::array<std::vector<LedgerRow>, 4> rows;
            for (auto &month : rows) {
                for (int i = 0; i < 12; ++i) {
                    const bool gpu = upTo(4) > 0;
                    month.push_back(row({"t" + std::to_string(upTo(3)), gpu ? "gpu" : "network", gpu ? "active" : "",
                                         upTo(3) > 0 ? "billed" : "priced", models[static_cast<std::size_t>(upTo(3))]},
                                        upTo(1'000'000'000'000) - 1'000'000, gpu ? 1 + upTo(500) : 0));
                }
            }
            const LedgerAnswer after = answer(rows[1]), before = answer(rows[0]);
            reports::RestatedMonth restated{answer(rows[2]), {}};
            if (round % 3 == 1)
                restated.byOldRules = answer(rows[3]);
            const LedgerAnswer none;
            reports::StatementInput input{
                kMonth, CostView::Billed, base::parseTime("2026-11-21T12:00:00Z").value(), {}, kCovered, after, before,
                none};
            input.restated = round % 3 > 0 ? &restated : nullptr;
            const auto statement = reports::makeStatement(input);
            QVERIFY(statement.has_value());
            QVERIFY(statement->reconciles());
            std::vector<TeamStatement> teams = statement->currencies.at(0).teams;
            teams.push_back(reports::allTeams(statement->currencies.at(0)));
            for (const TeamStatement &team : teams) {
                QVERIFY(team.change.has_value());
                const auto &c = *team.change;
                QCOMPARE(c.before.nanos() + c.price.nanos() + c.hours.nanos() + c.mix.nanos() + c.efficiency.nanos()
                             + c.other.nanos() + c.restated.nanos(),
                         team.total().nanos());
                QCOMPARE(c.policy.has_value(), round % 3 != 2);
                if (c.policy)
                    QCOMPARE(c.policy->nanos() + c.late->nanos(), c.restated.nanos());
                QVERIFY(round % 3 > 0 || c.restated.isZero());
            }
        }
    }

    void aMonthThatRunsIsComparedWithNothing()
    {
        const auto statement =
            make(answer({row({"a"}, 100, 1)}), answer({row({"a"}, 300, 3)}), {}, {}, "2026-10-15T00:00:00Z");
        QVERIFY(statement.has_value());
        QVERIFY(!statement->isOver);
        QVERIFY(!teamOf(*statement, "a").change);
    }

    void whatWasNotFetchedWholeIsComparedWithNothing()
    {
        const base::TimeRange late{base::parseTime("2026-09-22T00:00:00Z").value(), kCovered.end};
        const auto ask = [&](const char *origin, base::TimeRange covered) {
            return make(answer({row({"a"}, 100, 1)}), answer({row({"a", "gpu", "active", origin}, 300, 3)}), {}, {},
                        "2026-11-21T12:00:00Z", CostView::Billed, covered)
                .value();
        };
        QVERIFY(!teamOf(ask("priced", late), "a").change);
        QVERIFY(teamOf(ask("priced", kCovered), "a").change);
        QVERIFY(teamOf(ask("billed", late), "a").change); // a bill is complete
        QVERIFY(!ask("priced", late).isCut());
        const auto cut = ask("priced", {late.start + 20 * base::kDay, late.end});
        QVERIFY(cut.isCut());
        QCOMPARE(base::toRfc3339(cut.observed.start), std::string("2026-10-12T00:00:00Z"));
    }

    // There may be a gap between two fetched ranges: the first and the last moment do not reveal it.
    void aHoleInWhatWasFetchedIsComparedWithNothing()
    {
        for (const char *origin : {"priced", "billed"}) {
            const auto after = answer({row({"a"}, 100, 1)});
            const auto before = answer({row({"a", "gpu", "active", origin}, 300, 3)});
            const LedgerAnswer none;
            reports::StatementInput input{
                kMonth, CostView::Billed, base::parseTime("2026-11-21T12:00:00Z").value(), {}, kCovered, after, before,
                none};
            QVERIFY(teamOf(reports::makeStatement(input).value(), "a").change);
            input.fetchedInPart = true;
            const bool isBilled = std::string_view(origin) == "billed"; // a bill is complete
            QCOMPARE(teamOf(reports::makeStatement(input).value(), "a").change.has_value(), isBilled);
        }
    }

    void oneTeamKeepsTheBillOfAll()
    {
        const LedgerAnswer rows = answer({row({"a"}, 100, 1), row({"b"}, 300, 1)});
        const auto statement = make(rows, {}, {}, "a");
        QVERIFY(statement.has_value());
        QCOMPARE(statement->currencies.at(0).teams.size(), std::size_t{1});
        QCOMPARE(statement->currencies.at(0).bill.nanos(), 400);
        QVERIFY(statement->reconciles());
        const auto none = make(rows, {}, {}, "c");
        QVERIFY(!none.has_value());
        QVERIFY(none.error().code == base::ErrorCode::NotFound);
    }

    void theDearestWorkloadsComeFirst()
    {
        LedgerAnswer workloads;
        for (int i = 0; i < 14; ++i) {
            LedgerRow one = row({"a"}, i * 10, 1);
            one.keys = {"a", "ml", "w" + std::to_string(i), i % 2 ? "idle" : "active"};
            workloads.rows.push_back(one);
        }
        const auto statement = make(answer({row({"a"}, 910, 14)}), {}, workloads);
        QVERIFY(statement.has_value());
        const TeamStatement &team = teamOf(*statement, "a");
        QCOMPARE(team.workloads.size(), TeamStatement::kMostWorkloads);
        QCOMPARE(team.workloads[0].name, std::string("w13"));
        QCOMPARE(team.workloads[0].idle.nanos(), 130);
        QCOMPARE(team.workloads[1].idle.nanos(), 0);
    }

    void sumsThatDoNotFitAreRefused()
    {
        const std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const auto statement = make(answer({row({"a"}, most, 1), row({"b", "gpu", "active", "priced"}, most, 1)}));
        QVERIFY(!statement.has_value());
        QVERIFY(statement.error().code == base::ErrorCode::Overflow);
    }

    // Each figure fits, but the sum over the teams of a document, or the difference to the previous month, does not.
    void sumsOfDocumentsThatDoNotFitAreRefused()
    {
        const std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const auto isRefused = [](const base::Result<Statement> &statement) {
            return !statement && statement.error().code == base::ErrorCode::Overflow;
        };
        QVERIFY(isRefused(make(answer({row({"a"}, most, 1), row({"b"}, -most, 1), row({"c"}, most, 1)}))));
        QVERIFY(isRefused(make(answer({row({"a"}, -most, 1)}), answer({row({"a"}, most, 1)}))));
        QVERIFY(isRefused(make(answer({row({"a", "storage", ""}, -2)}), answer({row({"a", "storage", ""}, most)}))));
        const auto largest = make(answer({row({"a"}, most, 1), row({"b"}, -most, 1)}));
        QVERIFY(largest.has_value());
        const TeamStatement all = reports::allTeams(largest->currencies.at(0));
        QCOMPARE(all.total().nanos(), 0);
        QCOMPARE(all.lines.at(0).cost.nanos(), 0);
    }

    void foreignTextIsDataInEveryDocument()
    {
        const std::string hostile = "=HYPERLINK(\"http://x\")<script>alert('1')</script>&\u202e\x01";
        const auto statement = make(answer({row({hostile}, 100, 1)}));
        QVERIFY(statement.has_value());
        const QByteArray csv = QByteArray::fromStdString(reports::toCsv(*statement));
        QVERIFY(csv.contains("\"'=HYPERLINK(\"\"http://x\"\")"));
        const QByteArray html = QByteArray::fromStdString(reports::toHtml(*statement));
        QVERIFY(!html.contains("<script"));
        QVERIFY(html.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"));
        QVERIFY(!html.contains("\u202e"));
        const auto xlsx = reports::toXlsx(*statement);
        QVERIFY2(xlsx.has_value(), xlsx ? "" : xlsx.error().text.c_str());
        QVERIFY(QByteArray::fromStdString(*xlsx).startsWith("PK"));
    }

    // They are in no figure, and a statement that was reduced to a team has only that team's.
    void savingsArePartOfAStatementOnlyIfAskedFor()
    {
        Statement statement = make(answer({row({"vision"}, 100, 1), row({"speech"}, 50, 1)})).value();
        const std::string without = reports::toHtml(statement), csv = reports::toCsv(statement);
        QVERIFY(without.find("Savings") == std::string::npos);
        reports::StatementSaving accepted;
        accepted.part = reports::StatementSaving::Part::Accepted;
        accepted.kind = "schedule";
        accepted.target = "<script>alert('1')</script>";
        accepted.team = "vision";
        accepted.owner = "=kim";
        accepted.due = base::dayOf(base::parseTime("2026-12-03").value());
        accepted.currency = "USD";
        reports::StatementSaving found;
        found.count = 3;
        found.currency = "USD";
        const auto cents = [](std::int64_t amount) { return Money(amount * (Money::kNanosPerUnit / 100), kUsd); };
        found.perMonth = reports::StatementSaving::Band{cents(123'456), cents(234'567), cents(345'678)};
        statement.savings = reports::StatementSavings{statement.made, {}, "vision", {found, accepted}};
        const QByteArray html = QByteArray::fromStdString(reports::toHtml(statement));
        QVERIFY(html.contains("found: 3 proposals"));
        QVERIFY(html.contains("<td class=n>1,234.56</td><td class=n>2,345.67</td><td class=n>3,456.78</td>"));
        QVERIFY(
            html.contains("<td>=kim</td><td>2026-12-03</td><td>USD</td><td class=n>\u2013</td>")); // unknown, not zero
        QVERIFY(html.contains("accepted: schedule: &lt;script&gt;") && !html.contains("<script"));
        QCOMPARE(reports::toCsv(statement), csv);
        QVERIFY(reports::ofTeam(statement, "vision").savings);
        QVERIFY(!reports::ofTeam(statement, "speech").savings);
        statement.savings.reset();
        QCOMPARE(reports::toHtml(statement), without);
    }

    // With what is unknown as such, and in no sum.
    void everyDocumentShowsBudgets()
    {
        Statement statement = make(answer({row({"vision"}, 100, 1), row({"speech"}, 50, 1)})).value();
        const QByteArray without = QByteArray::fromStdString(reports::toCsv(statement));
        QVERIFY(reports::toHtml(statement).find("Budgets") == std::string::npos);
        const auto dollars = [](std::int64_t units) { return Money(units * Money::kNanosPerUnit, kUsd); };
        reports::StatementBudget budget;
        budget.team = "vision";
        budget.amount = dollars(1000);
        budget.carriesOver = true;
        budget.carried = dollars(234);
        budget.available = dollars(1234);
        budget.spent = dollars(617);
        budget.left = dollars(617);
        budget.share = 0.5;
        budget.expected = dollars(1300);
        budget.low = dollars(1200);
        budget.high = dollars(1400);
        reports::StatementBudget other{"=nobody", dollars(7), false, {}, dollars(7), dollars(0), dollars(7), 0.0};
        statement.budgets = {budget, other};
        const QByteArray html = QByteArray::fromStdString(reports::toHtml(statement));
        QVERIFY(html.contains("<td class=n>1,000.00</td><td class=n>234.00</td><td class=n>1,234.00</td>"
                              "<td class=n>617.00</td><td class=n>617.00</td><td class=n>50.0 %</td>"
                              "<td class=n>1,300.00</td><td class=n>1,200.00</td><td class=n>1,400.00</td>"));
        QVERIFY(html.contains("<td class=n>0.0 %</td><td class=n>\u2013</td><td class=n>\u2013</td>"));
        const QList<QByteArray> lines = QByteArray::fromStdString(reports::toCsv(statement)).split('\n');
        const QList<QByteArray> before = without.split('\n');
        QCOMPARE(lines.size(), before.size() + 2);
        for (qsizetype i = 1; i + 1 < before.size(); ++i) // the other lines stay, with empty cells
            QCOMPARE(lines[i], before[i].chopped(1) + ",,,,,,,,\r");
        QVERIFY(lines[0].endsWith(",budget,budget_carried,budget_available,budget_spent,budget_left,forecast,"
                                  "forecast_low,forecast_high\r"));
        const QByteArray nanos = ".000000000", none = "0" + nanos;
        QCOMPARE(lines[lines.size() - 3],
                 "2026-10,vision,budget,,,true," + none + ',' + none + ",USD,billed,,draft,1000" + nanos + ",234"
                     + nanos + ",1234" + nanos + ",617" + nanos + ",617" + nanos + ",1300" + nanos + ",1200" + nanos
                     + ",1400" + nanos + '\r');
        QVERIFY(lines[lines.size() - 2].startsWith("2026-10,\"'=nobody\",budget,"));
        QVERIFY(lines[lines.size() - 2].endsWith(QByteArray(",,7" + nanos + ",0" + nanos + ",7" + nanos + ",,,\r")));
        QVERIFY(reports::toXlsx(statement).has_value());
        const Statement own = reports::ofTeam(statement, "vision");
        QCOMPARE(own.budgets.size(), std::size_t{1});
    }
};

GPULEDGER_SUITE(StatementTest)

} // namespace tst_statement

#include "tst_statement.moc"
