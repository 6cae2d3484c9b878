// SPDX-License-Identifier: GPL-3.0-or-later
// Every figure of a closed month's statement is proved by what was stored when it was closed: its lines add up to it,
// the record and the log are named, and the present value is shown next to it.
#include "app/insight/proof/figure.h"
#include "app/insight/proof/proof.h"
#include "app/reports/statement/monthstatus.h"
#include "app/reports/statement/statement.h"
#include "app/services/billing/billingservice.h"
#include "app/services/proof/proofservice.h"
#include "app/store/actions/auditlog.h"
#include "app/store/sqlite/database.h"
#include "tests/support/fleets/randomcompany.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_explainclosed {

using namespace gpuledger;
using namespace gpuledger::tests;
using insight::Figure;
using insight::FigureKind;
using insight::FigureValue;
using insight::MoneyView;

namespace {

struct Cell { // its id, and its value in the statement
    std::string id;
    FigureValue value;
};

// Every figure of a month's statement with its id, in one view.
std::vector<Cell> statementCells(const reports::Statement &statement)
{
    const MoneyView view = statement.view == reports::CostView::Billed ? MoneyView::Billed : MoneyView::Effective;
    std::vector<Cell> cells;
    for (const auto &currency : statement.currencies) {
        const auto of = [&](const char *measure) {
            return insight::monthFigure(FigureKind::Showback, statement.month, view, currency.currency, measure);
        };
        const auto add = [&](const Figure &figure, const FigureValue &value) {
            cells.push_back({toString(figure), value});
        };
        add(of("cost"), FigureValue::of(currency.cost));
        add(of("estimated"), FigureValue::of(currency.estimated));
        add(of("unowned"), FigureValue::of(currency.unowned));
        if (currency.hasBill) {
            add(of("bill"), FigureValue::of(currency.bill));
            add(of("unexplained"), FigureValue::of(currency.unexplained));
        }
        const auto addLines = [&](const reports::TeamStatement &team, const std::optional<std::string> &name) {
            for (const auto &line : team.lines) {
                Figure figure = of("line.cost");
                figure.team = name;
                figure.category = line.category;
                figure.state = line.state;
                add(figure, FigureValue::of(line.cost));
                figure.measure = "line.estimated";
                add(figure, FigureValue::of(line.estimated));
                figure.measure = "line.gpu-hours";
                if (line.gpuTime)
                    add(figure, FigureValue::of(*line.gpuTime));
            }
        };
        addLines(reports::allTeams(currency), std::nullopt);
        for (const auto &team : currency.teams) {
            Figure figure = of("team.total");
            figure.team = team.team;
            add(figure, FigureValue::of(team.total()));
            figure.measure = "team.idle";
            add(figure, FigureValue::of(team.idle));
            addLines(team, team.team);
        }
    }
    return cells;
}

void execute(const std::filesystem::path &folder, const std::string &sql)
{
    const auto database = store::Database::open(folder / "ledger.db", store::Database::Mode::Writer).value();
    if (const auto done = database->execute(sql); !done)
        qFatal("%s", done.error().text.c_str());
}

// Whether the rows of the proof add up to a figure that is a sum.
bool addsUp(const insight::Proof &proof)
{
    base::GpuTime time = proof.leftOutTime;
    std::int64_t nanos = proof.leftOutAmount ? proof.leftOutAmount->nanos() : 0;
    for (const auto &row : proof.money) {
        time += row.time.value_or(base::GpuTime{});
        nanos += row.amount ? row.amount->nanos() : 0;
    }
    return proof.shown.money ? proof.shown.money->nanos() == nanos : proof.shown.time && *proof.shown.time == time;
}

} // namespace

class TestExplainClosed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void closedMonthIsProvedByWhatWasKept();
    void damagedCloseIsTold();
};

void TestExplainClosed::closedMonthIsProvedByWhatWasKept()
{
    Company company(4, Telling::Tidy);
    base::FrozenClock later(company.month().range().end + base::kDay);
    const auto workspace = services::Workspace::open(companyRules(), {company.folder, kCompanyZone, false, "alex"},
                                                     company.catalog, company.secrets, later)
                               .value();
    const auto statementIn = [&](reports::CostView view) {
        return workspace->billing().statement(company.month(), view, {}).value();
    };
    const auto closed = workspace->billing().closeMonth(company.month(), "a test");
    QVERIFY(closed);
    QVERIFY(closed->outcome == reports::SignOff::Outcome::Done);
    // Then another bill arrives: the closed figures stay, with their present values next to them.
    company.bill(*store::LedgerStore::open(company.folder).value(), 7);
    int changed = 0, known = 0;
    for (const auto view : {reports::CostView::Billed, reports::CostView::Effective}) {
        for (const Cell &cell : statementCells(statementIn(view))) {
            const auto proof = workspace->proof().explain(insight::figureFromString(cell.id).value());
            QVERIFY2(proof, proof ? "" : (cell.id + ": " + proof.error().text).c_str());
            QVERIFY2(proof->shown == cell.value && proof->recomputed == cell.value && proof->agrees, cell.id.c_str());
            // The lines of a bill are not stored.
            QVERIFY2(addsUp(*proof) || proof->figure.measure == "bill", cell.id.c_str());
            QVERIFY(proof->closed);
            QVERIFY(proof->closed->month == company.month());
            QCOMPARE(proof->closed->by, std::string("alex"));
            QCOMPARE(proof->closed->reason, std::string("a test"));
            QCOMPARE(proof->closed->hash, closed->status.hash);
            QVERIFY(proof->closed->at == later.now());
            const auto log = workspace->auditLog().value();
            QCOMPARE(proof->closed->entry, log.back().sequence);
            QCOMPARE(proof->closed->entryHash, log.back().hash);
            QVERIFY(proof->closed->isInLog);
            changed += proof->closed->now == proof->shown ? 0 : 1;
            known += proof->closed->now.isKnown() ? 1 : 0;
        }
    }
    QVERIFY(changed > 0 && known > changed / 2);
}

void TestExplainClosed::damagedCloseIsTold()
{
    Company company(4, Telling::Tidy);
    base::FrozenClock later(company.month().range().end + base::kDay);
    const auto workspace = services::Workspace::open(companyRules(), {company.folder, kCompanyZone, false, "alex"},
                                                     company.catalog, company.secrets, later)
                               .value();
    QVERIFY(workspace->billing().closeMonth(company.month(), "a test"));
    execute(company.folder, "DROP TRIGGER closed_row_stays");
    execute(company.folder,
            "UPDATE closed_row SET content = replace(content, '0', '1') WHERE number ="
            " (SELECT max(number) FROM closed_row)");
    const auto proof = workspace->proof().explain(
        insight::monthFigure(FigureKind::Showback, company.month(), MoneyView::Billed, base::Currency::usd(), "cost"));
    QVERIFY(!proof);
    QVERIFY(proof.error().code == base::ErrorCode::StorageCorrupt);
}

GPULEDGER_SUITE(TestExplainClosed)

} // namespace tst_explainclosed

#include "tst_explainclosed.moc"
