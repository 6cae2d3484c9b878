// SPDX-License-Identifier: GPL-3.0-or-later
// From a proposal to a verified stop and back, in the window over the simulated platform; and what is offered when.
#include "app/services/actions/actionservice.h"
#include "connectors/demo/activity/simulatedactions.h"
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "ui/dialogs/idle/stopdialog.h"
#include "ui/pages/savings/savingsacting.h"
#include "ui/pages/savings/savingspage.h"
#include "ui/viewmodels/savings/savingsacts.h"
#include "ui/window/bars/noticebar.h"
#include "widgets/table/datatable.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <algorithm>

namespace tst_savingsacts {

using namespace gpuledger;
using model::ActionState;
using services::ActFacts;
using tests::TestWindow;
using ui::StopDialog;
using widgets::DataTable;

namespace {

constexpr int kPatience = 60'000;
constexpr const char *kWorkload = "prod-us/vision/StatefulSet/pixel-archive"; // idle in the demo fleet

savings::Proposal scheduleOf(const std::string &cluster, const std::string &target)
{
    savings::Proposal one;
    one.kind = savings::Kind::Schedule;
    one.target = target;
    one.id = "schedule:" + cluster + '/' + target;
    return one;
}

ActFacts oneIdleNotebook()
{
    insight::IdleItem item;
    item.id = "a/research/nb-0/uid";
    item.cluster = "a";
    item.nameSpace = "research";
    item.name = "nb-0";
    item.workload = "StatefulSet/nb";
    ActFacts facts;
    facts.canStop = true;
    facts.idle.at = base::fromUnix(1'790'000'100);
    facts.idle.items = {item};
    return facts;
}

} // namespace

class SavingsActsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom));
        m_theme.apply();
    }
    void cleanup() { m_fleet.reset(); }

    void offersNothingBeforeTheFirstAnswerAndAfterAnError()
    {
        ui::TaskRunner tasks;
        bool fails = false;
        ui::SavingsActs acts(
            [&fails]() -> base::Result<ActFacts> {
                return fails ? base::Result<ActFacts>(base::fail(base::ErrorCode::StorageFull, "no disk"))
                             : base::Result<ActFacts>(oneIdleNotebook());
            },
            tasks);
        const savings::Proposal proposal = scheduleOf("a", "research/StatefulSet/nb");
        QVERIFY(!acts.offerFor(&proposal, {}).isShown);
        QSignalSpy changed(&acts, &ui::SavingsActs::changed);
        acts.refresh();
        QVERIFY(changed.wait(kPatience));
        const ui::ActOffer offer = acts.offerFor(&proposal, {});
        QVERIFY(offer.isShown && offer.whyNot.isEmpty() && !offer.canMark);
        QCOMPARE(offer.items.size(), std::size_t{1});
        QVERIFY(!acts.offerFor(nullptr, {}).isShown);
        fails = true;
        acts.refresh();
        QVERIFY(changed.wait(kPatience));
        QVERIFY(!acts.offerFor(&proposal, {}).isShown);
    }

    void saysWhyNothingCanBeStoppedAndWhatWas()
    {
        ui::TaskRunner tasks;
        ActFacts facts = oneIdleNotebook();
        model::ActionRecord stop;
        stop.id = 7;
        stop.state = ActionState::Verified;
        stop.changedAt = facts.idle.at;
        stop.intent.holders = facts.idle.items.front().id;
        facts.holders = {{stop.intent.holders, {"a", "research/StatefulSet/nb"}}};
        facts.stops = {stop};
        ui::SavingsActs acts([&facts]() -> base::Result<ActFacts> { return facts; }, tasks);
        QSignalSpy changed(&acts, &ui::SavingsActs::changed);
        acts.refresh();
        QVERIFY(changed.wait(kPatience));
        const savings::Proposal proposal = scheduleOf("a", "research/StatefulSet/nb");
        const ui::ActOffer stopped = acts.offerFor(&proposal, {});
        QVERIFY(stopped.isShown && stopped.items.empty());
        QCOMPARE(stopped.whyNot, QStringLiteral("It was stopped already."));
        QVERIFY(stopped.done.startsWith(QStringLiteral("Stopped at ")));
        QCOMPARE(stopped.undoable, std::vector<std::int64_t>{7});
        facts.stops[0].intent.verb = model::StopVerb::Delete; // and nothing was kept
        acts.refresh();
        QVERIFY(changed.wait(kPatience));
        const ui::ActOffer gone = acts.offerFor(&proposal, {});
        QVERIFY(!gone.done.isEmpty() && gone.undoable.empty());
        const savings::Proposal busy = scheduleOf("a", "research/StatefulSet/other");
        const ui::ActOffer other = acts.offerFor(&busy, {});
        QVERIFY(other.isShown && other.items.empty() && other.done.isEmpty() && other.undoable.empty());
        QVERIFY(other.whyNot.startsWith(QStringLiteral("Nothing of it is idle now")));
        savings::Proposal commitment = proposal;
        commitment.kind = savings::Kind::Commitments;
        QVERIFY(!acts.offerFor(&commitment, {}).isShown);
    }

    void aStopTellsTheOtherPages()
    {
        openProposal();
        QSignalSpy told(&m_fleet->syncs(), &ui::SyncController::actionsChanged);
        table()->view()->setFocus();
        QTest::keyClick(focus(), Qt::Key_S, Qt::AltModifier);
        StopDialog *dialog = waitForDialog();
        QVERIFY(dialog);
        for (QLineEdit *field : dialog->findChildren<QLineEdit *>()) {
            if (field->accessibleName() == QLatin1String("Number of workloads") && field->isVisible())
                field->setText(QStringLiteral("1"));
        }
        QVERIFY(told.isEmpty()); // only a dialog so far
        QTest::keyClick(focus(), Qt::Key_S, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!told.isEmpty(), kPatience);
    }

    void stopsAndUndoesByKeyboardFromAProposal()
    {
        openProposal();
        table()->view()->setFocus();
        QTest::keyClick(focus(), Qt::Key_S, Qt::AltModifier);
        StopDialog *dialog = waitForDialog();
        QVERIFY(dialog);
        for (QLineEdit *field : dialog->findChildren<QLineEdit *>()) { // it may be a large share of a team's GPUs
            if (field->accessibleName() == QLatin1String("Number of workloads") && field->isVisible())
                field->setText(QStringLiteral("1"));
        }
        QTest::keyClick(focus(), Qt::Key_S, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(said(QStringLiteral("Stopped 1 workload")), kPatience);
        const auto log = m_fleet->workspace().actions().log().value();
        QCOMPARE(log.size(), std::size_t{1});
        QVERIFY(log.front().state == ActionState::Verified);
        QVERIFY(log.front().intent.holders.starts_with("prod-us/vision/pixel-archive-0/"));
        // Read independently of the dialog: the platform's own file.
        const auto deeds = demo::readDeeds(m_fleet->workspace().settings().sources.front().path).value();
        QVERIFY(deeds.at(log.front().intent.target.uid).isPaused());

        QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("&Undo the stop")), kPatience);
        QVERIFY(!button(QStringLiteral("&Stop…"))); // nothing is left to stop
        const auto labels = page()->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
            return label->isVisible() && label->text().startsWith(QStringLiteral("Stopped at "));
        }));
        button(QStringLiteral("&Undo the stop"))->click();
        const auto isUndone = [this] {
            const auto now = m_fleet->workspace().actions().log().value();
            return now.size() == 2 && now.front().state == ActionState::Undone;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isUndone(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!button(QStringLiteral("&Undo the stop")), kPatience);
    }

    void theMenuOffersTheSame()
    {
        openProposal();
        QMenu menu;
        page()->acting()->addActions(menu, table()->currentRowId());
        QVERIFY(!menu.actions().isEmpty());
        QCOMPARE(menu.actions().front()->text(), QStringLiteral("Stop…"));
        QVERIFY(menu.actions().front()->isEnabled());
        menu.actions().front()->trigger();
        QVERIFY(waitForDialog());
    }

