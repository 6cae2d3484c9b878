// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/actions/actionservice.h"
#include "app/services/fleet/fleetservice.h"
#include "connectors/demo/activity/simulatedactions.h"
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "ui/dialogs/idle/leavealonedialog.h"
#include "ui/dialogs/idle/markdialog.h"
#include "ui/dialogs/idle/stopdialog.h"
#include "ui/pages/idle/idlepage.h"
#include "ui/pages/idle/idlestop.h"
#include "ui/viewmodels/idle/idletable.h"
#include "ui/window/bars/noticebar.h"
#include "widgets/table/datatable.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTest>
#include <QTreeView>

#include <algorithm>

namespace tst_stopdialog {

using namespace gpuledger;
using model::ActionState;
using tests::TestWindow;
using ui::StopDialog;
using widgets::DataTable;

namespace {

constexpr int kPatience = 60'000;
constexpr int kSlack = 120; // pixels: fields that were shown at first

QPushButton *buttonIn(const QWidget &widget, const QString &begin)
{
    for (QPushButton *button : widget.findChildren<QPushButton *>()) {
        if (button->text().remove(QLatin1Char('&')).startsWith(begin) && button->isVisible())
            return button;
    }
    return nullptr;
}

} // namespace

// From the idle list to a verified stop and back, in the window over the simulated platform.
class StopDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_fleet = std::make_unique<TestWindow>(m_theme, TestWindow::Fleet::Synced);
        m_fleet->open(QStringLiteral("gpuledger://idle"));
    }
    void cleanup() { m_fleet.reset(); }
    void initTestCase()
    {
        m_theme.setMode(qEnvironmentVariable("GPULEDGER_DARK").isEmpty() ? widgets::Theme::Mode::Light
                                                                         : widgets::Theme::Mode::Dark);
        m_theme.apply();
    }

    void stopsByKeyboardAlone()
    {
        chooseByOwner(1);
        const insight::IdleItem wanted = ticked().front();
        table()->view()->setFocus();
        QTest::keyClick(focus(), Qt::Key_S, Qt::AltModifier); // 1: Stop 1 selected…
        StopDialog *dialog = waitForDialog();
        QVERIFY(dialog);
        typeCount(*dialog);
        QTest::keyClick(focus(), Qt::Key_S, Qt::AltModifier); // 2: Stop 1 workload
        QTRY_VERIFY_WITH_TIMEOUT(said(QStringLiteral("Stopped 1 workload")), kPatience);
        const auto log = m_fleet->workspace().actions().log().value();
        QCOMPARE(log.size(), std::size_t{1});
        QVERIFY(log.front().state == ActionState::Verified);
        QVERIFY(QString::fromStdString(log.front().intent.holders).contains(QString::fromStdString(wanted.id)));
        // Read independently of the dialog: the platform's own file.
        const auto deeds = demo::readDeeds(platformFile()).value();
        QVERIFY(deeds.at(log.front().intent.target.uid).isPaused());
    }

    void nothingIsStoppedByEnter()
    {
        chooseByOwner(1);
        page()->findChild<DataTable *>()->view()->setFocus();
        QTest::keyClick(focus(), Qt::Key_S, Qt::AltModifier);
        StopDialog *dialog = waitForDialog();
        QVERIFY(dialog);
        for (const QPushButton *button : dialog->findChildren<QPushButton *>())
            QVERIFY2(!button->isDefault() || button->text() == QLatin1String("Cancel"), qPrintable(button->text()));
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY(!page()->window()->findChild<StopDialog *>());
        QVERIFY(m_fleet->workspace().actions().log().value().empty());
    }

    // Three are chosen; one of them becomes active again just before the click.
    void oneThatWorksAgainIsRefusedAndTheOthersComeBack()
    {
        chooseByOwner(3);
        const auto items = ticked();
        QCOMPARE(items.size(), std::size_t{3});
        buttonIn(*page(), QStringLiteral("Stop 3 selected"))->click();
        StopDialog *dialog = waitForDialog();
        QVERIFY(dialog);
        typeCount(*dialog);
        takePicture(*dialog, QStringLiteral("stop-three"));
        const auto plan = m_fleet->workspace().actions().plan({{items[1].id}, false}, {}).value();
        const std::string active = plan.stops.front().target.ref.uid;
        QVERIFY(!active.empty());
        QVERIFY(demo::changeDeed(platformFile(), active, [&](demo::SimulatedAction &deed) {
                    deed.busySince = m_fleet->workspace().clock().now() - base::Seconds{60};
                    return true;
                }).value());
        QTest::qWait(1700); // samples count as "now" for a second and a half
        buttonIn(*dialog, QStringLiteral("Stop 3"))->click();
        if (!QTest::qWaitFor([&] { return said(QStringLiteral("Stopped 2 workload")); }, kPatience))
            QFAIL(qPrintable(allSaid()));
        QVERIFY(said(QStringLiteral("is active again")));
        const auto log = m_fleet->workspace().actions().log().value();
        QCOMPARE(log.size(), std::size_t{3});
        for (const model::ActionRecord &record : log) {
            const bool isActive = record.intent.target.uid == active;
            QVERIFY(record.state == (isActive ? ActionState::Refused : ActionState::Verified));
        }
        QPushButton *undo = buttonIn(*page()->window()->findChild<ui::NoticeBar *>(), QStringLiteral("Undo"));
        QVERIFY(undo);
        takePicture(*page()->window(), QStringLiteral("stopped-two"));
        const std::vector<std::string> stopped{items[0].id, items[2].id};
        for (const std::string &id : stopped)
            QTRY_COMPARE_WITH_TIMEOUT(groupOf(id), ui::IdleTable::stoppedGroup(), kPatience);
        QVERIFY(groupOf(items[1].id) != ui::IdleTable::stoppedGroup());
        undo->setFocus();
        undo->click();
        QTRY_VERIFY_WITH_TIMEOUT(said(QStringLiteral("Brought back 2 workload")), kPatience);
        // Not the rail beside the page. Only an active window passes the focus on from the table to its view.
        QTRY_VERIFY(page()->window()->focusWidget() == table() || page()->window()->focusWidget() == table()->view());
        for (const std::string &id : stopped)
            QTRY_VERIFY_WITH_TIMEOUT(groupOf(id) != ui::IdleTable::stoppedGroup(), kPatience);
        const auto deeds = demo::readDeeds(platformFile()).value();
        for (const model::ActionRecord &record : log)
            QVERIFY(!deeds.at(record.intent.target.uid).isPaused());
    }

    // The commands are those of the ticked rows, and the dialog is no higher than what it shows.
    void copiesTheCommands()
    {
        chooseByOwner(3);
        buttonIn(*page(), QStringLiteral("Stop 3 selected"))->click();
        StopDialog *dialog = waitForDialog();
        QVERIFY(dialog);
        QPushButton *copy = buttonIn(*dialog, QStringLiteral("Copy as kubectl"));
        QVERIFY(copy && copy->isEnabled());
        copy->click();
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.filter(QRegularExpression(QStringLiteral("^kubectl -n "))).size(), 3);
        QCOMPARE(m_fleet->workspace().actions().log().value().size(), std::size_t{0});
        const int wanted = dialog->layout()->totalHeightForWidth(dialog->width());
        QVERIFY2(dialog->height() >= wanted && dialog->height() <= wanted + kSlack,
                 qPrintable(QStringLiteral("%1 of %2").arg(wanted).arg(dialog->height())));
        dialog->findChild<DataTable *>()->model().setChecked(
            dynamic_cast<ui::TableModel &>(dialog->findChild<DataTable *>()->model()).checkedIds(), false);
        QVERIFY(!copy->isEnabled());
    }

    void whatIsProtectedCantBeTicked()
    {
        const auto list = m_fleet->workspace().fleet().idle(m_fleet->workspace().clock().now(), {}).value();
        for (const insight::IdleItem &item : list.items) {
            if (!item.protection.empty())
                tick(item);
        }
        if (ticked().empty())
            QSKIP("the small fleet has nothing protected");
        buttonIn(*page(), QStringLiteral("Stop %1 selected").arg(ticked().size()))->click();
        StopDialog *dialog = waitForDialog();
        QVERIFY(dialog);
        QVERIFY(!buttonIn(*dialog, QStringLiteral("Stop"))->isEnabled());
        takePicture(*dialog, QStringLiteral("stop-protected"));
    }

    // A bare pod can't be ticked; if the configuration permits it, its full name is typed by keyboard alone.
    void whatCantBeBroughtBackNeedsItsName()
    {
        const auto list = m_fleet->workspace().fleet().idle(m_fleet->workspace().clock().now(), {}).value();
        const auto bare = std::find_if(list.items.begin(), list.items.end(), [](const insight::IdleItem &item) {
            return item.workload.empty() && item.protection.empty();
        });
        QVERIFY2(bare != list.items.end(), "the small fleet has no bare pod");
        tick(*bare);
        buttonIn(*page(), QStringLiteral("Stop 1 selected"))->click();
        QPointer<StopDialog> dialog = waitForDialog();
        QVERIFY(dialog);
        QVERIFY(!buttonIn(*dialog, QStringLiteral("Stop"))->isEnabled());
        QVERIFY(!fieldIn(*dialog, QStringLiteral("Full name of")));
        takePicture(*dialog, QStringLiteral("stop-irreversible-refused"));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!dialog);
        model::Settings settings = m_fleet->workspace().settings();
        settings.actions.permitsIrreversible = true;
        settings.actions.maxTeamShare = 1;
        QVERIFY(m_fleet->workspace().apply(settings));
        buttonIn(*page(), QStringLiteral("Stop 1 selected"))->click();
        dialog = waitForDialog();
        QVERIFY(dialog);
        QLineEdit *field = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((field = fieldIn(*dialog, QStringLiteral("Full name of"))), kPatience);
        QTRY_VERIFY(field->hasFocus());
        const QString name = QString::fromStdString(bare->nameSpace + '/' + bare->name);
        QVERIFY(field->accessibleName().contains(name));
        const QPushButton *stop = buttonIn(*dialog, QStringLiteral("Stop"));
        for (const QString &wrong : {QString(), QString::fromStdString(bare->name), name.toUpper(), name.chopped(1)}) {
            field->clear();
            QTest::keyClicks(field, wrong);
            QVERIFY2(!stop->isEnabled(), qPrintable(wrong));
        }
        field->clear();
        QTest::keyClicks(field, name);
        takePicture(*dialog, QStringLiteral("stop-irreversible"));
        QVERIFY(stop->isEnabled());
        QTest::keyClick(focus(), Qt::Key_S, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(said(QStringLiteral("Stopped 1 workload")), kPatience);
        const auto log = m_fleet->workspace().actions().log().value();
        QVERIFY(log.size() == 1 && log.front().state == ActionState::Verified);
    }

    // A workload that another controller manages is refused until that controller is named, and is checked again then.
    void whatOthersManageMustBeNamed()
    {
        chooseByOwner(1);
        const auto plan = m_fleet->workspace().actions().plan({{ticked().front().id}, false}, {}).value();
        const std::string manager = "argo-cd:web";
        QVERIFY(demo::changeDeed(platformFile(), plan.stops.front().target.ref.uid, [&](demo::SimulatedAction &deed) {
                    deed.manager = manager;
                    return true;
                }).value());
        buttonIn(*page(), QStringLiteral("Stop 1 selected"))->click();
        StopDialog *dialog = waitForDialog();
        QVERIFY(dialog);
        QVERIFY(!buttonIn(*dialog, QStringLiteral("Stop"))->isEnabled());
        for (const std::string &named : {manager + 'x', manager}) {
            QLineEdit *field = fieldIn(*dialog, QStringLiteral("Controllers to override"));
            QVERIFY(field);
            field->setText(QString::fromStdString(named));
            buttonIn(*dialog, QStringLiteral("Check again"))->click();
            QVERIFY(waitForDialog());
            typeCount(*dialog);
            QCOMPARE(buttonIn(*dialog, QStringLiteral("Stop"))->isEnabled(), named == manager);
        }
        takePicture(*dialog, QStringLiteral("stop-despite"));
    }

    // A workload with a request to keep it is refused, until the request is withdrawn.
    void whatIsKeptIsRefused()
    {
        chooseByOwner(1);
        const insight::IdleItem item = ticked().front();
        auto &desk = m_fleet->workspace().actions();
        const auto until = m_fleet->workspace().clock().now() + base::kDay;
        const auto lease = desk.grant(model::Lease::Kind::KeepUntil, item.id, until, "demo on Monday").value();
        QVERIFY(!desk.plan({{item.id}, true}, {}).value().stops.front().isStoppable());
        m_fleet->refresh();
        takePicture(*page()->window(), QStringLiteral("kept"));
        QVERIFY(desk.endLease(lease.id));
        QVERIFY(desk.plan({{item.id}, true}, {}).value().stops.front().isStoppable());
    }

    void saysWhatLeavingAloneMeans()
    {
        ui::LeaveAloneDialog dialog(m_theme, QStringLiteral("eval-scratch-0"), m_fleet->workspace().clock().now(),
                                    model::Lease::Kind::Snooze);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        std::optional<ui::LeaveAloneDialog::Request> wish;
        connect(&dialog, &ui::LeaveAloneDialog::confirmed, this, [&](const auto &given) { wish = given; });
        dialog.show();
        takePicture(dialog, QStringLiteral("leave-alone"));
        buttonIn(dialog, QStringLiteral("Leave it alone"))->click();
        QVERIFY(wish);
        QVERIFY(wish->kind == model::Lease::Kind::Snooze);
        QVERIFY(wish->until && *wish->until > m_fleet->workspace().clock().now());
    }

    void marksLaterWhereItIsAllowed()
    {
        chooseByOwner(1);
        const insight::IdleItem item = ticked().front();
        const QString later = QStringLiteral("Stop later…"), taken = QStringLiteral("Cancel stopping it later");
        QVERIFY(!menuOf(item).contains(later)); // the configuration does not mention it
        model::Settings settings = m_fleet->workspace().settings();
        settings.actions.stopsMarked = true;
        settings.actions.maxTeamShare = 1;
        QVERIFY(m_fleet->workspace().apply(settings));
        QVERIFY(menuOf(item).contains(later) && !menuOf(item).contains(taken));
        page()->findChild<ui::IdleStop *>()->mark({item});
        QPointer<ui::MarkDialog> dialog = page()->window()->findChild<ui::MarkDialog *>();
        QVERIFY(dialog);
        for (const QPushButton *button : dialog->findChildren<QPushButton *>())
            QVERIFY2(!button->isDefault() || button->text() == QLatin1String("Cancel"), qPrintable(button->text()));
        dialog->findChild<QSpinBox *>()->setValue(2);
        takePicture(*dialog, QStringLiteral("mark"));
        buttonIn(*dialog, QStringLiteral("Mark it"))->click();
        if (!QTest::qWaitFor([&] { return said(QStringLiteral("It will be stopped after")); }, kPatience))
            QFAIL(qPrintable(allSaid()));
        QVERIFY(said(QStringLiteral("No watch is running")));
        buttonIn(*page()->window()->findChild<ui::NoticeBar *>(), QStringLiteral("Copy a message"))->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("gpu-ledger.io/protect")));
        const auto leases = m_fleet->workspace().actions().leases().value();
        QVERIFY(!leases.empty());
        QVERIFY(leases.front().kind == model::Lease::Kind::StopAfter && leases.front().holder == item.id);
        QVERIFY(leases.front().until == m_fleet->workspace().clock().now() + std::chrono::hours(2));
        m_fleet->refresh();
        takePicture(*page()->window(), QStringLiteral("marked"));
        QVERIFY2(noteOf(item).startsWith(QLatin1String("stops ")), qPrintable(noteOf(item)));
        QVERIFY(menuOf(item).contains(taken));
        QVERIFY(m_fleet->workspace().actions().log().value().empty()); // nothing is stopped from here
        page()->findChild<ui::IdleStop *>()->endLease(leases.front().id);
        QTRY_VERIFY_WITH_TIMEOUT(noteOf(item).isEmpty() || !noteOf(item).startsWith(QLatin1String("stops ")),
                                 kPatience);
    }

