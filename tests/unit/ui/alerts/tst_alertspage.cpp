// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/config.h"
#include "app/services/engine/configservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/unit/ui/alerts/alertsample.h"
#include "tests/unit/ui/alerts/loopmeter.h"
#include "ui/pages/alerts/alerteditor.h"
#include "ui/pages/alerts/alertspage.h"
#include "ui/pages/alerts/deliverypanel.h"
#include "ui/pages/alerts/firinglist.h"
#include "ui/pages/alerts/targetchoice.h"
#include "ui/viewmodels/alerts/alerttext.h"
#include "widgets/delegates/spansdelegate.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QAbstractItemDelegate>
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyleOptionViewItem>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

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
constexpr double kLongestTurn = 1500; // ms; ten times what was seen
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

    void sinceIsShownWhole()
    {
        m_answers->rules.push_back(tests::sampleRule("unallocated"));
        open();
        m_page->resize(1224, 720); // in a window of 1280 x 800
        const ui::TableModel &firing = model().firing();
        QCOMPARE(textIn(firing, 0, "since"), QStringLiteral("21 Sep, 12:15"));
        const QTreeView *view = m_page->firing()->table()->view();
        for (const char *key : {"scope", "rule", "since", "value"}) {
            const int column = firing.columnOf(QLatin1String(key));
            QStyleOptionViewItem option;
            option.initFrom(view);
            const QModelIndex last = firing.index(firing.rowCount() - 1, column);
            const int needed = view->itemDelegateForIndex(last)->sizeHint(option, last).width();
            QTRY_VERIFY2_WITH_TIMEOUT(view->columnWidth(column) >= needed, key, kPatience); // 0: hidden
        }
    }

    void saysWhomRoutesTell()
    {
        m_answers->routes = {{"vision", {}, {}, {"vision-chat", "<b>"}},
                             {{}, {}, "prod", {"cluster-chat"}},
                             {{}, "warning", {}, {"digest"}},
                             {{}, "critical", {}, {"pager"}}};
        open();
        const auto *targets = m_page->findChild<ui::TargetChoice *>();
        const QString said = QStringLiteral("Routes also tell vision-chat, <b> (vision), digest.");
        QCOMPARE(targets->findChild<QLabel *>()->text(), said);
        QCOMPARE(targets->findChild<QLabel *>()->textFormat(), Qt::PlainText);
        QCOMPARE(targets->button()->accessibleDescription(), said);
        model::AlertRule rule = *model().draft();
        rule.per = "all";
        rule.severity = "info";
        model().edit(rule);
        QVERIFY(targets->findChild<QLabel *>()->isHidden());
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

    void theYearOfBudgetsIsWrittenAtOnce()
    {
        open();
        auto *year = buttonWith(QStringLiteral("January"));
        QVERIFY(!year); // is no part of a rule about idle cost
        model::AlertRule rule = *model().draft();
        rule.metric = "budget";
        rule.bound = "80 %";
        model().edit(rule);
        year = buttonWith(QStringLiteral("January"));
        QVERIFY(year && year->isEnabled());
        QCOMPARE(year->accessibleName(), QStringLiteral("Year begins in: January"));
        QCOMPARE(year->menu()->actions().size(), 12);
        m_answers->yearStarts = 4;
        QSignalSpy saved(&model().saver(), &ui::ConfigurationSaver::saved);
        QSignalSpy notices(m_page.get(), &AlertsPage::noticeWanted);
        year->menu()->actions().at(3)->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kPatience);
        QCOMPARE(fileText(), QByteArray(kFileText) + "fiscal_year_starts: 4\n");
        QCOMPARE(m_workspace->config().settings().fiscalYearStarts, 4);
        QCOMPARE(notices.count(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QVERIFY(buttonWith(QStringLiteral("April")));
        QVERIFY(model().isChanged()); // what is edited stays
        QCOMPARE(model().draft()->metric, std::string("budget"));
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

    // Everything that the page shows at once, of 10,000 alerts, each told to one receiver, half of them acknowledged.
    void aStormDoesNotHoldUpTheWindow()
    {
        constexpr int kRules = 10, kTeams = 999;
        constexpr std::size_t kStorm = kRules * (kTeams + 1);
        m_answers->rules.clear();
        for (int i = 0; i < kRules; ++i)
            m_answers->rules.push_back(tests::sampleRule("storm-" + std::to_string(i)));
        m_answers->teams = kTeams;
        fillHistory();
        open();
        tests::LoopMeter meter;
        refresh();
        ui::TableModel &firing = model().firing();
        QCOMPARE(firing.totalRows(), static_cast<int>(kStorm));
        QCOMPARE(model().messages().totalRows(), static_cast<int>(kStorm));
        QCOMPARE(model().changes().totalRows(), static_cast<int>(kStorm));
        QCOMPARE(textIn(firing, 0, "note"), QStringLiteral("acknowledged"));
        const QString last = AlertTables::firingId("storm-9", "vision");
        QVERIFY(m_page->firing()->table()->setCurrentRow(last));
        QSignalSpy resets(&firing, &QAbstractItemModel::modelReset);
        QSignalSpy layouts(&firing, &QAbstractItemModel::layoutChanged);
        refresh(); // the same alerts
        QCOMPARE(layouts.count(), 0);
        m_answers->teams = kTeams - 1;
        refresh(); // ten of them are over
        QCOMPARE(layouts.count(), 1);
        QCOMPARE(resets.count(), 0);
        QCOMPARE(m_page->firing()->table()->currentRowId(), last);
        firing.sort(firing.columnOf(QStringLiteral("since")), Qt::DescendingOrder);
        firing.sort(firing.columnOf(QStringLiteral("note")));
        firing.sort(firing.columnOf(QStringLiteral("value")), Qt::DescendingOrder);
        refresh();
        QCOMPARE(textIn(firing, 0, "scope"), QStringLiteral("vision"));
        firing.setFilterText(QStringLiteral("team-0004"));
        QCOMPARE(firing.shownRows(), kRules * 10);
        refresh();
        firing.setFilterText({});
        m_page->restore(QUrlQuery(QStringLiteral("tab=delivery")));
        refresh();
        QVERIFY2(meter.longestMs() < kLongestTurn, qPrintable(QString::number(meter.longestMs())));
    }

    void aMessageSaysHowManyAlertsItDoesNotList()
    {
        services::OutboxEntry one;
        one.id = 1;
        one.target = "desk";
        one.rule = "idle-cost";
        one.scopes = {"a", "b"};
        m_answers->history.outbox = {one};
        one.id = 2;
        one.unlisted = 9950;
        m_answers->history.outbox.push_back(one);
        open();
        QCOMPARE(textIn(model().messages(), 0, "about"), QStringLiteral("idle-cost: a, b"));
        QCOMPARE(textIn(model().messages(), 1, "about"), QStringLiteral("idle-cost: a, b, and 9950 more"));
    }

    void whatIsSilencedOrAcknowledgedSaysSo()
    {
        m_answers->rules.push_back(tests::sampleRule("second"));
        m_answers->teams = 1;
        const base::UtcTime now = base::fromUnix(tests::kAlertNow);
        const auto silences = [&](const char *rule, const char *scope, base::Seconds from) {
            m_answers->history.silences = {{1, rule, scope, now + from, now + base::Seconds{600}, "ann", ""}};
        };
        const auto notes = [this] {
            refresh();
            QStringList all;
            for (int row = 0; row < model().firing().rowCount(); ++row)
                all << textIn(model().firing(), row, "note").left(1);
            return all.join(QLatin1Char(','));
        };
        open();
        silences("second", "vision", base::Seconds{-1});
        QCOMPARE(notes(), QStringLiteral(",,,s"));
        silences("second", "", base::Seconds{-1});
        QCOMPARE(notes(), QStringLiteral(",,s,s"));
        silences("", "vision", base::Seconds{-1});
        QCOMPARE(notes(), QStringLiteral(",s,,s"));
        silences("", "", base::Seconds{1}); // not yet
        QCOMPARE(notes(), QStringLiteral(",,,"));
        silences("", "", base::Seconds{0});
        QCOMPARE(notes(), QStringLiteral("s,s,s,s"));
        m_answers->history.silences.clear();
        m_answers->history.acknowledged = {
            {model().firingOf(AlertTables::firingId("second", "vision"))->scope->key, "ann", {}, now}};
        QCOMPARE(notes(), QStringLiteral(",,,a"));
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
    void refresh()
    {
        model().refresh();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCoreApplication::processEvents();
    }
    // A change and a message for each alert, and an acknowledgement for every other one.
    void fillHistory()
    {
        services::AlertHistory &history = m_answers->history;
        for (const services::RuleResult &rule : tests::sampleAlerts(*m_answers).evaluation.rules) {
            for (const services::FiringScope &scope : rule.firing) {
                history.changes.push_back({scope.since, rule.rule.name, scope.scope, scope.key,
                                           alerts::AlertState::Pending, alerts::AlertState::Firing, "201 USD/day"});
                services::OutboxEntry message;
                message.id = static_cast<std::int64_t>(history.outbox.size()) + 1;
                message.target = "desk";
                message.rule = rule.rule.name;
                message.scopes = {scope.scope};
                history.outbox.push_back(message);
                if (history.outbox.size() % 2 == 1)
                    history.acknowledged.push_back({scope.key, "ann", {}, scope.since});
            }
        }
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
