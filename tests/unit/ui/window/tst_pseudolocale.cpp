// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/support/window/datawords.h"
#include "tests/support/window/pseudotranslator.h"
#include "tests/support/window/textfit.h"
#include "ui/dialogs/sources/sourcedialog.h"
#include "ui/dialogs/timerangedialog.h"
#include "ui/format/local/language.h"
#include "ui/navigation.h"
#include "ui/window/mainwindow.h"
#include "ui/window/topbar/filterpopup.h"
#include "widgets/charts/chart.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/inputs/picklist.h"
#include "widgets/table/tableheader.h"
#include "widgets/table/tableview.h"

#include <QContextMenuEvent>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace tst_pseudolocale {

using namespace gpuledger;
using insight::Dimension;
using ui::MainWindow;

namespace {

constexpr int kPatience = 120000;
const QSize kSize{1280, 800};

model::Settings smallFleet()
{
    model::Settings settings;
    model::SourceSettings source;
    source.name = "demo";
    source.kind = "demo";
    source.options = {{"gpus", "56"}, {"days", "9"}};
    source.firstSync = 9 * base::kDay;
    settings.sources.push_back(std::move(source));
    return settings;
}

} // namespace

// Every page, dialog and menu in a language two fifths longer than English: no text is truncated and none stays
// English; and the same from right to left.
class PseudoLocaleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QCoreApplication::installTranslator(&m_translator));
        m_theme.apply();
        fill(m_full, smallFleet(), QStringLiteral("full"));
        fill(m_bare, {}, QStringLiteral("bare"));
        QVERIFY(m_full.workspace->sources().sync(std::nullopt, {}, {}).has_value());
        m_full.sync->reloadSources();
        m_data = tests::dataWords(*m_full.workspace);
    }

    void cleanupTestCase()
    {
        m_tasks.reset(); // waits for its work
        m_full = {};
        m_bare = {};
    }

    void pagesSpeakOneLanguage_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<bool>("full");
        QTest::addColumn<bool>("mirrored");
        for (const ui::PageEntry &page : ui::pages()) {
            QTest::addRow("%s", qPrintable(page.id)) << page.id << true << false;
            QTest::addRow("%s, mirrored", qPrintable(page.id)) << page.id << true << true;
            QTest::addRow("%s, first run", qPrintable(page.id)) << page.id << false << false;
        }
    }

    void pagesSpeakOneLanguage()
    {
        QFETCH(QString, page);
        QFETCH(bool, full);
        QFETCH(bool, mirrored);
        QGuiApplication::setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        MainWindow window(*(full ? m_full : m_bare).context, ui::pages());
        QVERIFY(window.showPage(page));
        window.resize(kSize);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        verify(window,
               QStringLiteral("%1%2%3").arg(page, full ? QString() : QStringLiteral("-first"),
                                            mirrored ? QStringLiteral("-mirrored") : QString()));
        window.setRailExpanded(true);
        verify(window, {});
        verifyMenus(window);
        QGuiApplication::setLayoutDirection(Qt::LeftToRight);
    }

    void menusSpeakOneLanguage_data() { onEveryPage(); }
    void menusSpeakOneLanguage()
    {
        QFETCH(QString, page);
        MainWindow window(*m_full.context, ui::pages());
        QVERIFY(window.showPage(page));
        window.resize(kSize);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        for (auto *header : window.currentPage()->findChildren<widgets::TableHeader *>())
            Q_EMIT header->customContextMenuRequested(QPoint(20, 5));
        for (auto *view : window.currentPage()->findChildren<widgets::TableView *>())
            openMenu(*view->viewport());
        for (auto *chart : window.currentPage()->findChildren<widgets::Chart *>())
            openMenu(*chart);
        const bool hasTable = !window.currentPage()->findChildren<widgets::TableView *>().isEmpty();
        QVERIFY(!hasTable || !window.currentPage()->findChildren<QMenu *>().isEmpty());
        verifyMenus(window);
        for (QMenu *menu : window.findChildren<QMenu *>())
            menu->close();
    }

    void whatIsChosenSpeaksOneLanguage()
    {
        MainWindow window(*m_full.context, ui::pages());
        window.resize(kSize);
        const QUrl link(QStringLiteral("gpuledger://heatmap?span=week&not.region=&not.team=vision&not.cluster="));
        QVERIFY(window.open(*ui::Place::fromUrl(link)));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        widgets::Heatmap *map = nullptr;
        for (widgets::Heatmap *each : window.currentPage()->findChildren<widgets::Heatmap *>())
            map = each->isVisible() ? each : map;
        QVERIFY(map);
        verify(window, QStringLiteral("filters"));
        const QString first = map->data().rows.at(0).key;
        QTest::keyClick(map, Qt::Key_Return); // into the team
        QTRY_VERIFY_WITH_TIMEOUT(map->data().rows.at(0).key != first, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        verify(window, QStringLiteral("heatmap-inside"));
    }

    void selectionsSpeakOneLanguage()
    {
        MainWindow window(*m_full.context, ui::pages());
        window.resize(kSize);
        window.show();
        QVERIFY(window.showPage(QStringLiteral("idle")));
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        auto *table = window.currentPage()->findChild<widgets::TableView *>();
        QVERIFY(table);
        QTest::keyClick(table, Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        verify(window, QStringLiteral("idle-ticked"));
        QTest::keyClick(table, Qt::Key_End); // the workloads that can't be judged
        QTest::keyClick(table, Qt::Key_Right);
        QTest::keyClick(table, Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        verify(window, QStringLiteral("idle-unknown"));
    }

    void whoWaitsSpeaksOneLanguage()
    {
        MainWindow window(*m_full.context, ui::pages());
        window.resize(kSize);
        QVERIFY(window.open(*ui::Place::fromUrl(QUrl(QStringLiteral("gpuledger://idle?at.view=waiting")))));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        verify(window, QStringLiteral("idle-waiting"));
    }

    void theTestOfASourceSpeaksOneLanguage()
    {
        MainWindow window(*m_full.context, ui::pages());
        window.resize(kSize);
        window.show();
        QVERIFY(window.showPage(QStringLiteral("sources")));
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        const auto saying = [&](const char *text) { return m_translator.translate("", text, "", -1); };
        QPushButton *test = nullptr;
        for (auto *button : window.currentPage()->findChildren<QPushButton *>())
            test = button->text() == saying("Test") ? button : test;
        QVERIFY(test);
        QTest::mouseClick(test, Qt::LeftButton);
        const auto isTold = [&] {
            const auto labels = window.currentPage()->findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(),
                               [&](const QLabel *label) { return label->text() == saying("Usable"); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isTold(), kPatience);
        verify(window, QStringLiteral("source-test"));
    }

    void dialogsSpeakOneLanguage()
    {
        ui::TimeRangeDialog range(m_theme, m_full.workspace->timeZone(),
                                  m_full.workspace->fleet().coveredRange().value(), nullptr);
        range.show();
        QTRY_VERIFY(range.isVisible());
        verify(range, QStringLiteral("range"));

        const auto file = std::filesystem::path(m_folder.filePath(QStringLiteral("config.yaml")).toStdString());
        ui::SourceDialog source(m_theme, m_full.workspace->config(), m_full.workspace->sources(), *m_tasks,
                                *m_full.sync, file);
        source.show();
        QTRY_VERIFY(source.isVisible());
        verify(source, QStringLiteral("source"));
    }

    void paletteAndFilterSpeakOneLanguage()
    {
        MainWindow window(*m_full.context, ui::pages());
        window.resize(kSize);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        window.openPalette();
        QTest::qWait(50);
        verify(window, QStringLiteral("palette"));

        ui::DimensionValues values(m_full.workspace->fleet(), *m_tasks);
        ui::FilterPopup popup(m_theme, values, nullptr);
        popup.setAttribute(Qt::WA_DeleteOnClose, false);
        popup.openBelow(window);
        verify(popup, QStringLiteral("filter"));
        for (QLineEdit *edit : popup.findChildren<QLineEdit *>()) {
            if (edit->isVisible())
                QTest::keyClick(edit, Qt::Key_Return);
        }
        QTRY_VERIFY_WITH_TIMEOUT(values.values(Dimension::Team), kPatience);
        verify(popup, QStringLiteral("filter-values"));
    }

    void germanHasRoom_data() { onEveryPage(); }
    void germanHasRoom()
    {
        QFETCH(QString, page);
        QCoreApplication::removeTranslator(&m_translator);
        const auto back = qScopeGuard([this] {
            QLocale::setDefault(QLocale::c());
            QCoreApplication::installTranslator(&m_translator);
        });
        const ui::Language german(QLocale(QLocale::German, QLocale::Germany));
        MainWindow window(*m_full.context, ui::pages());
        QVERIFY(window.showPage(page));
        window.resize(kSize);
        window.setRailExpanded(true);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        QCoreApplication::processEvents();
        const QStringList faults = tests::cutTextsAtRest(window);
        QVERIFY2(faults.isEmpty(), qPrintable(QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
        QVERIFY(!window.findChildren<QLabel *>().isEmpty());
    }

    // Proves that the check can fail.
    void theChecksFindWhatIsPlanted()
    {
        QWidget box;
        auto *label = new QPushButton(QStringLiteral("Plain English"), &box); // no-tr: planted
        label->setGeometry(0, 0, 300, 30);
        box.resize(400, 60);
        box.show();
        int seen = 0;
        QCOMPARE(tests::untranslatedTexts(box, m_data, seen).size(), 1);
        QVERIFY(tests::cutTexts(box).isEmpty());
        label->setText(m_translator.translate("c", "Plain English", "", -1));
        QVERIFY(tests::untranslatedTexts(box, m_data, seen).isEmpty());
        label->resize(40, 30);
        QCOMPARE(tests::cutTexts(box).size(), 1);
        QVERIFY(tests::untranslatedWords(QStringLiteral("[ä] b2 research 3"), {QStringLiteral("research")}).isEmpty());
        QCOMPARE(tests::untranslatedWords(QStringLiteral("[a [b] c] left"), {}), QStringList{QStringLiteral("left")});
    }

private:
    struct World {
        std::unique_ptr<services::Workspace> workspace;
        std::unique_ptr<ui::SyncController> sync;
        std::unique_ptr<ui::WindowContext> context;
    };

    void fill(World &world, model::Settings settings, const QString &name)
    {
        QDir(m_folder.path()).mkpath(name);
        auto workspace =
            services::Workspace::open(std::move(settings), {m_folder.filePath(name).toStdString(), "UTC", false},
                                      *m_catalog, *m_secrets, m_clock);
        QVERIFY(workspace.has_value());
        world.workspace = std::move(*workspace);
        world.sync = std::make_unique<ui::SyncController>(world.workspace->config(), world.workspace->sources(),
                                                          world.workspace->fleet(), *m_tasks);
        world.context = std::make_unique<ui::WindowContext>(ui::WindowContext{
            *world.workspace, *m_tasks, *world.sync, m_theme,
            m_folder.filePath(QStringLiteral("config.yaml")).toStdString(), [](const QStringList &) { return true; }});
    }

    void verify(QWidget &root, const QString &picture)
    {
        QCoreApplication::processEvents(); // layouts
        int seen = 0;
        QStringList faults = tests::cutTextsAtRest(root) + tests::untranslatedTexts(root, m_data, seen);
        if (!picture.isEmpty() && qEnvironmentVariableIsSet("GPULEDGER_PICTURES"))
            root.grab().save(qEnvironmentVariable("GPULEDGER_PICTURES") + QLatin1Char('/') + picture
                             + QStringLiteral(".png"));
        QVERIFY2(faults.isEmpty(), qPrintable(QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
        QVERIFY(seen > 0);
    }

    static void onEveryPage()
    {
        QTest::addColumn<QString>("page");
        for (const ui::PageEntry &page : ui::pages())
            QTest::addRow("%s", qPrintable(page.id)) << page.id;
    }

    static void openMenu(QWidget &widget)
    {
        QContextMenuEvent event(QContextMenuEvent::Mouse, widget.rect().center(),
                                widget.mapToGlobal(widget.rect().center()));
        QCoreApplication::sendEvent(&widget, &event);
    }

    void verifyMenus(QWidget &window)
    {
        QStringList faults;
        int seen = 0;
        for (QMenu *menu : window.findChildren<QMenu *>())
            faults << tests::untranslatedTexts(*menu, m_data, seen);
        QVERIFY2(faults.isEmpty(), qPrintable(QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
    }

    QTemporaryDir m_folder;
    tests::PseudoTranslator m_translator;
    base::FrozenClock m_clock{base::parseTime("2026-11-21T12:00:00Z").value()};
    widgets::Theme m_theme;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    std::unique_ptr<ui::TaskRunner> m_tasks = std::make_unique<ui::TaskRunner>();
    World m_full, m_bare;
    QSet<QString> m_data;
};

GPULEDGER_WINDOW_SUITE(PseudoLocaleTest)

} // namespace tst_pseudolocale

#include "tst_pseudolocale.moc"
