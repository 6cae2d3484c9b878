// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/sourceservice.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/suite.h"
#include "ui/navigation.h"
#include "ui/pages/device/devicepage.h"
#include "ui/pages/owners/expressionfield.h"
#include "ui/viewmodels/device/deviceplace.h"
#include "ui/window/commands.h"
#include "ui/window/mainwindow.h"
#include "ui/window/navigationrail.h"
#include "widgets/charts/linechart.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QWindow>

namespace tst_devicepage {

using namespace gpuledger;
using ui::DevicePage;
using widgets::DataTable;
using widgets::LineChart;
using widgets::StatePanel;

namespace {

constexpr int kPatience = 60000;
const QString kNode = QStringLiteral("<b>node</b> & \u202Ex"); // hostile

} // namespace

// The page in a window, over the real engine and a scripted source.
class DevicePageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void init()
    {
        tests::FakePlan plan;
        plan.change = [](ports::FactBatch &batch) { // always idle, on a node with a hostile name
            for (auto &node : batch.nodes)
                node.name = kNode.toStdString();
            for (auto &holder : batch.holders)
                holder.node = kNode.toStdString();
            for (auto &series : batch.series) {
                for (auto &bucket : series.buckets)
                    bucket.activity = model::toShare(0.01);
            }
        };
        plan.series = [](const ports::SeriesQuestion &q, const std::stop_token &) -> base::Result<ports::SeriesAnswer> {
            if (q.expression.starts_with("bad"))
                return base::fail(base::ErrorCode::InvalidArgument, "the server says: <b>parse error</b>",
                                  "correct it");
            ports::SeriesAnswer answer;
            answer.series.push_back({{}, std::vector<double>(q.count(), 41)});
            return answer;
        };
        m_catalog.plans = {plan};
        m_catalog.takesExpressions = true;
        model::Settings settings;
        settings.links.grafana = "https://g.example.org/d/x?gpu={device}&team={team}&from={from}&to={to}";
        model::SourceSettings source;
        source.name = "fake";
        source.kind = "demo";
        source.cluster = "prod";
        source.firstSync = 2 * base::kDay;
        settings.sources.push_back(source);
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace = services::Workspace::open(settings, {m_folder->path().toStdString(), "UTC", false}, m_catalog,
                                                m_secrets, m_clock)
                          .value();
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("device"), {}, {}});
        m_opened.clear();
    }

    void cleanup()
    {
        m_navigator.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void goesThroughItsStates()
    {
        DevicePage page(context());
        auto *panel = page.findChild<StatePanel *>();
        QCOMPARE(panel->state(), StatePanel::State::Loading);
        QVERIFY(!page.settled());
        page.show();
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::FirstRun, kPatience);
        sync();
        page.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::Data, kPatience);
        page.restore(ui::devicePlace(QStringLiteral("GPU-none")));
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::Empty, kPatience);
        QVERIFY(!panel->isContentShown());
        page.restore(ui::devicePlace(QStringLiteral("GPU-1")));
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::Data, kPatience);
    }

    void everyControlHasANameAndTextIsPlain()
    {
        const auto page = shown();
        for (const auto *button : page->findChildren<QAbstractButton *>()) {
            if (button->isVisible() && !button->objectName().startsWith(QLatin1String("qt_")))
                QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(),
                         button->metaObject()->className());
        }
        for (const auto *chart : page->findChildren<LineChart *>())
            QVERIFY(!chart->accessibleName().isEmpty());
        for (const auto *table : page->findChildren<DataTable *>())
            QVERIFY(!table->view()->accessibleName().isEmpty());
        bool named = false;
        for (const auto *label : page->findChildren<QLabel *>()) {
            QCOMPARE(label->textFormat(), Qt::PlainText);
            QVERIFY(!label->text().contains(QChar(0x202E)));
            named = named || label->text().contains(QStringLiteral("<b>node</b>"));
        }
        QVERIFY(named);
    }

    void figuresTellTheirSource()
    {
        const auto page = shown();
        int told = 0;
        for (const auto *label : page->findChildren<QLabel *>())
            told += label->toolTip().contains(QStringLiteral("fake"));
        QVERIFY2(told >= 8, qPrintable(QString::number(told)));
        for (const auto *chart : page->findChildren<LineChart *>())
            QVERIFY(chart->cardNote().contains(QStringLiteral("fake")));
    }

    void chartsCopyAsDataAndPicture()
    {
        const auto page = shown();
        auto *chart = page->findChild<LineChart *>();
        chart->copyData();
        const QString data = QGuiApplication::clipboard()->text();
        QVERIFY(data.contains(QStringLiteral("2026-11-21")) && data.count(QLatin1Char('\n')) > 50);
        chart->copyPicture();
        QVERIFY(!QGuiApplication::clipboard()->image().isNull());
    }

    void opensTheSameTimeInGrafana()
    {
        const auto page = shown();
        button(*page, QStringLiteral("Open in Grafana"))->click();
        QCOMPARE(m_opened.size(), 1);
        QVERIFY2(m_opened.front().toString().startsWith(
                     QStringLiteral("https://g.example.org/d/x?gpu=GPU-0&team=vision&from=")),
                 qPrintable(m_opened.front().toString()));
    }

    void withoutATemplateThereIsNoButton()
    {
        model::Settings settings = m_workspace->settings();
        settings.links.grafana.clear();
        QVERIFY(m_workspace->apply(settings).has_value());
        const auto page = shown();
        QVERIFY(!button(*page, QStringLiteral("Open in Grafana"))->isVisible());
    }

    // Typed, refused, corrected, drawn, removed: by keyboard alone.
    void addsAnExpressionByKeyboard()
    {
        const auto page = shown();
        page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(page.get()));
        auto *add = button(*page, QStringLiteral("Add PromQL…"));
        add->setFocus();
        QTest::keyClick(add, Qt::Key_Space);
        auto *field = page->findChild<ui::ExpressionField *>();
        auto *edit = field->findChild<QLineEdit *>();
        QVERIFY(field->isVisible() && edit->hasFocus());
        QTest::keyClicks(edit, QStringLiteral("bad"));
        QTest::keyClick(edit, Qt::Key_Return);
        const auto said = [&](const QString &text) {
            const auto labels = field->findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) {
                return label->isVisible() && label->text().contains(text) && label->textFormat() == Qt::PlainText;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(said(QStringLiteral("the server says: <b>parse error</b>")), kPatience);
        QVERIFY(edit->accessibleDescription().contains(QStringLiteral("parse error")));
        QVERIFY(edit->hasFocus() && edit->text() == QStringLiteral("bad")); // to be corrected
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("t{UUID=\"$device\"}"));
        QVERIFY(!said(QStringLiteral("parse error")));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!field->isVisible(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(page->findChildren<LineChart *>().size(), 4, kPatience);
        QVERIFY(add->hasFocus());
        QToolButton *remove = nullptr;
        for (auto *one : page->findChildren<QToolButton *>()) {
            if (one->accessibleName().startsWith(QStringLiteral("Remove")))
                remove = one;
        }
        QVERIFY(remove && remove->accessibleName().contains(QStringLiteral("$device")));
        QTest::keyClick(remove, Qt::Key_Space);
        QTRY_COMPARE_WITH_TIMEOUT(page->findChildren<LineChart *>().size(), 3, kPatience);
    }

    void escapeClosesTheField()
    {
        const auto page = shown();
        auto *field = page->findChild<ui::ExpressionField *>();
        QVERIFY(!page->goBack());
        button(*page, QStringLiteral("Add PromQL…"))->click();
        QVERIFY(field->isVisible());
        QVERIFY(page->goBack());
        QVERIFY(!field->isVisible());
    }

    void isReachedFromTheHeatMapAndBack()
    {
        sync();
        ui::MainWindow window(windowContext(), ui::pages());
        window.show();
        ui::Place place{QStringLiteral("heatmap"), {}, {}};
        place.inner.addQueryItem(QStringLiteral("team"), QStringLiteral("vision"));
        place.inner.addQueryItem(QStringLiteral("workload"),
                                 QString::fromLatin1(QUrl::toPercentEncoding(QStringLiteral("ml/Pod/train-0"))));
        place.inner.addQueryItem(QStringLiteral("node"), QString::fromLatin1(QUrl::toPercentEncoding(kNode)));
        QVERIFY(window.open(place));
        auto *heatmap = window.currentPage()->findChildren<widgets::Heatmap *>().last();
        QTRY_VERIFY_WITH_TIMEOUT(
            heatmap->data().rowCount() == 1 && heatmap->data().rows.front().key == QStringLiteral("GPU-0"), kPatience);
        heatmap->setFocus();
        QTest::keyClick(heatmap, Qt::Key_Return);
        auto *page = qobject_cast<DevicePage *>(window.currentPage());
        QVERIFY(page);
        QTRY_VERIFY_WITH_TIMEOUT(page->settled(), kPatience);
        QCOMPARE(page->place(), ui::devicePlace(QStringLiteral("GPU-0")));
        for (const auto *one : window.findChild<ui::NavigationRail *>()->findChildren<QToolButton *>())
            QVERIFY(!one->isChecked()); // the rail has no entry for this page
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(window.windowHandle(), Qt::Key_Left, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!qobject_cast<DevicePage *>(window.currentPage()), kPatience);
    }

    void isReachedFromTheEvidenceOfAnIdleWorkload()
    {
        sync();
        ui::MainWindow window(windowContext(), ui::pages());
        window.show();
        QVERIFY(window.showPage(QStringLiteral("idle")));
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        auto *show = button(*window.currentPage(), QStringLiteral("Show the device"));
        QTRY_VERIFY_WITH_TIMEOUT(show->isVisible(), kPatience);
        show->click();
        QVERIFY(qobject_cast<DevicePage *>(window.currentPage()));
        QCOMPARE(window.currentPage()->place(), ui::devicePlace(QStringLiteral("GPU-0"), QStringLiteral("prod")));
    }

    void isReachedFromThePalette()
    {
        sync();
        ui::DimensionValues values(m_workspace->fleet(), *m_tasks);
        ui::Navigator navigator({QStringLiteral("overview"), {}, {}});
        const ui::PageContext context{windowContext(), navigator};
        ui::Commands commands(context, ui::pages(), values);
        commands.prepare();
        const auto offers = [&](const QString &key) {
            const auto entries = commands.entries();
            return std::any_of(entries.begin(), entries.end(), [&](const auto &e) { return e.key == key; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(offers(QStringLiteral("device=GPU-1")), kPatience);
        QVERIFY(!offers(QStringLiteral("page:device"))); // without a device it is not a destination
        QVERIFY(commands.run(QStringLiteral("device=GPU-1")));
        QCOMPARE(navigator.current().page, QStringLiteral("device"));
        QCOMPARE(navigator.current().inner, ui::devicePlace(QStringLiteral("GPU-1")));
    }

    void aLinkOpensIt()
    {
        sync();
        const auto place =
            ui::Place::fromUrl(QUrl(QStringLiteral("gpuledger://device?span=day&at.uuid=GPU-1&at.cluster=prod")));
        QVERIFY(place);
        ui::MainWindow window(windowContext(), ui::pages());
        window.show();
        QVERIFY(window.open(*place));
        QTRY_VERIFY_WITH_TIMEOUT(window.currentPage()->settled(), kPatience);
        QCOMPARE(window.currentPage()->findChild<StatePanel *>()->state(), StatePanel::State::Data);
        QCOMPARE(ui::Place::fromUrl(place->toUrl()), place);
    }

private:
    ui::WindowContext windowContext()
    {
        return {*m_workspace, *m_tasks, *m_sync, m_theme, {}, {}, [this](const QUrl &url) {
                    m_opened.append(url);
                    return true;
                }};
    }
    ui::PageContext context() { return {windowContext(), *m_navigator}; }
    void sync() { QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value()); }
    std::unique_ptr<DevicePage> shown()
    {
        sync();
        auto page = std::make_unique<DevicePage>(context());
        page->resize(1200, 700);
        page->restore(ui::devicePlace(QStringLiteral("GPU-0")));
        page->show();
        const auto isThere = [&] {
            return page->findChild<StatePanel *>()->state() == StatePanel::State::Data && page->settled();
        };
        if (!QTest::qWaitFor(isThere, kPatience))
            qFatal("the page did not load");
        return page;
    }
    static QPushButton *button(const QWidget &page, const QString &text)
    {
        for (auto *one : page.findChildren<QPushButton *>()) {
            if (one->text() == text)
                return one;
        }
        qFatal("no button %s", qPrintable(text));
    }

    tests::FakeCatalog m_catalog;
    tests::NoSecrets m_secrets;
    base::FrozenClock m_clock{base::parseTime("2026-11-21T12:00:00Z").value()};
    widgets::Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
    QList<QUrl> m_opened;
};

GPULEDGER_WINDOW_SUITE(DevicePageTest)

} // namespace tst_devicepage

#include "tst_devicepage.moc"
