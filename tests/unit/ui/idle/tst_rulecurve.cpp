// SPDX-License-Identifier: GPL-3.0-or-later
// The curve in the dialog of the idle rule.
#include "app/model/settingsequal.h"
#include "app/services/config/config.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/dialogs/idle/idleruledialog.h"
#include "ui/dialogs/idle/idleruleform.h"
#include "ui/format/local/localtext.h"
#include "widgets/charts/pointchart.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_rulecurve {

using namespace gpuledger;
using model::WorkloadKind;
using ui::IdleRuleDialog;
using ui::LocalText;

namespace {

constexpr int kPatience = 120'000;
constexpr char kConfig[] = "version: 1\n"
                           "sources: [ { name: demo, kind: demo, gpus: 60, days: 4, first_sync: 4d } ]\n";

} // namespace

class RuleCurveTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_theme.apply(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("config.yaml")).toStdString();
        QFile file(QString::fromStdString(m_file.string()));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kConfig) > 0);
        file.close();
        m_workspace = std::move(services::Workspace::open(services::readConfigFile(m_file, m_catalog->kinds()).value(),
                                                          {m_folder->path().toStdString(), "UTC", false}, *m_catalog,
                                                          *m_secrets, m_clock)
                                    .value());
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
    }

    void cleanup()
    {
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    // From the stored gaps, before any replay; then as replayed, the same figures as one replay per rule has.
    void theCurveIsThereAtOnce()
    {
        IdleRuleDialog *dialog = shownAtOnce();
        auto *chart = dialog->findChild<widgets::PointChart *>();
        QVERIFY(chart && chart->isVisible() && !dialog->settled());
        const auto points = static_cast<int>(store::kGraceGrid.size());
        QCOMPARE(chart->itemCount(), points + 1);
        QVERIFY(chart->data().title.contains(QStringLiteral("of workloads")));
        QVERIFY(says(*dialog, QStringLiteral("Estimated from")));
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience);
        QCOMPARE(chart->itemCount(), points + 1);
        QCOMPARE(chart->data().title, QStringLiteral("GPU-hours back"));
        QVERIFY(says(*dialog, QStringLiteral("Each rule replayed")));
        const insight::RuleCurve curve = replayedCurve();
        for (const widgets::CurvePoints::Point &point : chart->data().points) {
            const auto same = std::find_if(curve.points.begin(), curve.points.end(), [&](const auto &one) {
                return !point.marked && ui::IdleRuleCurveText::point(one) == point.name;
            });
            QVERIFY(point.marked || same != curve.points.end());
            const insight::RulePoint &expected = point.marked ? curve.inUse : *same;
            QCOMPARE(point.x, expected.falseStops);
            QCOMPARE(point.y, expected.hoursBack);
        }
        QCOMPARE(std::count_if(chart->data().points.begin(), chart->data().points.end(),
                               [](const auto &point) { return point.marked; }),
                 1);
        const QString better = ui::IdleRuleCurveText::better(curve);
        QCOMPARE(says(*dialog, QStringLiteral("Another rule")), !better.isEmpty());
        dialog->reject();
    }

    void aPointIsPickedByKeyboard()
    {
        IdleRuleDialog *dialog = open();
        auto *chart = dialog->findChild<widgets::PointChart *>();
        const model::IdleSettings before = rule().settings;
        chart->setFocus(Qt::TabFocusReason);
        QTest::keyClick(chart, Qt::Key_Home);
        QTest::keyClick(chart, Qt::Key_Right);
        if (chart->data().points[static_cast<std::size_t>(chart->currentIndex())].marked)
            QTest::keyClick(chart, Qt::Key_Right);
        const QString name = chart->itemName(chart->currentIndex());
        auto *form = dialog->findChild<ui::IdleRuleForm *>();
        QVERIFY(form->rule() && *form->rule() == before); // moving alone picks nothing
        QTest::keyClick(chart, Qt::Key_Return);
        QVERIFY(form->rule());
        const base::Seconds length = form->rule()->grace.at(WorkloadKind::Training);
        QCOMPARE(LocalText::hours(length), name);
        const auto windows = form->rule()->grace;
        for (const auto &[kind, window] : windows)
            QVERIFY(window == length);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience);
        // The marked point is the rule in use.
        for (int i = 0; i < chart->itemCount(); ++i) {
            if (chart->data().points[static_cast<std::size_t>(i)].marked)
                chart->setCurrentIndex(i);
        }
        QTest::keyClick(chart, Qt::Key_Return);
        QVERIFY(form->rule() && *form->rule() == before);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience);
        dialog->reject();
    }

    // What is picked is what is saved.
    void aPickedRuleIsSaved()
    {
        IdleRuleDialog *dialog = open();
        auto *chart = dialog->findChild<widgets::PointChart *>();
        chart->setFocus(Qt::TabFocusReason);
        for (int i = 0; i < chart->itemCount(); ++i) {
            if (chart->itemName(i) == LocalText::hours(base::Seconds{3 * 3600}))
                chart->setCurrentIndex(i);
        }
        QTest::keyClick(chart, Qt::Key_Return);
        auto *form = dialog->findChild<ui::IdleRuleForm *>();
        QVERIFY(form->rule() && form->rule()->grace.at(WorkloadKind::Notebook) == base::Seconds{3 * 3600});
        const auto buttons = dialog->findChildren<QPushButton *>();
        const auto save = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton *one) {
            return one->text() == QStringLiteral("Save rule");
        });
        QVERIFY(save != buttons.end());
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled() && (*save)->isEnabled(), kPatience);
        const QSignalSpy saved(dialog, &IdleRuleDialog::saved);
        (*save)->click();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        const insight::IdleRule now = rule();
        for (const auto &[kind, choice] : now.grace) {
            QVERIFY(choice.grace == base::Seconds{3 * 3600});
            QVERIFY(choice.from != store::GraceChoice::From::Default);
        }
    }

    void saysWhichOtherRuleIsBetter()
    {
        insight::RuleCurve curve;
        curve.from = insight::RuleCurve::From::Replay;
        curve.inUse = {base::Seconds{0}, 20, 10, 100, {}};
        curve.points = {{base::Seconds{3600}, 30, 12, 140, {}}, {base::Seconds{6 * 3600}, 8, 2, 110, {}}};
        QCOMPARE(ui::IdleRuleCurveText::better(curve),
                 QStringLiteral("Another rule, 6 h, would have brought back more hours with fewer false stops."));
        curve.points.back().falseStops = 10; // as many false stops
        QVERIFY(ui::IdleRuleCurveText::better(curve).isEmpty());
        curve.points.back() = {base::Seconds{6 * 3600}, 8, 2, 100, {}}; // as many hours
        QVERIFY(ui::IdleRuleCurveText::better(curve).isEmpty());
        curve.points.back().hoursBack = 110;
        curve.from = insight::RuleCurve::From::Gaps; // an estimate is not enough
        QVERIFY(ui::IdleRuleCurveText::better(curve).isEmpty());
    }

    void saysWhereAWindowComesFrom()
    {
        using From = store::GraceChoice::From;
        QCOMPARE(ui::IdleRuleCurveText::grace({From::Measured, base::Seconds{6 * 3600}, 0.031, 400}),
                 QStringLiteral("6 h, measured: 3 % of stops would have been false"));
        QCOMPARE(ui::IdleRuleCurveText::grace({From::Default, base::Seconds{3600}, 0.2, 4}),
                 QStringLiteral("1 h, default: too little past"));
        QCOMPARE(ui::IdleRuleCurveText::grace({From::Configured, base::Seconds{7200}, 0.2, 400}),
                 QStringLiteral("2 h, configured"));
    }

