// SPDX-License-Identifier: GPL-3.0-or-later
// The warnings that the window shows above every page: data that end before now, and a damaged cache that was set
// aside. GPULEDGER_PICTURES names a folder for screenshots to be inspected by people.
#include "app/store/actions/auditlog.h"
#include "app/store/damage/setaside.h"
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "ui/format/local/language.h"
#include "ui/window/bars/damagebar.h"
#include "ui/window/bars/stalebar.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/heatmap/heatmapaccessible.h"
#include "widgets/table/datatable.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>

namespace tst_warnings {

using namespace gpuledger;
using tests::TestWindow;
using Damage = TestWindow::Damage;
using Fleet = TestWindow::Fleet;

namespace {

constexpr int kPatience = 60'000;
constexpr QSize kSize{1280, 800};
constexpr base::Seconds kFourDays = 4 * base::kDay;
constexpr const char *kPages[] = {"overview", "heatmap", "idle",     "savings", "device",
                                  "showback", "alerts",  "activity", "sources"};

QPushButton *buttonIn(const QWidget &bar)
{
    return bar.findChild<QPushButton *>();
}

// The text fits into its label, and the label into the bar.
bool fits(const QWidget &bar)
{
    const auto labels = bar.findChildren<QLabel *>();
    return std::all_of(labels.begin(), labels.end(), [&](const QLabel *label) {
        const bool inside = bar.rect().contains(QRect(label->mapTo(&bar, QPoint()), label->size()));
        return !label->isVisible() || (inside && label->height() >= label->heightForWidth(label->width()));
    });
}

void draw(QWidget &window, const QString &name)
{
    if (const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES"); !folder.isEmpty())
        window.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace

class WarningsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QApplication::setCursorFlashTime(0);
        widgets::installHeatmapAccessibility();
    }
    void init() { light(); }

    void everyPageSaysHowOldTheDataAre_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<bool>("dark");
        for (const char *page : kPages) {
            for (const bool dark : {false, true})
                QTest::addRow("%s-%s", page, dark ? "dark" : "light") << QString::fromLatin1(page) << dark;
        }
    }

    void everyPageSaysHowOldTheDataAre()
    {
        QFETCH(QString, page);
        QFETCH(bool, dark);
        if (dark)
            darken();
        TestWindow test(m_theme, Fleet::Synced, {kFourDays});
        test.open(linkTo(test, page), kSize);
        auto *bar = test.window().findChild<ui::StaleBar *>();
        QVERIFY(bar);
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kPatience);
        QVERIFY2(bar->text().contains(QStringLiteral("4 d")), qPrintable(bar->text()));
        QVERIFY(bar->text().contains(QStringLiteral("nothing can be stopped")));
        QCOMPARE(bar->accessibleName(), bar->text());
        QTest::qWait(50); // until the layout has followed
        QVERIFY(fits(*bar));
        // Colour alone is not enough.
        QVERIFY(bar->findChild<QToolButton *>()->accessibleName() == QLatin1String("Warning"));
        draw(test.window(), QStringLiteral("stale-") + QLatin1String(QTest::currentDataTag()));
    }

    // Stopping is not offered for it anywhere: not below the list, not in its menu, not by the keyboard.
    void nothingCanBeStoppedFromIt()
    {
        for (const bool isStale : {false, true}) {
            TestWindow test(m_theme, Fleet::Synced, {isStale ? kFourDays : base::Seconds{0}});
            test.open(QStringLiteral("gpuledger://idle"), kSize);
            auto *page = test.window().currentPage();
            auto *table = page->findChild<widgets::DataTable *>();
            table->model().setChecked({table->currentRowId()}, true);
            QPushButton *stop = nullptr;
            for (auto *button : page->findChildren<QPushButton *>())
                stop = button->text().contains(QStringLiteral("Stop 1 selected")) ? button : stop;
            QVERIFY(stop && stop->isVisible());
            QCOMPARE(stop->isEnabled(), !isStale);
            QMenu menu;
            Q_EMIT table->menuOpening(&menu, table->currentRowId());
            int offered = 0;
            for (const QAction *action : menu.actions()) {
                if (!action->text().startsWith(QStringLiteral("Stop")))
                    continue;
                ++offered;
                QCOMPARE(action->isEnabled(), !isStale);
            }
            QVERIFY(offered > 0);
            stop->setFocus();
            QTest::keyClick(stop, Qt::Key_Space);
            const auto dialogs = test.window().findChildren<QDialog *>();
            const bool asked = std::any_of(dialogs.begin(), dialogs.end(), [](QDialog *d) { return d->isVisible(); });
            QCOMPARE(asked, !isStale);
            for (QDialog *dialog : dialogs)
                dialog->reject();
        }
    }

    void aDamagedCacheIsSaidUntilItIsConfirmed_data()
    {
        QTest::addColumn<Damage>("damage");
        QTest::addColumn<QString>("says");
        QTest::newRow("corrected") << Damage::OneBit << QStringLiteral("nothing is missing");
        QTest::newRow("carried") << Damage::OnePage << QStringLiteral("has to be fetched again");
        QTest::newRow("lost") << Damage::Unreadable << QStringLiteral("can't be read");
    }

