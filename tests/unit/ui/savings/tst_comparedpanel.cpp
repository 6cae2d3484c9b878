// SPDX-License-Identifier: GPL-3.0-or-later
// Planned machines, claimed savings, budgets and commitments in the Compare tab. Figures of the first two:
// tests/integration/run_planned.py, run_claims.py.
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/pages/savings/comparedpanel.h"
#include "ui/pages/savings/comparepanel.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QRadioButton>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_comparedpanel {

using namespace gpuledger;
using ui::ClaimsColumn;
using ui::PlannedColumn;
using widgets::SegmentedSwitch;

namespace {

constexpr int kPatience = 60000;

QByteArray machine(const char *type, const char *terms, const char *hours, const char *cost)
{
    return QByteArray("{\"name\":\"Instance usage (Linux/UNIX, ") + terms + ", " + type
        + ")\",\"monthlyQuantity\":" + hours + ",\"monthlyCost\":" + cost + "}";
}

QByteArray resource(const char *name, const QByteArray &components)
{
    return QByteArray("{\"name\":\"") + name + "\",\"costComponents\":[" + components + "]}";
}

QByteArray plan(const QByteArray &past, const QByteArray &resources)
{
    return "{\"currency\":\"USD\",\"timeGenerated\":\"2026-11-20T10:00:00Z\",\"projects\":[{\"name\":\"ml\","
           "\"pastBreakdown\":{\"resources\":["
        + past + "]},\"breakdown\":{\"resources\":[" + resources + "]}}]}";
}

} // namespace

class ComparedPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme.setMode(qEnvironmentVariableIsSet("GPULEDGER_DARK") ? widgets::Theme::Mode::Dark
                                                                    : widgets::Theme::Mode::Light);
        m_theme.apply();
        open(true);
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
    }
    void init()
    {
        write("from,saved\n2026-11-05,1\n", "claims.csv");
        write(plan(
            resource("aws_instance.old", machine("g5.12xlarge", "on-demand", "\"730\"", "\"4140.56\"")),
            resource("module.ml.aws_instance.gpu[0]", machine("p4d.24xlarge", "on-demand", "\"1460\"", "\"47845.96\""))
                + ',' + resource("aws_instance.spot", machine("g5.12xlarge", "spot", "null", "null")) + ','
                + resource("aws_instance.web", machine("m5.large", "on-demand", "\"730\"", "\"70\""))));
    }

    void claimsStandBesideTheBills()
    {
        write("tool,what,scope,from,to,saved,currency\n"
              "Trimmer,Idle nodes removed,cluster=prod-us,2026-11-09,2026-11-13,1000.5,USD\n"
              "Trimmer,,,2026-11-20,,5,USD\n",
              "claims.csv");
        show();
        choose(QStringLiteral("claimed"), m_panel->claims());
        const ui::ClaimsTable table(m_model->claims().answer());
        const auto text = [&](int row, ClaimsColumn column) { return table.text(row, static_cast<int>(column)); };
        QCOMPARE(table.rowCount(), 2);
        QCOMPARE(text(1, ClaimsColumn::What), QStringLiteral("Idle nodes removed"));
        QCOMPARE(text(1, ClaimsColumn::Days), QStringLiteral("11/9/26 – 11/13/26"));
        QCOMPARE(text(1, ClaimsColumn::Claimed), QStringLiteral("$1,000.50"));
        const services::ClaimRow &row = m_model->claims().answer()->rows[1];
        QVERIFY(row.before && row.since && row.fell && row.since->gpuHours);
        QCOMPARE(row.fell->nanos(), row.before->cost.nanos() - row.since->cost.nanos());
        QVERIFY(row.before->days.end == row.since->days.start && row.before->days.length() == 5 * base::kDay);
        // The bill of yesterday may still change.
        QCOMPARE(text(0, ClaimsColumn::Scope), QStringLiteral("all costs"));
        QCOMPARE(text(0, ClaimsColumn::Since), QStringLiteral("–"));
        QVERIFY(m_model->claims().noteText().contains(QStringLiteral("Not compared: 1 claim")));
        QCOMPARE(table.groupText(0, static_cast<int>(ClaimsColumn::Claimed), std::vector<int>{0, 1}),
                 QStringLiteral("$1,005.50"));
        QVERIFY(table.groupText(0, static_cast<int>(ClaimsColumn::Fell), std::vector<int>{0, 1}).isEmpty());
        QAbstractItemModelTester tester(&m_model->claims().table());
        picture(QStringLiteral("claims"));
        m_model->setCost(model::CostView::List);
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && !m_model->claims().answer()->rows[1].fell, kPatience);
        write("from,saved\n2026-11,none\n", "claims.csv");
        m_model->refresh();
        QTRY_COMPARE_WITH_TIMEOUT(m_model->claims().state(), ui::PageState::Error, kPatience);
        QVERIFY(m_panel->claims()->isVisible());
        picture(QStringLiteral("claims-error"));
    }

    void cleanup()
    {
        m_panel.reset();
        m_model.reset();
    }

    void standsBesideTheOffers()
    {
        show();
        choosePlanned();
        const auto text = [&](int row, PlannedColumn column) {
            return ui::PlannedTable(m_model->planned().answer()).text(row, static_cast<int>(column));
        };
        QCOMPARE(m_model->planned().table().totalRows(), 3);
        QCOMPARE(text(0, PlannedColumn::Resource), QStringLiteral("aws_instance.old"));
        QCOMPARE(text(0, PlannedColumn::Machines), QStringLiteral("removed"));
        QCOMPARE(text(0, PlannedColumn::Planned), QStringLiteral("0.00"));
        QCOMPARE(text(0, PlannedColumn::Before), QStringLiteral("4,140.56"));
        QCOMPARE(text(1, PlannedColumn::Planned), QStringLiteral("–")); // depends on use
        QCOMPARE(text(1, PlannedColumn::Terms), QStringLiteral("spot"));
        QCOMPARE(text(2, PlannedColumn::Gpus), QStringLiteral("8× A100 40GB"));
        QCOMPARE(text(2, PlannedColumn::Machines), QStringLiteral("2.0"));
        QCOMPARE(text(2, PlannedColumn::Planned), QStringLiteral("47,845.96"));
        QCOMPARE(text(2, PlannedColumn::Before), QStringLiteral("0.00"));
        const services::PlannedRow &row = m_model->planned().answer()->rows[2];
        QVERIFY(row.paidPerHour && row.running && *row.running > 0);
        QCOMPARE(text(2, PlannedColumn::AtPaidPrice), QLocale().toString(row.paidPerHour->toDouble() * 1460, 'f', 2));
        QVERIFY(m_model->planned().noteText().contains(QStringLiteral("without GPUs: 1 group")));
        QAbstractItemModelTester tester(&m_model->planned().table());
        picture(QStringLiteral("planned"));
    }

    void isChosenByKeyboardAlone()
    {
        show();
        auto *first = halves()->findChild<QRadioButton *>();
        first->setFocus(Qt::TabFocusReason);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QVERIFY(m_panel->planned()->isVisible());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
        QVERIFY(!m_panel->planned()->isVisible() && m_panel->table()->isVisible());
    }

    void followsTheCostAndTheFiles()
    {
        show();
        choosePlanned();
        m_model->setCost(model::CostView::List);
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && !m_model->planned().answer()->rows[2].paidPerHour, kPatience);
        QVERIFY(m_model->planned().noteText().contains(QStringLiteral("own bills are not compared")));
        write(plan({}, resource("aws_instance.web", machine("m5.large", "on-demand", "\"730\"", "\"70\""))));
        m_model->refresh();
        QTRY_COMPARE_WITH_TIMEOUT(m_model->planned().state(), ui::PageState::Empty, kPatience);
        QVERIFY(m_panel->planned()->isVisible());
        picture(QStringLiteral("planned-none"));
        write("{");
        m_model->refresh();
        QTRY_COMPARE_WITH_TIMEOUT(m_model->planned().state(), ui::PageState::Error, kPatience);
        QVERIFY(m_panel->planned()->isVisible());
        picture(QStringLiteral("planned-error"));
    }

    void budgetsStandBesideTheBill()
    {
        show();
        choose(QStringLiteral("budgets"), m_panel->budgets());
        const ui::BudgetsTable table(m_model->budgets().answer());
        QCOMPARE(table.currency(), QStringLiteral("USD"));
        const auto &rows = m_model->budgets().answer()->rows;
        const auto whole = std::find_if(rows.begin(), rows.end(),
                                        [](const services::BudgetRow &row) { return row.budget.isWholeBill; });
        QVERIFY(rows.size() >= 3 && whole != rows.end());
        // The demo's cloud is a day behind its bill.
        QVERIFY(whole->billed && whole->spent && whole->billed->nanos() > whole->spent->nanos());
        const int at = static_cast<int>(whole - rows.begin());
        QVERIFY(!table.text(at, static_cast<int>(ui::BudgetsColumn::Billed)).isEmpty());
        QVERIFY(m_model->budgets().noteText().contains(QStringLiteral("Not compared: ")));
        QAbstractItemModelTester tester(&m_model->budgets().table());
        picture(QStringLiteral("budgets"));
        m_panel->resize(900, 480);
        picture(QStringLiteral("budgets-narrow"));
        m_model->setCost(model::CostView::List);
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && !m_model->budgets().answer()->rows[std::size_t(at)].billed,
                                 kPatience);
    }

    // The demo's bill has commitments, and its sync tells the same ones.
    void commitmentsStandBesideTheBill()
    {
        show();
        choose(QStringLiteral("commitments"), m_panel->commitments());
        const services::CommitmentsAnswer &answer = *m_model->commitments().answer();
        const ui::CommitmentsTable table(m_model->commitments().answer(), base::TimeZone());
        QVERIFY(!answer.rows.empty());
        QCOMPARE(m_model->commitments().table().totalRows(), table.rowCount());
        const auto told = std::find_if(answer.rows.begin(), answer.rows.end(), [](const services::CommitmentRow &row) {
            return row.commitment.utilization && row.billed;
        });
        QVERIFY(told != answer.rows.end());
        const int at = static_cast<int>(told - answer.rows.begin());
        for (const auto column :
             {ui::CommitmentsColumn::Used, ui::CommitmentsColumn::Billed, ui::CommitmentsColumn::Days})
            QVERIFY(table.text(at, static_cast<int>(column)) != QStringLiteral("–"));
        QVERIFY(m_model->commitments().noteText().contains(QStringLiteral("demo-bill was read on ")));
        QAbstractItemModelTester tester(&m_model->commitments().table());
        picture(QStringLiteral("commitments"));
        m_panel->resize(820, 480);
        picture(QStringLiteral("commitments-narrow"));
        // They are the same at list prices: no bill is asked for what was paid.
        m_model->setCost(model::CostView::List);
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        QVERIFY(m_model->commitments().answer()->rows[std::size_t(at)].billed);
    }

    void isNotOfferedWithoutPlansClaimsBudgetsAndCommitments()
    {
        m_workspace.reset();
        open(false);
        show();
        QVERIFY(!halves()->isVisible() && m_panel->table()->isVisible());
        m_panel.reset();
        m_model.reset();
        m_workspace.reset();
        open(true);
    }

