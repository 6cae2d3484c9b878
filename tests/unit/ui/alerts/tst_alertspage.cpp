// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/config.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/unit/ui/alerts/alertsample.h"
#include "ui/pages/alerts/alerteditor.h"
#include "ui/pages/alerts/alertspage.h"
#include "ui/pages/alerts/deliverypanel.h"
#include "ui/pages/alerts/firinglist.h"
#include "ui/viewmodels/alerts/alerttext.h"
#include "widgets/delegates/spansdelegate.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_alertspage {

using namespace gpuledger;
using tests::AlertAnswers;
using ui::AlertsPage;
using ui::AlertTables;
using ui::AlertText;
using widgets::StatePanel;

namespace {

constexpr int kPatience = 60000;
const char kFileText[] =
    "version: 1\nsources:\n  - { name: dev, kind: demo, gpus: 16, days: 2 }\n# wake people\nalerts:\n"
    "  - { name: idle-cost, when: { metric: idle-cost, per: team, above: 200 USD/day, for: 2h } } # ours\n";

} // namespace

// The page in a window, over alerts made by hand.
class AlertsPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void init()
    {
        m_answers = std::make_shared<AlertAnswers>();
        m_answers->rules = {tests::sampleRule()};
        QFile file(config());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(kFileText);
        file.close();
        m_workspace = std::move(services::Workspace::open({}, {m_folder.path().toStdString(), "UTC", false}, *m_catalog,
                                                          *m_secrets, m_clock)
                                    .value());
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("alerts"), {}, {}});
    }

    void cleanup()
    {
        m_page.reset();
        m_navigator.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void saysStatesAndWhatFires()
    {
        open();
        ui::TableModel &rules = model().rules();
        const QAbstractItemModelTester tester(&rules);
        QCOMPARE(textIn(rules, 0, "state"), QStringLiteral("firing"));
        QCOMPARE(textIn(rules, 0, "firing"), QStringLiteral("1"));
        QCOMPARE(textIn(rules, 0, "unknown"), QStringLiteral("1"));
        ui::TableModel &firing = model().firing();
        QCOMPARE(textIn(firing, 0, "scope"), QStringLiteral("vision"));
        QCOMPARE(textIn(firing, 0, "value"), QStringLiteral("$312.40 per day"));
        QCOMPARE(textIn(firing, 0, "note"), QString());
    }

    void everyMetricAndScopeHasWords()
    {
        for (const std::string &name : alerts::ruleMetricNames()) {
            if (name.find('-') != std::string::npos) // a key, unlike "utilization"
                QVERIFY2(AlertText::metric(name) != QString::fromStdString(name), name.c_str());
            for (const std::string &per : alerts::scopesOf(alerts::ruleMetricFromString(name).value()))
                QVERIFY2(AlertText::per(per) != QString::fromStdString(per), per.c_str());
        }
        const auto text = [](alerts::RuleUnit unit) {
            return AlertText::value(2'500'000'000, unit, base::Currency::usd());
        };
        QCOMPARE(text(alerts::RuleUnit::Hours), QStringLiteral("2.5 h"));
        QCOMPARE(text(alerts::RuleUnit::TimesPerDay), QStringLiteral("2.5 per day"));
        QCOMPARE(text(alerts::RuleUnit::Score), QStringLiteral("2.50"));
        QCOMPARE(AlertText::value(30'000'000'000, alerts::RuleUnit::Days, base::Currency::usd()),
                 QStringLiteral("30 d"));
    }

    void theReplayIsALineForEachScope()
    {
        open();
        QTRY_VERIFY_WITH_TIMEOUT(model().trial() && !model().isTrying(), kPatience);
        ui::TableModel &rows = model().trialRows();
        QCOMPARE(rows.rowCount(), 1);
        QCOMPARE(textIn(rows, 0, "notices"), QStringLiteral("2"));
        QCOMPARE(textIn(rows, 0, "short"), QStringLiteral("1"));
        const QModelIndex when = rows.index(0, rows.columnOf(QStringLiteral("when")));
        const auto spans = when.data(widgets::kSpansRole).value<QList<double>>();
        QCOMPARE(spans.size(), 4);
        QVERIFY(std::abs(spans[0] - 1.0 / 90) < 1e-9);
        QCOMPARE(spans[3], 1.0); // it still fires
        QVERIFY(hasLabel(QStringLiteral("It would have sent about 0.2 notices a week. 1 of 2 were over within an hour, "
                                        "too soon to act on.")));
    }

    void anEditIsReplayedOnce()
    {
        open();
        QTRY_VERIFY_WITH_TIMEOUT(model().trial() && !model().isTrying(), kPatience);
        const std::size_t before = replayed().size();
        auto *bound = fieldNamed(QStringLiteral("Threshold"));
        QVERIFY(bound);
        bound->setFocus();
        bound->selectAll();
        QTest::keyClicks(bound, QStringLiteral("350 USD/day"));
        QVERIFY(model().isChanged());
        QCOMPARE(textIn(model().rules(), 0, "rule"), QStringLiteral("idle-cost (not saved)"));
        QTRY_VERIFY_WITH_TIMEOUT(model().trial() && !model().isTrying(), kPatience);
        const auto after = replayed();
        QCOMPARE(after.back().bound, std::string("350 USD/day"));
        QVERIFY(after.size() < before + 11); // fewer than keys
    }

    void whatCantBeReadIsSaidAndNotReplayed()
    {
        open();
        model::AlertRule rule = *model().draft();
        rule.bound = "200 EUR/day";
        rule.workingHours = "weekdays";
        rule.name = "no spaces";
        model().edit(rule);
        QVERIFY(!model().problems().bound.isEmpty());
        QVERIFY(!model().problems().hours.isEmpty());
        QVERIFY(!model().problems().name.isEmpty());
        QVERIFY(!model().trial() && !model().isTrying());
        QVERIFY(hasLabel(QStringLiteral("Write, for example, 200 USD/day.")));
        model().discard();
        QVERIFY(model().problems().isEmpty());
        QVERIFY(!model().isChanged());
    }

    void withoutRulesOneIsProposed()
    {
        m_answers->rules.clear();
        show();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(m_page->findChild<StatePanel *>()->state(), StatePanel::State::Empty);
        auto *add = buttonWith(QStringLiteral("Add rule"));
        QVERIFY(add);
        add->click();
        QCOMPARE(m_page->findChild<StatePanel *>()->state(), StatePanel::State::Data);
        QVERIFY(model().isNew());
        QCOMPARE(model().draft()->bound, std::string("200 USD/day"));
        QVERIFY(model().problems().isEmpty());
        model().discard();
        QCOMPARE(m_page->findChild<StatePanel *>()->state(), StatePanel::State::Empty);
    }

    void theBoundOfANewRuleComesFromThePast()
    {
        m_answers->bound = "500 USD/day";
        open();
        model().addRule();
        QCOMPARE(model().draft()->bound, std::string("200 USD/day")); // until the past is known
        QTRY_COMPARE_WITH_TIMEOUT(model().draft()->bound, std::string("500 USD/day"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!model().isAsking(), kPatience);
        auto *metric = choiceNamed(QStringLiteral("Metric"));
        QVERIFY(metric);
        Q_EMIT metric->chosen(QStringLiteral("idle-hours"));
        QVERIFY(model().draft()->bound != "500 USD/day"); // its example, until its past is known
        // What is typed meanwhile stays.
        model::AlertRule rule = *model().draft();
        rule.bound = "7 h/day";
        model().edit(rule);
        QTRY_VERIFY_WITH_TIMEOUT(!model().isAsking(), kPatience);
        QCOMPARE(model().draft()->bound, std::string("7 h/day"));
        const std::lock_guard lock(m_answers->mutex);
        QVERIFY(std::count(m_answers->calls.begin(), m_answers->calls.end(), "bound idle-hours team") == 1);
    }

    void aRuleIsWrittenWithItsComments()
    {
        open();
        model::AlertRule rule = *model().draft();
        rule.severity = "critical";
        model().edit(rule);
        QSignalSpy saved(&model().saver(), &ui::ConfigurationSaver::saved);
        model().save();
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kPatience);
        QVERIFY(fileText().contains("severity: critical"));
        QVERIFY(fileText().contains("# wake people"));
        QVERIFY(fileText().contains("# ours"));
        QVERIFY(!model().isChanged());
    }

    void commandsReachTheDesk()
    {
        services::OutboxEntry dead;
        dead.id = 4;
        dead.target = "desk";
        dead.state = services::OutboxState::Dead;
        m_answers->history.outbox = {dead};
        open();
        QSignalSpy told(&model(), &ui::AlertsViewModel::told);
        const QString row = AlertTables::firingId("idle-cost", "vision");
        model().silence(row, base::Seconds{3600}, QStringLiteral("planned"));
        model().acknowledge(row);
        model().findIdle(row);
        model().retry(4);
        model().test(QStringLiteral("desk"));
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 4, kPatience); // the list of what fires tells what is idle
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        const auto calls = [this] {
            const std::lock_guard lock(m_answers->mutex);
            auto all = m_answers->calls;
            std::sort(all.begin(), all.end());
            return all;
        }();
        QCOMPARE(calls.size(), std::size_t{5});
        QVERIFY(calls[0].starts_with("acknowledge "));
        QCOMPARE(calls[1], std::string("idle team vision"));
        QCOMPARE(calls[2], std::string("retry 4"));
        QCOMPARE(calls[3], std::string("silence idle-cost vision 3600 planned"));
        QCOMPARE(calls[4], std::string("test desk"));
    }

    void showGoesToThePageThatSettlesIt()
    {
        open();
        QVERIFY(m_page->firing()->table()->setCurrentRow(AlertTables::firingId("idle-cost", "vision")));
        auto *show = buttonWith(QStringLiteral("Show"));
        QVERIFY(show && show->isEnabled());
        show->click();
        QCOMPARE(m_navigator->current().page, QStringLiteral("idle"));
        QVERIFY(m_navigator->scope().filter.include.at(insight::Dimension::Team) == std::vector<std::string>{"vision"});
    }

    void itsPlaceIsALink()
    {
        m_answers->rules.push_back(tests::sampleRule("second"));
        open();
        const auto place =
            ui::Place::fromUrl(QUrl(QStringLiteral("gpuledger://alerts?at.rule=second&at.scope=vision")));
        QVERIFY(place);
        m_page->restore(place->inner);
        QCOMPARE(model().currentId(), QStringLiteral("second"));
        QCOMPARE(m_page->rules()->table()->currentRowId(), QStringLiteral("second"));
        const QUrlQuery now = m_page->place();
        QCOMPARE(now.queryItemValue(QStringLiteral("rule")), QStringLiteral("second"));
        QCOMPARE(now.queryItemValue(QStringLiteral("scope")), QStringLiteral("vision"));
        m_page->restore(QUrlQuery(QStringLiteral("rule=gone"))); // is ignored
        QCOMPARE(model().currentId(), QStringLiteral("second"));
    }

private:
    QString config() const { return m_folder.filePath(QStringLiteral("config.yaml")); }
    QByteArray fileText() const
    {
        QFile file(config());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    ui::AlertsViewModel &model() const { return m_page->model(); }
    std::vector<model::AlertRule> replayed() const
    {
        const std::lock_guard lock(m_answers->mutex);
        return m_answers->replayed;
    }
    void show()
    {
        const ui::PageContext context{{*m_workspace, *m_tasks, *m_sync, m_theme, config().toStdString()}, *m_navigator};
        m_page = std::make_unique<AlertsPage>(context, tests::sampleAlertsDesk(m_answers));
        m_page->resize(1280, 800);
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    void open()
    {
        show();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(m_page->findChild<StatePanel *>()->state(), StatePanel::State::Data);
    }
    static QString textIn(const ui::TableModel &table, int row, const char *column)
    {
        return table.index(row, table.columnOf(QLatin1String(column))).data().toString();
    }
    QLineEdit *fieldNamed(const QString &name) const
    {
        for (QLineEdit *field : m_page->findChildren<QLineEdit *>()) {
            if (field->accessibleName() == name)
                return field;
        }
        return nullptr;
    }
    widgets::ChoiceButton *choiceNamed(const QString &name) const
    {
        for (auto *choice : m_page->findChildren<widgets::ChoiceButton *>()) {
            if (choice->accessibleName().startsWith(name))
                return choice;
        }
        return nullptr;
    }
    QPushButton *buttonWith(const QString &text) const
    {
        for (QPushButton *button : m_page->findChildren<QPushButton *>()) {
            if (button->text() == text && button->isVisible())
                return button;
        }
        return nullptr;
    }
    bool hasLabel(const QString &text) const
    {
        const auto labels = m_page->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->isVisible() && label->text() == text; });
    }

    std::shared_ptr<AlertAnswers> m_answers;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(tests::kAlertNow)};
    QTemporaryDir m_folder;
    widgets::Theme m_theme;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
    std::unique_ptr<AlertsPage> m_page;
};

GPULEDGER_WINDOW_SUITE(AlertsPageTest)

} // namespace tst_alertspage

#include "tst_alertspage.moc"
