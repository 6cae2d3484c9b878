// SPDX-License-Identifier: GPL-3.0-or-later
// Months closed by earlier versions contain less. They are read and verified, and show what they contain, without
// anything that became known elsewhere.
#include "app/insight/proof/figure.h"
#include "app/insight/proof/proof.h"
#include "app/reports/documents/documents.h"
#include "app/reports/months/keptaccounts.h"
#include "app/services/billing/billingservice.h"
#include "app/services/proof/proofservice.h"
#include "app/store/months/monthstore.h"
#include "app/store/values/integrityproblem.h"
#include "tests/support/detailtext.h"
#include "tests/support/fleets/randomcompany.h"
#include "tests/support/suite.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <set>

namespace tst_closedforms {

using namespace gpuledger;
using namespace gpuledger::tests;
using reports::CostView;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kNow = 5;

struct Rows {
    std::vector<std::string> all;
    std::size_t figures = 0;
};

// The same month as a version with that form stored it.
Rows inForm(const Rows &now, int form)
{
    Json header = Json::parse(now.all.front())[1];
    header["form"] = form;
    const auto drop = [&](const char *member) { header.erase(member); };
    std::set<std::string> gone;
    if (form < 5) {
        gone.insert("possible");
        drop("possible");
    }
    if (form < 4) {
        gone.insert({"past", "past-others"});
        drop("past");
    }
    if (form < 3) {
        gone.insert("doubt");
        drop("doubts");
    }
    if (form < 2)
        gone.insert("rules");
    Rows out{{{}}, 1};
    for (std::size_t i = 1; i < now.all.size(); ++i) {
        if (gone.contains(Json::parse(now.all[i])[0].get<std::string>()))
            continue;
        out.all.push_back(now.all[i]);
        out.figures += i < now.figures ? 1 : 0;
    }
    header["figures"] = out.figures;
    out.all.front() = Json::array({"month", header}).dump();
    return out;
}

class Bench {
public:
    explicit Bench(Company &of)
        : company(of)
        , later(of.month().range().end + base::kDay)
        , store(store::LedgerStore::open(of.folder).value())
        , workspace(services::Workspace::open(companyRules(), {of.folder, kCompanyZone, false, "alex"}, of.catalog,
                                              of.secrets, later)
                        .value())
    {
    }

    Rows closed()
    {
        const std::string month = insight::toString(company.month());
        return {store->months().closedRows(month, store::MonthStore::Rows::All).value(),
                store->months().closedRows(month, store::MonthStore::Rows::Figures).value().size()};
    }

    bool close(const Rows &rows)
    {
        const std::string month = insight::toString(company.month());
        const std::string hash = store::hashOf(static_cast<std::int64_t>(rows.figures), rows.all);
        const auto done = store->months().close(
            {month, rows.all, rows.figures},
            {later.now(), "alex", store::kCloseMonth, month, Json{{"hash", hash}, {"reason", ""}}.dump()},
            store->generation().value());
        return done && *done == store::MonthStore::Outcome::Done;
    }

    std::string documents()
    {
        std::string out;
        for (const CostView view : {CostView::Billed, CostView::Effective}) {
            const auto detail = workspace->billing().statementDetail(company.month(), view).value();
            out += reports::toCsv(detail.statement) + reports::toHtml(detail.statement) + textBeside(detail);
        }
        return out;
    }

    Company &company;
    base::FrozenClock later;
    std::unique_ptr<store::LedgerStore> store;
    std::unique_ptr<services::Workspace> workspace;
};

} // namespace

class TestClosedForms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachFormIsReadAndStays_data()
    {
        QTest::addColumn<int>("form");
        for (int form = 1; form <= kNow; ++form)
            QTest::addRow("form %d", form) << form;
    }
    void eachFormIsReadAndStays()
    {
        QFETCH(int, form);
        Company first(4, Telling::Tidy), second(4, Telling::Tidy);
        Bench origin(first), bench(second);
        QCOMPARE(origin.workspace->billing().closeMonth(first.month(), "a test")->outcome,
                 reports::SignOff::Outcome::Done);
        const Rows now = origin.closed();
        QVERIFY(now.all.front().find("\"form\":" + std::to_string(kNow)) != std::string::npos);
        QVERIFY(bench.close(inForm(now, form)));
        const std::string before = bench.documents();
        const auto detail = bench.workspace->billing().statementDetail(second.month(), CostView::Billed).value();
        QCOMPARE(detail.history.isWhole(), form >= 4);
        QCOMPARE(detail.statement.knowsDoubts, form >= 3);
        QCOMPARE(detail.statement.knowsNeighbours, form >= 5);
        QCOMPARE(reports::toCsv(detail.statement),
                 reports::toCsv(bench.workspace->billing().statement(second.month(), CostView::Billed, {}).value()));
        QVERIFY(bench.workspace->verify().value().empty());
        for (int account = 10; account < 15; ++account) // from this month and the previous one
            second.bill(*bench.store, account);
        QVERIFY(bench.documents() == before);
        QVERIFY(bench.workspace->verify().value().empty());
        const auto proof = bench.workspace->proof().explain(insight::monthFigure(
            insight::FigureKind::Showback, second.month(), insight::MoneyView::Billed, base::Currency::usd(), "cost"));
        QVERIFY2(proof, proof ? "" : proof.error().text.c_str());
        QVERIFY(proof->agrees && proof->closed && proof->closed->now != proof->shown);
    }

    // Accounts are stored in the log, so a report never contains any.
    void accountsAreOfTheLogAlone()
    {
        Company company(4, Telling::Tidy);
        Bench bench(company);
        model::Settings settings = companyRules();
        settings.chargeback.clearingAccount = "CANARY-1590";
        settings.chargeback.defaultAccount = "CANARY-6999";
        const auto open = [&] {
            bench.workspace = services::Workspace::open(settings, {company.folder, kCompanyZone, false, "alex"},
                                                        company.catalog, company.secrets, bench.later)
                                  .value();
        };
        open();
        using Origin = reports::JournalAccounts::Origin;
        const auto accounts = [&] { return bench.workspace->billing().journalAccounts(company.month()).value(); };
        QVERIFY(accounts().origin == Origin::Configured);
        QCOMPARE(bench.workspace->billing().closeMonth(company.month(), "a test")->outcome,
                 reports::SignOff::Outcome::Done);
        QVERIFY(accounts().origin == Origin::Kept);
        for (const std::string &row : bench.closed().all)
            QVERIFY(row.find("CANARY") == std::string::npos);
        settings.chargeback.clearingAccount = "another";
        open();
        QVERIFY(accounts().origin == Origin::KeptOthers);
        QCOMPARE(accounts().accounts.clearingAccount, std::string("CANARY-1590"));
        QVERIFY(bench.workspace->verify().value().empty());
    }

    void accountsThatLackATeamAreNotKept()
    {
        Company company(4, Telling::Tidy);
        Bench bench(company);
        model::Settings settings = companyRules();
        settings.chargeback.clearingAccount = "1590"; // and no team has an account
        bench.workspace = services::Workspace::open(settings, {company.folder, kCompanyZone, false, "alex"},
                                                    company.catalog, company.secrets, bench.later)
                              .value();
        QCOMPARE(bench.workspace->billing().closeMonth(company.month(), "a test")->outcome,
                 reports::SignOff::Outcome::Done);
        QVERIFY(bench.workspace->billing().journalAccounts(company.month())->origin
                == reports::JournalAccounts::Origin::NotKept);
    }
};

GPULEDGER_SUITE(TestClosedForms)

} // namespace tst_closedforms

#include "tst_closedforms.moc"