private:
    void open(bool hasPlans)
    {
        model::Settings settings;
        for (const char *kind : {"demo", "demo-bill"}) {
            if (!hasPlans && kind == std::string_view("demo-bill")) // it tells budgets and commitments
                continue;
            model::SourceSettings &source = settings.sources.emplace_back();
            source.name = source.kind = kind;
            source.options = {{"gpus", "56"}, {"days", "45"}};
            source.firstSync = 45 * base::kDay;
        }
        if (hasPlans) {
            model::SourceSettings &source = settings.sources.emplace_back();
            source.name = "plans";
            source.kind = "infracost";
            source.path = m_folder.filePath(QStringLiteral("plan.json")).toStdString();
            model::SourceSettings &claims = settings.sources.emplace_back();
            claims.name = claims.kind = "claims";
            claims.path = m_folder.filePath(QStringLiteral("claims.csv")).toStdString();
        }
        m_workspace = services::Workspace::open(settings, {m_folder.path().toStdString(), "UTC", false}, *m_catalog,
                                                *m_secrets, m_clock)
                          .value();
    }
    void write(const QByteArray &text, const char *file = "plan.json") const
    {
        QFile out(m_folder.filePath(QString::fromLatin1(file)));
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text) == text.size());
    }
    void show()
    {
        m_model = std::make_unique<ui::CompareViewModel>(m_workspace->config(), m_workspace->spend(), m_tasks);
        m_panel = std::make_unique<ui::ComparePanel>(m_theme, *m_model);
        m_panel->resize(1150, 480);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        m_model->setActive(true);
        QTRY_VERIFY_WITH_TIMEOUT(m_model->state() == ui::PageState::Data && !m_model->isAsking(), kPatience);
    }
    SegmentedSwitch *halves() const { return m_panel->findChild<SegmentedSwitch *>(); }
    void choose(const QString &key, const QWidget *panel) const
    {
        QVERIFY(halves()->isVisible());
        halves()->setCurrentKey(key);
        QVERIFY(panel->isVisible());
    }
    void choosePlanned() const { choose(QStringLiteral("planned"), m_panel->planned()); }
    void picture(const QString &name) const
    {
        const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(300);
        QVERIFY(m_panel->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
    }

    QTemporaryDir m_folder;
    widgets::Theme m_theme;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::parseTime("2026-11-21T12:00:00Z").value()};
    std::unique_ptr<services::Workspace> m_workspace;
    ui::TaskRunner m_tasks;
    std::unique_ptr<ui::CompareViewModel> m_model;
    std::unique_ptr<ui::ComparePanel> m_panel;
};

GPULEDGER_WINDOW_SUITE(ComparedPanelTest)

} // namespace tst_comparedpanel

#include "tst_comparedpanel.moc"
