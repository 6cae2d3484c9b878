// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idle.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/navigation.h"
#include "ui/viewmodels/sources/syncnotice.h"
#include "ui/window/bars/noticebar.h"
#include "ui/window/commandpalette.h"
#include "ui/window/platform/singleinstance.h"
#include "ui/window/topbar/filterpopup.h"
#include "ui/window/windows.h"
#include "widgets/inputs/chip.h"
#include "widgets/inputs/picklist.h"
#include "widgets/table/datatable.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QLineEdit>
#include <QLocalSocket>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QToolButton>
#include <QTreeView>

namespace tst_frame {

using namespace gpuledger;
using insight::Dimension;
using ui::MainWindow;
using ui::SingleInstance;
using ui::WindowLayout;
using ui::WindowState;

namespace {

constexpr int kPatience = 60000;

model::Settings smallFleet()
{
    model::Settings settings;
    model::SourceSettings source;
    source.name = "demo";
    source.kind = "demo";
    source.options = {{"gpus", "56"}, {"days", "3"}};
    source.firstSync = 3 * base::kDay;
    settings.sources.push_back(std::move(source));
    return settings;
}

QByteArray contentOf(const QString &file)
{
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
}

void put(const QString &file, const QByteArray &content)
{
    QFile f(file);
    QVERIFY(f.open(QIODevice::WriteOnly));
    f.write(content);
}

const QString kLink = QStringLiteral("gpuledger://heatmap?span=week&cluster=prod&not.region=");

} // namespace

// The frame around the pages: windows, palette, notices, remembered layout, one process per data folder.
class FrameTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        auto workspace = services::Workspace::open(smallFleet(), {m_folder.path().toStdString(), "UTC", false},
                                                   *m_catalog, *m_secrets, m_clock);
        QVERIFY(workspace.has_value());
        m_workspace = std::move(*workspace);
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        m_owned = std::make_unique<ui::WindowContext>(ui::WindowContext{*m_workspace, *m_tasks, *m_sync, m_theme});
    }

    void cleanupTestCase()
    {
        m_tasks.reset(); // waits for its work
        m_sync.reset();
    }

    void layoutsComeBackFromTheirFile()
    {
        WindowLayout layout;
        layout.theme = QStringLiteral("dark");
        layout.heatScale = QStringLiteral("viridis");
        layout.railExpanded = true;
        layout.tables = {{QStringLiteral("idle"), QJsonObject{{QStringLiteral("list"), 1}}}};
        layout.windows = {{QRect(-20, 30, 1280, 800), true, kLink}, {QRect(), false, {}}};
        const QString file = m_folder.filePath(QStringLiteral("state/window.json"));
        ui::LayoutFile one(file.toStdString());
        QVERIFY(one.write(layout).has_value());
        ui::LayoutFile other(file.toStdString());
        QVERIFY(other.read() == layout);
        QCOMPARE(QFile::permissions(file) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        QCOMPARE(QDir(m_folder.filePath(QStringLiteral("state"))).entryList(QDir::Files).size(),
                 1); // nothing next to it
    }

    void damagedLayoutsArePassedOver_data()
    {
        QTest::addColumn<QByteArray>("content");
        WindowLayout layout;
        layout.windows = {{QRect(0, 0, 1280, 800), false, kLink}};
        const QByteArray good = layout.toJson();
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("cut") << good.left(good.size() / 2);
        QTest::newRow("list") << QByteArray("[1, 2]");
        QTest::newRow("binary") << QByteArray("\0\xff\xfe{}", 5);
        QTest::newRow("no version") << QByteArray("{}");
    }

    void damagedLayoutsArePassedOver()
    {
        QFETCH(QByteArray, content);
        const QString name = m_folder.filePath(QStringLiteral("damaged.json"));
        put(name, content);
        ui::LayoutFile file(name.toStdString());
        QVERIFY(file.read() == WindowLayout());
        WindowLayout dark;
        dark.theme = QStringLiteral("dark");
        QVERIFY(file.write(dark).has_value()); // and replaced
        QVERIFY(ui::LayoutFile(name.toStdString()).read() == dark);
    }

    void strangeValuesInALayoutAreLeftOut()
    {
        const auto layout = WindowLayout::fromJson(
            R"({"version": 1, "theme": "pink", "windows": [{"width": -5, "height": 1e9, "place": 7}, 3, "x"]})");
        QVERIFY(layout);
        QCOMPARE(layout->theme, QStringLiteral("system"));
        QCOMPARE(layout->windows.size(), std::size_t{1});
        QVERIFY(layout->windows[0] == WindowState());
    }

    void aNewerLayoutIsLeftAlone()
    {
        const QString name = m_folder.filePath(QStringLiteral("newer.json"));
        const QByteArray newer = R"({"version": 2, "theme": "dark"})";
        put(name, newer);
        ui::LayoutFile file(name.toStdString());
        QVERIFY(file.read() == WindowLayout());
        WindowLayout light;
        light.theme = QStringLiteral("light");
        QVERIFY(file.write(light).has_value());
        QCOMPARE(contentOf(name), newer);
    }

    void aSecondStartHandsOverItsLink()
    {
        const std::filesystem::path folder = m_folder.filePath(QStringLiteral("run")).toStdString();
        const QString id = SingleInstance::idFor("/data");
        SingleInstance first(folder, id);
        QCOMPARE(first.start({}), SingleInstance::Role::First);
        QSignalSpy asked(&first, &SingleInstance::asked);
        for (const QString &link : {kLink, QString()}) {
            // The first instance answers from its event loop, so the second one is started in a thread here.
            auto role = SingleInstance::Role::Alone;
            std::unique_ptr<QThread> second(QThread::create([&] { role = SingleInstance(folder, id).start(link); }));
            second->start();
            QTRY_VERIFY_WITH_TIMEOUT(second->isFinished(), kPatience);
            QCOMPARE(role, SingleInstance::Role::HandedOver);
            QTRY_COMPARE_WITH_TIMEOUT(asked.size(), 1, kPatience);
            QCOMPARE(asked.takeFirst().first().toString(), link);
        }
        SingleInstance other(folder, SingleInstance::idFor("/other"));
        QCOMPARE(other.start(kLink), SingleInstance::Role::First); // another data folder
        QVERIFY(asked.isEmpty());
    }

    void strangersOnTheSocketAreSentAway()
    {
        const std::filesystem::path folder = m_folder.filePath(QStringLiteral("run2")).toStdString();
        SingleInstance first(folder, QStringLiteral("x"));
        QCOMPARE(first.start({}), SingleInstance::Role::First);
        QSignalSpy asked(&first, &SingleInstance::asked);
        for (const QByteArray &said : {QByteArray("GET / HTTP/1.1\n"), QByteArray(200'000, 'a')}) {
            QLocalSocket socket;
            socket.connectToServer(QString::fromStdString((folder / "x.sock").string()));
            QVERIFY(socket.waitForConnected(kPatience));
            socket.write(said);
            socket.flush();
            QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QLocalSocket::UnconnectedState, kPatience);
        }
        QVERIFY(asked.isEmpty());
    }

    void aDeadSocketIsCleanedAndAnOpenFolderRefused()
    {
        const QString path = m_folder.filePath(QStringLiteral("run3"));
        const std::filesystem::path folder = path.toStdString();
        {
            SingleInstance made(folder, QStringLiteral("x"));
            QCOMPARE(made.start({}), SingleInstance::Role::First);
            // As a killed process leaves it: the name exists, but without a listener.
            std::filesystem::rename(folder / "x.sock", folder / "kept");
        }
        std::filesystem::rename(folder / "kept", folder / "x.sock");
        SingleInstance next(folder, QStringLiteral("x"));
        QCOMPARE(next.start({}), SingleInstance::Role::First);
        QVERIFY(QFile::setPermissions(path, QFile::permissions(path) | QFile::ReadOther | QFile::ExeOther));
        QCOMPARE(SingleInstance(folder, QStringLiteral("y")).start({}), SingleInstance::Role::Alone);
    }

    void dataFoldersAreToldApartHoweverWritten()
    {
        QCOMPARE(SingleInstance::idFor("/a/b/"), SingleInstance::idFor("/a/./c/../b"));
        QVERIFY(SingleInstance::idFor("/a/b") != SingleInstance::idFor("/a/c"));
    }

    void paletteGoesThereByKeysAlone()
    {
        MainWindow window(*m_owned, ui::pages());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.currentPage()->setFocus();
        const QWidget *before = window.focusWidget();
        auto *palette = window.findChild<ui::CommandPalette *>();
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(palette->isVisible());
        QLineEdit *field = palette->list()->field();
        QVERIFY(field->hasFocus());
        QCOMPARE(field->accessibleName(), QStringLiteral("Search or command"));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!palette->isVisible());
        QCOMPARE(window.focusWidget(), before);

        window.openPalette();
        const auto values = m_workspace->fleet().values(Dimension::Device).value();
        const QString device = QString::fromStdString(values.back().value);
        QTest::keyClicks(field, device);
        QTRY_COMPARE_WITH_TIMEOUT(palette->list()->currentKey(), QStringLiteral("device=") + device, kPatience);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QVERIFY(window.saveState().place.startsWith(QStringLiteral("gpuledger://device?"))); // its own page
        QVERIFY(window.saveState().place.contains(QStringLiteral("at.uuid=")));

        window.openPalette();
        const QString workload =
            QString::fromStdString(m_workspace->fleet().values(Dimension::Workload).value().back().value);
        QTest::keyClicks(field, workload);
        QTRY_COMPARE_WITH_TIMEOUT(palette->list()->currentKey(), QStringLiteral("workload=") + workload, kPatience);
        QTest::keyClick(field, Qt::Key_Return);
        const auto chips = window.findChildren<widgets::Chip *>();
        QCOMPARE(chips.size(), 1);
        QVERIFY(window.saveState().place.contains(QStringLiteral("workload=")));
        chips.first()->setFocus();
        QTest::keyClick(chips.first(), Qt::Key_Delete);
        QVERIFY(!window.saveState().place.contains(QStringLiteral("workload=")));
    }

    void aFilterIsAddedByKeysAlone()
    {
        ui::DimensionValues values(m_workspace->fleet(), *m_tasks);
        ui::FilterPopup popup(m_theme, values, nullptr);
        popup.setAttribute(Qt::WA_DeleteOnClose, false);
        QWidget button;
        button.show();
        popup.openBelow(button);
        QSignalSpy chosen(&popup, &ui::FilterPopup::chosen);
        const auto field = [&]() -> QLineEdit * {
            for (QLineEdit *edit : popup.findChildren<QLineEdit *>()) {
                if (edit->isVisible())
                    return edit;
            }
            return nullptr;
        };
        QTest::keyClicks(field(), QStringLiteral("clus"));
        QTest::keyClick(field(), Qt::Key_Return);
        QCOMPARE(field()->accessibleName(), QStringLiteral("Values of Cluster"));
        QTRY_VERIFY_WITH_TIMEOUT(values.values(Dimension::Cluster), kPatience);
        QTest::keyClick(field(), Qt::Key_Escape); // one step back
        QCOMPARE(field()->accessibleName(), QStringLiteral("Filter by"));
        QVERIFY(popup.isVisible());
        QTest::keyClick(field(), Qt::Key_Return); // "clus" is still there
        QTest::keyClick(field(), Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        const auto chip = chosen.front().front().value<ui::FilterChip>();
        QVERIFY(chip == (ui::FilterChip{Dimension::Cluster, values.values(Dimension::Cluster)->front().value, false}));
        QVERIFY(!popup.isVisible());
    }

    void everyControlOfTheTopBarHasANameAndATurn()
    {
        MainWindow window(*m_owned, ui::pages());
        QVERIFY(window.open(*ui::Place::fromUrl(QUrl(kLink))));
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QStringList names;
        auto *back = window.findChild<QWidget *>(QStringLiteral("topBar"));
        QVERIFY(back);
        for (QWidget *child : back->findChildren<QWidget *>()) {
            if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus))
                QVERIFY2(!child->accessibleName().isEmpty(), child->metaObject()->className());
        }
        int lastX = -1;
        QWidget *widget = back;
        for (int i = 0; i < 200; ++i) {
            widget = widget->nextInFocusChain();
            if (widget == back)
                break;
            if (!back->isAncestorOf(widget) || !widget->isVisible() || !widget->isEnabled()
                || !(widget->focusPolicy() & Qt::TabFocus))
                continue;
            const int x = widget->mapTo(back, QPoint()).x();
            QVERIFY2(x > lastX, qPrintable(widget->accessibleName() + QStringLiteral(" comes too late")));
            lastX = x;
            names << widget->accessibleName();
        }
        QVERIFY2(names.contains(QStringLiteral("Remove filter cluster: prod")),
                 qPrintable(names.join(QLatin1Char('|'))));
        QVERIFY(names.contains(QStringLiteral("Remove filter not region: none")));
        QVERIFY(names.contains(QStringLiteral("Add a filter")));
    }

    void pagesOpenByTheirDigit()
    {
        MainWindow window(*m_owned, ui::pages());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto pages = ui::pages();
        for (std::size_t i = pages.size(); i-- > 0;) {
            if (!pages[i].isOnRail)
                continue;
            QTest::keyClick(&window, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i)), Qt::ControlModifier);
            const QString place = window.saveState().place;
            QVERIFY2(place.startsWith(QStringLiteral("gpuledger://") + pages[i].id),
                     qPrintable(pages[i].id + QLatin1Char(32) + place));
        }
    }

    void windowsComeBackAsTheyWereLeft()
    {
        const std::filesystem::path file = m_folder.filePath(QStringLiteral("windows.json")).toStdString();
        {
            ui::Windows windows(*m_owned, m_theme, ui::pages(), file);
            windows.restore(kLink);
            QCOMPARE(windows.all().size(), std::size_t{1});
            QVERIFY(QTest::qWaitForWindowActive(windows.all().front()));
            QTest::keyClick(windows.all().front(), Qt::Key_B, Qt::ControlModifier);
            MainWindow &second = windows.openNew();
            second.showPage(QStringLiteral("heatmap"));
            Q_EMIT second.themeWanted(widgets::Theme::Mode::Dark);
            QVERIFY(m_theme.isDark());
            windows.save();
            second.close();
            QCOMPARE(windows.all().size(), std::size_t{1});
            windows.all().front()->close(); // the last one is remembered
        }
        const WindowLayout left = ui::LayoutFile(file).read();
        QCOMPARE(left.windows.size(), std::size_t{1});
        QVERIFY(left.railExpanded);
        QCOMPARE(left.theme, QStringLiteral("dark"));
        QVERIFY(left.windows.front().place.contains(QStringLiteral("cluster=prod")));
        ui::Windows windows(*m_owned, m_theme, ui::pages(), file);
        windows.restore({});
        QCOMPARE(windows.all().front()->saveState().place, left.windows.front().place);
        m_theme.setMode(widgets::Theme::Mode::Light);
    }

    void tablesComeBackAsTheyWereArranged()
    {
        const std::filesystem::path file = m_folder.filePath(QStringLiteral("tables.json")).toStdString();
        const auto teams = [](const MainWindow &window) {
            for (auto *table : window.findChildren<widgets::DataTable *>()) {
                if (table->view()->accessibleName() == QLatin1String("Teams"))
                    return table;
            }
            return static_cast<widgets::DataTable *>(nullptr);
        };
        const auto isShown = [](widgets::DataTable *table, const char *column) {
            for (int i = 0; i < table->model().columnCount(); ++i) {
                if (table->model().headerData(i, Qt::Horizontal, widgets::kColumnKeyRole) == QLatin1String(column))
                    return !table->view()->header()->isSectionHidden(i);
            }
            return false;
        };
        {
            ui::Windows windows(*m_owned, m_theme, ui::pages(), file);
            windows.restore({});
            auto *table = teams(*windows.all().front());
            QVERIFY(table && isShown(table, "change") && !isShown(table, "idle-cost"));
            QJsonObject state = table->saveState();
            QJsonArray columns = state[QStringLiteral("columns")].toArray();
            for (int i = 0; i < columns.size(); ++i) {
                QJsonObject one = columns[i].toObject();
                const QString key = one[QStringLiteral("key")].toString();
                one[QStringLiteral("shown")] = key != QLatin1String("change");
                columns[i] = one;
            }
            state[QStringLiteral("columns")] = columns;
            table->restoreState(state);
            Q_EMIT table->stateChanged(); // as the column menu does
            QVERIFY(isShown(teams(windows.openNew()), "idle-cost")); // a new window starts with it
            windows.all().front()->close();
            windows.all().front()->close();
        }
        ui::Windows windows(*m_owned, m_theme, ui::pages(), file);
        windows.restore({});
        auto *table = teams(*windows.all().front());
        QVERIFY(!isShown(table, "change") && isShown(table, "idle-cost"));
    }

    void commandsAreFoundByTheirWords()
    {
        MainWindow window(*m_owned, ui::pages());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openPalette();
        auto *list = window.findChild<ui::CommandPalette *>()->list();
        const auto workloads = m_workspace->fleet().values(Dimension::Workload).value();
        list->setPattern(QString::fromStdString(workloads.back().value)); // waits for the names
        QTRY_VERIFY_WITH_TIMEOUT(list->currentKey().startsWith(QStringLiteral("workload=")), kPatience);
        const auto first = [&](const char *typed) {
            list->setPattern(QString::fromLatin1(typed));
            return list->model().rowCount() > 0 ? list->model().entryAt(0).text : QString();
        };
        QCOMPARE(first("idle"), QStringLiteral("Idle"));
        QCOMPARE(first("worst"), QStringLiteral("Most expensive idle workload"));
        QCOMPARE(first("most exp"), QStringLiteral("Most expensive idle workload"));
        QCOMPARE(first("owner"), QStringLiteral("Owner rules"));
        QCOMPARE(first("idle rule"), QStringLiteral("Idle rule…"));
        QCOMPARE(first("present"), QStringLiteral("Present the statements"));
        QCOMPARE(first("export"), QStringLiteral("Export table…"));
        QCOMPARE(first("dark"), QStringLiteral("Theme: dark"));
        first("worst");
        QTest::keyClick(list->field(), Qt::Key_Return);
        QVERIFY(window.saveState().place.startsWith(QStringLiteral("gpuledger://idle")));
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        const auto tables = window.currentPage()->findChildren<widgets::DataTable *>();
        const auto idle = std::find_if(tables.begin(), tables.end(), [](const auto *table) {
            return table->name() == QLatin1String("Idle workloads");
        });
        QVERIFY(idle != tables.end());
        const auto items = m_workspace->fleet().idle(m_clock.now(), {}).value().items;
        QVERIFY(!items.empty());
        QTRY_COMPARE_WITH_TIMEOUT((*idle)->currentRowId(), QString::fromStdString(items.front().id), kPatience);
    }

    void aTeamIsOpenedInTheHeatMapFromThePalette()
    {
        MainWindow window(*m_owned, ui::pages());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openPalette();
        auto *palette = window.findChild<ui::CommandPalette *>();
        QLineEdit *field = palette->list()->field();
        const auto team = m_workspace->fleet().values(Dimension::Team).value().front().value;
        const QString name = QString::fromStdString(team);
        QTest::keyClicks(field, name + QStringLiteral(" in the heat"));
        QTRY_COMPARE_WITH_TIMEOUT(palette->list()->currentKey(), QStringLiteral("open:") + name, kPatience);
        QTest::keyClick(field, Qt::Key_Return);
        const auto place = ui::Place::fromUrl(QUrl(window.saveState().place));
        QVERIFY(place);
        QCOMPARE(place->page, QStringLiteral("heatmap"));
        QCOMPARE(place->inner.queryItemValue(QStringLiteral("team"), QUrl::FullyDecoded), name);
        QVERIFY(place->scope.filter.empty()); // a place, not a filter
    }

    void aLinkThatCannotBeReadIsTold()
    {
        const std::filesystem::path file = m_folder.filePath(QStringLiteral("links.json")).toStdString();
        ui::Windows windows(*m_owned, m_theme, ui::pages(), file);
        windows.restore({});
        for (const char *link : {"gpuledger://nowhere", "https://example.org", "gpuledger://heatmap?colour=red"}) {
            windows.openLink(QString::fromLatin1(link));
            QCOMPARE(windows.all().back()->notices().texts().size(), 1);
        }
        windows.openLink(kLink);
        QVERIFY(windows.all().back()->notices().texts().isEmpty());
    }

    void noticesStayUntilDismissed()
    {
        ui::NoticeBar bar(m_theme);
        int ran = 0;
        const ui::Notice failed{QStringLiteral("sync"), ui::Notice::Kind::Warning, QStringLiteral("one failed"),
                                QStringLiteral("Details"), [&] { ++ran; }};
        bar.show(failed);
        bar.show(failed);
        bar.show({QStringLiteral("link"), ui::Notice::Kind::Info, QStringLiteral("<b>copied</b>"), {}, {}});
        QCOMPARE(bar.texts(), (QStringList{QStringLiteral("one failed"), QStringLiteral("<b>copied</b>")}));
        for (QToolButton *button : bar.findChildren<QToolButton *>())
            QVERIFY(!button->accessibleName().isEmpty());
        QVERIFY(bar.dismissNewest());
        bar.findChild<QPushButton *>()->click();
        QCOMPARE(ran, 1);
        QVERIFY(bar.texts().isEmpty() && !bar.dismissNewest());
        bar.show(failed); // the same text again, after it was dismissed
        QVERIFY(bar.texts().isEmpty());
        bar.withdraw(failed.key); // it succeeded in between
        bar.show(failed);
        QCOMPARE(bar.texts().size(), 1);
    }

    void aFailedSyncIsToldInOneSentence()
    {
        std::vector<services::SyncReport> reports(4);
        QVERIFY(!ui::failureOf(reports));
        reports[1].error = base::fail(base::ErrorCode::Timeout, "no answer").value();
        const auto failure = ui::failureOf(reports);
        QVERIFY(failure && failure->text.endsWith(QStringLiteral("; one failed.")));
        QVERIFY(failure->details.contains(QStringLiteral("no answer")));
        QVERIFY(ui::failureOf({reports[1]})->text.startsWith(QStringLiteral("The last sync failed")));
    }

    void aLinkToTheViewIsCopied()
    {
        MainWindow window(*m_owned, ui::pages());
        window.open(*ui::Place::fromUrl(QUrl(kLink)));
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const auto place = ui::Place::fromUrl(QUrl(QGuiApplication::clipboard()->text()));
        QVERIFY(place && place->scope == ui::Place::fromUrl(QUrl(kLink))->scope);
        QCOMPARE(window.notices().texts().size(), 1);
        QTest::keyClick(&window, Qt::Key_Escape);
        QVERIFY(window.notices().texts().isEmpty());
    }

private:
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::parseTime("2026-11-21T12:00:00Z").value()};
    QTemporaryDir m_folder;
    widgets::Theme m_theme;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks = std::make_unique<ui::TaskRunner>();
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::WindowContext> m_owned;
};

GPULEDGER_WINDOW_SUITE(FrameTest)

} // namespace tst_frame

#include "tst_frame.moc"