private:
    void openProposal()
    {
        m_fleet = std::make_unique<TestWindow>(m_theme, TestWindow::Fleet::Synced);
        m_fleet->open(QStringLiteral("gpuledger://savings"));
        QVERIFY(page());
        QVERIFY(table()->setCurrentRow(QStringLiteral("schedule:") + QLatin1String(kWorkload)));
        QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("&Stop…")), kPatience);
        QVERIFY(button(QStringLiteral("&Stop…"))->isEnabled());
        QVERIFY(m_fleet->workspace().actions().log().value().empty());
    }
    ui::SavingsPage *page() { return m_fleet->window().findChild<ui::SavingsPage *>(); }
    DataTable *table() { return page()->findChild<DataTable *>(); }
    QPushButton *button(const QString &text)
    {
        for (QPushButton *one : page()->findChildren<QPushButton *>()) {
            if (one->text() == text && one->isVisible())
                return one;
        }
        return nullptr;
    }
    static QWidget *focus()
    {
        QWidget *widget = QApplication::focusWidget();
        return widget ? widget : QApplication::activeWindow();
    }
    StopDialog *waitForDialog()
    {
        StopDialog *dialog = nullptr;
        const auto isReady = [&] {
            dialog = page()->window()->findChild<StopDialog *>();
            return dialog && dialog->settled();
        };
        return QTest::qWaitFor(isReady, kPatience) ? dialog : nullptr;
    }
    bool said(const QString &text)
    {
        const QStringList texts = page()->window()->findChild<ui::NoticeBar *>()->texts();
        return std::any_of(texts.begin(), texts.end(), [&](const QString &one) { return one.contains(text); });
    }

    widgets::Theme m_theme;
    std::unique_ptr<TestWindow> m_fleet;
};

GPULEDGER_WINDOW_SUITE(SavingsActsTest)

} // namespace tst_savingsacts

#include "tst_savingsacts.moc"