private:
    QStringList menuOf(const insight::IdleItem &item)
    {
        QMenu menu;
        Q_EMIT table()->menuOpening(&menu, QString::fromStdString(item.id));
        QStringList texts;
        for (const QAction *action : menu.actions())
            texts << action->text();
        return texts;
    }
    QString groupOf(const std::string &id)
    {
        const auto rows =
            std::dynamic_pointer_cast<const ui::IdleTable>(dynamic_cast<ui::TableModel &>(table()->model()).snapshot());
        const int row = rows->rowOf(QString::fromStdString(id));
        return row < 0 ? QString() : rows->groups()[static_cast<std::size_t>(rows->groupOf(row))].id;
    }
    QString noteOf(const insight::IdleItem &item)
    {
        const auto &model = dynamic_cast<ui::TableModel &>(table()->model());
        const QModelIndex index = model.indexOf(QString::fromStdString(item.id));
        return index.siblingAtColumn(static_cast<int>(ui::IdleColumn::Note)).data().toString();
    }
    ui::IdlePage *page() { return qobject_cast<ui::IdlePage *>(m_fleet->window().currentPage()); }
    DataTable *table() { return page()->findChild<DataTable *>(); }
    static QWidget *focus()
    {
        QWidget *widget = QApplication::focusWidget();
        return widget ? widget : QApplication::activeWindow();
    }
    std::filesystem::path platformFile() { return m_fleet->workspace().settings().sources.front().path; }

    std::vector<insight::IdleItem> ticked()
    {
        std::vector<insight::IdleItem> items;
        const auto list = m_fleet->workspace().fleet().idle(m_fleet->workspace().clock().now(), {}).value();
        const auto &model = dynamic_cast<ui::TableModel &>(table()->model());
        for (const QString &id : model.checkedIds()) {
            for (const insight::IdleItem &item : list.items) {
                if (item.id == id.toStdString())
                    items.push_back(item);
            }
        }
        return items;
    }
    void tick(const insight::IdleItem &item) { table()->model().setChecked({QString::fromStdString(item.id)}, true); }
    // The first `count` workloads without protection that have an owner.
    void chooseByOwner(int count)
    {
        const auto list = m_fleet->workspace().fleet().idle(m_fleet->workspace().clock().now(), {}).value();
        for (const insight::IdleItem &item : list.items) {
            if (count > 0 && item.protection.empty() && !item.workload.empty()) {
                tick(item);
                --count;
            }
        }
        QCOMPARE(count, 0);
    }
    StopDialog *waitForDialog()
    {
        StopDialog *dialog = nullptr;
        const auto ready = [&] {
            dialog = page()->window()->findChild<StopDialog *>();
            return dialog && dialog->settled();
        };
        return QTest::qWaitFor(ready, kPatience) ? dialog : nullptr;
    }
    // The visible one with this accessible name.
    static QLineEdit *fieldIn(const QWidget &widget, const QString &name)
    {
        for (QLineEdit *field : widget.findChildren<QLineEdit *>()) {
            if (field->accessibleName().startsWith(name) && field->isVisible())
                return field;
        }
        return nullptr;
    }
    // It may be a large share of a small team's GPUs: then the number has to be typed.
    static void typeCount(StopDialog &dialog)
    {
        for (QLineEdit *field : dialog.findChildren<QLineEdit *>()) {
            if (field->accessibleName() == QLatin1String("Number of workloads") && field->isVisible())
                field->setText(QString::number(dialog.findChildren<DataTable *>().front()->model().totalRows()));
        }
    }
    QString allSaid() { return page()->window()->findChild<ui::NoticeBar *>()->texts().join(QLatin1Char(10)); }
    bool said(const QString &text)
    {
        const auto *bar = page()->window()->findChild<ui::NoticeBar *>();
        for (const QString &one : bar->texts()) {
            if (one.contains(text))
                return true;
        }
        return false;
    }
    static void takePicture(QWidget &widget, const QString &name)
    {
        const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(200);
        widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
    }

    widgets::Theme m_theme;
    std::unique_ptr<TestWindow> m_fleet;
};

GPULEDGER_WINDOW_SUITE(StopDialogTest)

} // namespace tst_stopdialog

#include "tst_stopdialog.moc"