private:
    insight::IdleRule rule() { return m_workspace->fleet().idleRule().value(); }

    IdleRuleDialog *shownAtOnce()
    {
        auto *dialog =
            new IdleRuleDialog({m_theme, m_workspace->config(), m_workspace->fleet(), m_workspace->sources(), *m_tasks,
                                *m_sync, m_file, std::make_shared<const insight::IdleRule>(rule())});
        dialog->show();
        return dialog;
    }

    IdleRuleDialog *open()
    {
        auto *dialog = shownAtOnce();
        [&] { QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience); }();
        return dialog;
    }

    insight::RuleCurve replayedCurve()
    {
        const model::IdleSettings inUse = rule().settings;
        std::vector<insight::IdleReplay> all;
        for (const model::IdleSettings &one : insight::curveRules(inUse))
            all.push_back(replayed(one));
        return insight::ruleCurve(inUse, all);
    }

    static bool says(const QWidget &dialog, const QString &text)
    {
        const auto labels = dialog.findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
    }

    insight::IdleReplay replayed(const model::IdleSettings &rule)
    {
        insight::ReplayQuery query;
        query.range = m_workspace->fleet().coveredRange().value();
        query.rule = rule;
        return m_workspace->fleet().replayIdle(query).value();
    }

    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(1'790'000'100)};
    widgets::Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_file;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
};

GPULEDGER_WINDOW_SUITE(RuleCurveTest)

} // namespace tst_rulecurve

#include "tst_rulecurve.moc"
