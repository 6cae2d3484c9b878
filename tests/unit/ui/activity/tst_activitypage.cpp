// SPDX-License-Identifier: GPL-3.0-or-later
// Past actions stay visible with their evidence, and what others do to the same objects is recognized by their marks.
#include "app/actions/plan/evidence.h"
#include "app/actions/run/actionresult.h"
#include "app/actions/run/marks.h"
#include "app/services/actions/actionservice.h"
#include "app/services/fleet/fleetservice.h"
#include "connectors/demo/activity/simulatedactions.h"
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "ui/pages/activity/activitypage.h"
#include "ui/viewmodels/activity/activitytable.h"
#include "widgets/table/datatable.h"

#include <QAbstractItemDelegate>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStyleOptionViewItem>
#include <QTest>
#include <QTreeView>

#include <algorithm>

namespace tst_activitypage {

using namespace gpuledger;
using tests::TestWindow;

namespace {

constexpr int kPatience = 60'000;

} // namespace

class ActivityPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_theme.setMode(qEnvironmentVariable("GPULEDGER_DARK").isEmpty() ? widgets::Theme::Mode::Light
                                                                         : widgets::Theme::Mode::Dark);
        m_theme.apply();
    }
    void init() { m_fleet = std::make_unique<TestWindow>(m_theme, TestWindow::Fleet::Synced); }
    void cleanup() { m_fleet.reset(); }

    void tellsHowTheObjectStandsNow()
    {
        const model::ActionRecord stopped = stopDearest();
        const std::string uid = stopped.intent.target.uid;
        m_fleet->open(QStringLiteral("gpuledger://activity"));
        QTRY_VERIFY2_WITH_TIMEOUT(now().startsWith(QLatin1String("stopped by action ")), qPrintable(now()), kPatience);
        QVERIFY(now().contains(QString::fromStdString(stopped.intent.actor)));
        takePicture(QStringLiteral("activity-now"));
        // Someone at another desk brought it back, and stopped it again.
        change(uid, [](demo::SimulatedAction &deed) {
            deed.mark = model::StopMark{"their-key", "kim@desk-2", "<b>the demo</b> is over", deed.pauses.back().from,
                                        deed.mark->oldValue};
            return true;
        });
        m_fleet->refresh();
        QTRY_VERIFY2_WITH_TIMEOUT(now().startsWith(QLatin1String("stopped by kim@desk-2, not from here")),
                                  qPrintable(now()), kPatience);
        QVERIFY2(now().endsWith(QLatin1String(": <b>the demo</b> is over")), qPrintable(now()));
        QVERIFY(nowLabel()->textFormat() == Qt::PlainText);
        takePicture(QStringLiteral("activity-others"));
        // Our undo does not revert their stop.
        undoButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_fleet->workspace().actions().log().value().size() == 2, kPatience);
        const auto refused = m_fleet->workspace().actions().log().value().back();
        QTRY_VERIFY_WITH_TIMEOUT(
            m_fleet->workspace().actions().log().value().back().state == model::ActionState::Refused, kPatience);
        QVERIFY(refused.intent.kind == model::ActionKind::Undo);
        // They bring it back themselves.
        change(uid, [this](demo::SimulatedAction &deed) {
            deed.pauses.back().until = m_fleet->workspace().clock().now();
            deed.value = deed.mark->oldValue;
            deed.mark.reset();
            return true;
        });
        m_fleet->refresh();
        QTRY_VERIFY2_WITH_TIMEOUT(now().startsWith(QLatin1String("it runs: ")), qPrintable(now()), kPatience);
    }

    void saysThatItCantBeAsked()
    {
        stopDearest();
        QVERIFY(QFile::remove(file()));
        QVERIFY(QDir().mkdir(file())); // so that the platform can't be read
        m_fleet->open(QStringLiteral("gpuledger://activity"));
        QTRY_VERIFY2_WITH_TIMEOUT(now().startsWith(QLatin1String("not known: ")), qPrintable(now()), kPatience);
        QVERIFY(QDir().rmdir(file()));
    }

    // Written an hour before the time that --now pretended, or within a minute of it.
    void tellsWhenItWasReallyWritten()
    {
        const base::UtcTime at = base::parseTime("2026-10-04T15:00:00Z").value();
        const auto entry = [&](std::int64_t sequence, const char *action, const char *details, base::Seconds later) {
            store::AuditEntry one{sequence, {at, "kim", action, "2026-09", details}, {}, {}};
            one.recorded = base::ClockReading{at + later, sequence, "x"};
            return one;
        };
        auto snapshot = std::make_shared<ui::ActivitySnapshot>();
        snapshot->actions.resize(1);
        snapshot->actions[0].id = 7;
        snapshot->actions[0].intent.at = at + base::Seconds{1}; // the first line
        snapshot->log = {entry(1, store::kReviewMonth, "{}", base::Seconds{59}),
                         entry(2, store::kReviewMonth, "{}", base::Seconds{-3600}),
                         entry(3, "action-confirmed", R"({"id":7})", base::Seconds{7200}),
                         entry(4, "action-verified", R"({"id":7})", base::Seconds{0})};
        const auto rows = ui::activityTable(snapshot);
        QCOMPARE(rows->rowCount(), 3);
        const auto written = [&](int row) { return rows->sourceLine(row, 0).section(QLatin1String(", written "), 1); };
        QVERIFY2(written(0).startsWith(QLatin1String("4 Oct 2026, 17:00 (")), qPrintable(rows->sourceLine(0, 0)));
        QVERIFY2(written(1).startsWith(QLatin1String("4 Oct 2026, 14:00 (")), qPrintable(rows->sourceLine(1, 0)));
        QVERIFY2(written(2).isEmpty(), qPrintable(rows->sourceLine(2, 0)));
        for (int row = 1; row < 3; ++row) {
            const auto facts = ui::activityEvidence(*snapshot, rows->id(row)).facts;
            const auto it = std::find_if(facts.begin(), facts.end(),
                                         [](const auto &fact) { return fact.first == QLatin1String("Written"); });
            QCOMPARE(it != facts.end(), row == 1);
        }
    }

    // Results are data; those of earlier versions are sentences. Both are shown in the same words, whichever the log
    // has.
    void saysTheSameOfOldRowsAndNewOnes()
    {
        const actions::Check managed{actions::CheckName::Stoppable, actions::Outcome::Failed, actions::Why::Managed,
                                     "argo-cd:web"};
        const std::string sentence = "refused by the last check (stoppable: managed): argo-cd:web; nothing was done";
        actions::MarkEvent over;
        over.kind = actions::MarkEvent::Kind::Over;
        over.end = actions::MarkEnd::Refused;
        over.check = managed;
        actions::MarkEvent failed;
        failed.kind = actions::MarkEvent::Kind::Over;
        failed.end = actions::MarkEnd::Failed;
        failed.action = 7;
        failed.result = {actions::ResultCode::Gone};
        const auto entry = [](std::int64_t sequence, const std::string &details) {
            return store::AuditEntry{sequence, {{}, "watch", store::kEndLease, "c/ns/web/uid", details}, {}, {}};
        };
        auto snapshot = std::make_shared<ui::ActivitySnapshot>();
        snapshot->actions.resize(2);
        snapshot->actions[0].id = 1;
        snapshot->actions[0].result = sentence;
        snapshot->actions[1].id = 2;
        snapshot->actions[1].result = actions::dataOf(actions::refusedBy(managed));
        const auto withReason = [](const std::string &reason) { return "{\"id\":1,\"reason\":\"" + reason + "\"}"; };
        const auto withMark = [](const actions::MarkEvent &event) {
            return "{\"id\":1,\"mark\":" + actions::dataOf(event) + '}';
        };
        snapshot->log = {entry(1, withReason("the mark is over (refused): " + sentence)), entry(2, withMark(over)),
                         entry(3, withReason("the mark is over (failed): action 7: the object is gone")),
                         entry(4, withMark(failed))};
        const auto rows = ui::activityTable(snapshot);
        QCOMPARE(rows->rowCount(), 6);
        const auto factOf = [&](const QString &id, const QString &name) {
            const auto facts = ui::activityEvidence(*snapshot, id).facts;
            const auto it =
                std::find_if(facts.begin(), facts.end(), [&](const auto &fact) { return fact.first == name; });
            return it == facts.end() ? QString() : it->second;
        };
        const auto expect = [&](const char *id, int column, const char *fact, const QString &words) {
            for (int row = 0; row < rows->rowCount(); ++row) {
                if (rows->id(row) == QLatin1String(id))
                    QCOMPARE(rows->text(row, column), words);
            }
            QCOMPARE(factOf(QLatin1String(id), QLatin1String(fact)), words);
        };
        const QString why = QStringLiteral("it is managed by argo-cd:web, which may start it again: it is stopped only "
                                           "when that is named (act stop --despite)");
        expect("a1", 5, "Result", why);
        expect("a2", 5, "Result", why);
        expect("e1", 6, "Reason", QStringLiteral("not stopped: ") + why);
        expect("e2", 6, "Reason", QStringLiteral("not stopped: ") + why);
        expect("e3", 6, "Reason", QStringLiteral("action 7 failed: the object is gone"));
        expect("e4", 6, "Reason", QStringLiteral("action 7 failed: the object is gone"));
    }

    // What was changed is said in words, by the kind of stop, and the whole name of the object is in the list.
    void saysWhatWasChanged()
    {
        using model::StopVerb;
        const auto changed = [](StopVerb verb, model::ActionKind kind, const char *before, const char *after,
                                model::ActionState state) {
            auto snapshot = std::make_shared<ui::ActivitySnapshot>();
            model::ActionRecord record;
            record.id = 1;
            record.state = state;
            record.intent.kind = kind;
            record.intent.verb = verb;
            record.intent.target.kind = "Notebook";
            record.intent.field = "metadata.annotations.kubeflow-resource-stopped";
            record.intent.oldValue = before;
            record.intent.newValue = after;
            snapshot->actions = {record};
            const auto facts = ui::activityEvidence(*snapshot, QStringLiteral("a1")).facts;
            QString text;
            for (const auto &[name, value] : facts) {
                if (name == QLatin1String("Changed") || name == QLatin1String("Planned change"))
                    text = name + QLatin1String(": ") + value;
            }
            return text;
        };
        using model::ActionKind;
        using model::ActionState;
        QCOMPARE(changed(StopVerb::Annotate, ActionKind::Undo, "\"stopped\"", "null", ActionState::Verified),
                 QStringLiteral("Changed: Notebook resumed: annotation removed"));
        QCOMPARE(changed(StopVerb::Annotate, ActionKind::Undo, "\"stopped\"", "\"x\"", ActionState::Verified),
                 QStringLiteral("Changed: Notebook resumed: annotation set back"));
        QCOMPARE(changed(StopVerb::Annotate, ActionKind::Stop, "null", "\"stopped\"", ActionState::Refused),
                 QStringLiteral("Planned change: Notebook stopped: annotation set"));
        QCOMPARE(changed(StopVerb::ScaleToZero, ActionKind::Stop, "3", "0", ActionState::Undone),
                 QStringLiteral("Changed: Notebook scaled from 3 to 0"));
        QCOMPARE(changed(StopVerb::Suspend, ActionKind::Undo, "true", "false", ActionState::Executed),
                 QStringLiteral("Changed: Notebook resumed"));
        QCOMPARE(changed(StopVerb::Delete, ActionKind::Stop, "\"uid\"", "null", ActionState::Failed),
                 QStringLiteral("Planned change: Notebook deleted"));
    }

    // A column without room for its names is left out: the evidence beside the list has them.
    void cutsNoName()
    {
        stopDearest();
        QVERIFY(m_fleet->workspace()
                    .actions()
                    .grant(model::Lease::Kind::Protect, dearest().id, std::nullopt, "a run of the team that ends soon")
                    .has_value());
        for (const QSize size : {QSize(1024, 640), QSize(1280, 800), QSize(1920, 1080)}) {
            m_fleet->open(QStringLiteral("gpuledger://activity"), size);
            const auto *view = page()->findChild<widgets::DataTable *>()->view();
            const auto *model = view->model();
            QVERIFY(view->viewport()->width() >= view->header()->length());
            QStyleOptionViewItem option;
            option.initFrom(view);
            for (int column = 1; column < model->columnCount(); ++column) {
                const QString title = model->headerData(column, Qt::Horizontal).toString();
                if (view->isColumnHidden(column) || title == QLatin1String("Result"))
                    continue;
                for (int row = 0; row < model->rowCount(); ++row) {
                    const QModelIndex index = model->index(row, column);
                    const int wanted = view->itemDelegateForIndex(index)->sizeHint(option, index).width();
                    QVERIFY2(view->columnWidth(column) >= std::min(wanted, 240),
                             qPrintable(QStringLiteral("%1 at %2: %3 in %4 of %5 pixels")
                                            .arg(title)
                                            .arg(size.width())
                                            .arg(index.data().toString())
                                            .arg(view->columnWidth(column))
                                            .arg(wanted)));
                }
            }
            QVERIFY(size.width() < 1280 || !view->isColumnHidden(1)); // who
            takePicture(QStringLiteral("activity-%1").arg(size.width()));
        }
    }

    void whatIsNoActionHasNoObject()
    {
        QVERIFY(m_fleet->workspace()
                    .actions()
                    .grant(model::Lease::Kind::Protect, dearest().id, std::nullopt, "ours")
                    .has_value());
        m_fleet->open(QStringLiteral("gpuledger://activity"));
        QVERIFY(page()->settled());
        QVERIFY(!nowLabel());
        QVERIFY(!undoButton()->isVisible());
    }