    void aDamagedCacheIsSaidUntilItIsConfirmed()
    {
        QFETCH(Damage, damage);
        QFETCH(QString, says);
        TestWindow test(m_theme, Fleet::Synced, {base::Seconds{0}, damage});
        test.open(QStringLiteral("gpuledger://overview"), kSize);
        auto *bar = test.window().findChild<ui::DamageBar *>();
        QVERIFY(bar && bar->isVisible());
        QVERIFY2(bar->accessibleName().contains(says), qPrintable(bar->accessibleName()));
        QVERIFY(bar->accessibleName().contains(QStringLiteral("ledger.db.damaged-")));
        QVERIFY(!bar->findChild<QToolButton *>()->accessibleName().isEmpty()); // a word next to the colour
        QVERIFY(fits(*bar));
        draw(test.window(), QStringLiteral("damage-%1-light").arg(QLatin1String(QTest::currentDataTag())));
        darken();
        QTRY_COMPARE(m_theme.mode(), widgets::Theme::Mode::Dark);
        QTest::qWait(50);
        draw(test.window(), QStringLiteral("damage-%1-dark").arg(QLatin1String(QTest::currentDataTag())));
        light();
        // It stays on another page, after new data and after Esc, which closes notices.
        test.open(QStringLiteral("gpuledger://sources"), kSize);
        QTest::keyClick(&test.window(), Qt::Key_Escape);
        test.syncs().reloadSources();
        QTest::qWait(100);
        QVERIFY(bar->isVisible());
        QCOMPARE(test.workspace().damage().size(), std::size_t{1});
        // By keyboard alone: the text can be focused and selected, the button pressed.
        auto *confirm = buttonIn(*bar);
        QVERIFY(confirm && confirm->isEnabled() && !confirm->isDefault());
        auto *text = bar->findChild<QLabel *>();
        QVERIFY(text->focusPolicy() & Qt::TabFocus);
        text->setFocus(Qt::TabFocusReason);
        QTest::keyClick(test.window().focusWidget(), Qt::Key_Tab);
        QCOMPARE(test.window().focusWidget(), confirm);
        QTest::keyClick(confirm, Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(!bar->isVisible(), kPatience);
        QVERIFY(test.workspace().damage().empty());
        QVERIFY(test.window().focusWidget() && test.window().focusWidget()->isVisible()); // still a visible focus
        // The log was written at a time that differs from that of the fixture's clock.
        test.open(QStringLiteral("gpuledger://activity"), kSize);
        draw(test.window(), QStringLiteral("activity-%1").arg(QLatin1String(QTest::currentDataTag())));
        const auto log = test.workspace().auditLog().value();
        QVERIFY(std::any_of(log.begin(), log.end(),
                            [](const auto &entry) { return entry.event.action == store::kConfirmDamage; }));
    }

    // Every window asks; the answer given in one reaches the other.
    void allWindowsLearnOfTheAnswer()
    {
        TestWindow test(m_theme, Fleet::Synced, {base::Seconds{0}, Damage::OneBit});
        test.open(QStringLiteral("gpuledger://sources"), kSize);
        ui::DamageBar other(test.context());
        QVERIFY(!other.isHidden());
        buttonIn(*test.window().findChild<ui::DamageBar *>())->click();
        QTRY_VERIFY_WITH_TIMEOUT(other.isHidden(), kPatience);
    }

    void bothFitInGerman()
    {
        {
            const ui::Language german(QLocale(QLocale::German, QLocale::Germany));
            TestWindow test(m_theme, Fleet::Synced, {kFourDays, Damage::OnePage});
            for (const QSize size : {kSize, QSize(1024, 640)}) {
                test.open(QStringLiteral("gpuledger://idle"), size);
                auto *stale = test.window().findChild<ui::StaleBar *>();
                auto *damage = test.window().findChild<ui::DamageBar *>();
                QTRY_VERIFY_WITH_TIMEOUT(damage->isVisible(), kPatience);
                QTest::qWait(50);
                QVERIFY(fits(*damage));
                Q_UNUSED(stale)
                draw(test.window(), QStringLiteral("german-%1").arg(size.width()));
            }
        }
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

private:
    static QString linkTo(TestWindow &test, const QString &page)
    {
        QString link = QStringLiteral("gpuledger://") + page;
        if (page == QLatin1String("device"))
            link += QStringLiteral("?at.uuid=") + test.idleDevice();
        if (page == QLatin1String("heatmap"))
            link += QStringLiteral("?span=week&at.bins=day&at.metric=utilization");
        return link;
    }
    void light()
    {
        m_theme.setMode(widgets::Theme::Mode::Light);
        m_theme.apply();
    }
    void darken()
    {
        m_theme.setMode(widgets::Theme::Mode::Dark);
        m_theme.apply();
    }

    widgets::Theme m_theme;
};

GPULEDGER_WINDOW_SUITE(WarningsTest)

} // namespace tst_warnings

#include "tst_warnings.moc"