private:
    insight::IdleItem dearest()
    {
        const auto list = m_fleet->workspace().fleet().idle(m_fleet->workspace().clock().now(), {}).value();
        const auto it = std::find_if(list.items.begin(), list.items.end(),
                                     [](const auto &item) { return item.protection.empty(); });
        return *it;
    }
    model::ActionRecord stopDearest()
    {
        auto &desk = m_fleet->workspace().actions();
        const auto plan = desk.plan({{dearest().id}, false}, {}).value();
        const auto done = desk.stop(plan, {actions::hashOf(plan.stops), "a test", 1}, {}).value();
        [&] { QVERIFY2(done.front().state == model::ActionState::Verified, done.front().result.c_str()); }();
        return done.front();
    }
    template <typename Change> void change(const std::string &uid, Change change)
    {
        QVERIFY(demo::changeDeed(file().toStdString(), uid, change).value());
    }
    QString file() { return QString::fromStdString(m_fleet->workspace().settings().sources.front().path); }

    ui::ActivityPage *page() { return m_fleet->window().findChild<ui::ActivityPage *>(); }
    // The value next to "Now".
    const QLabel *nowLabel()
    {
        const auto labels = page()->findChildren<QLabel *>();
        for (int i = 0; i + 1 < labels.size(); ++i) {
            if (labels[i]->text() == QLatin1String("Now"))
                return labels[i + 1];
        }
        return nullptr;
    }
    QString now()
    {
        const QLabel *label = page() ? nowLabel() : nullptr;
        return label ? label->text() : QString();
    }
    QPushButton *undoButton()
    {
        const auto buttons = page()->findChildren<QPushButton *>();
        const auto it = std::find_if(buttons.begin(), buttons.end(),
                                     [](const QPushButton *one) { return one->text() == QLatin1String("&Undo"); });
        return it == buttons.end() ? nullptr : *it;
    }
    void takePicture(const QString &name)
    {
        if (const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES"); !folder.isEmpty())
            m_fleet->picture().save(QDir(folder).filePath(name + QStringLiteral(".png")));
    }

    widgets::Theme m_theme;
    std::unique_ptr<TestWindow> m_fleet;
};

GPULEDGER_WINDOW_SUITE(ActivityPageTest)

} // namespace tst_activitypage

#include "tst_activitypage.moc"
