// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/suite.h"
#include "ui/pages/device/deviceadapter.h"
#include "ui/viewmodels/device/deviceplace.h"
#include "ui/viewmodels/device/deviceviewmodel.h"
#include "ui/viewmodels/shell/windowlayout.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>

namespace tst_deviceviewmodel {

using namespace gpuledger;
using ui::DeviceViewModel;
using ui::PageState;

namespace {

constexpr int kPatience = 60000;
const QString kTemperature = QStringLiteral("t{UUID=\"$device\"}");

ports::SeriesAnswer lineOf(const ports::SeriesQuestion &question, double value)
{
    ports::SeriesAnswer answer;
    answer.series.push_back({{{"UUID", "x"}}, std::vector<double>(question.count(), value)});
    return answer;
}

} // namespace

// The page's state without a window, over the engine and a scripted source.
class DeviceViewModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void init()
    {
        m_catalog = std::make_unique<tests::FakeCatalog>();
        m_catalog->takesExpressions = true;
        m_plan = {};
        m_plan.series = [this](const ports::SeriesQuestion &question, const std::stop_token &stop) {
            return answer(question, stop);
        };
        m_settings = {};
        model::SourceSettings source;
        source.name = "fake";
        source.kind = "demo";
        source.cluster = "prod";
        source.firstSync = 2 * base::kDay;
        m_settings.sources.push_back(source);
        m_answer = [](const ports::SeriesQuestion &q) { return lineOf(q, 41); };
        m_asked = 0;
        m_blocked = false;
        m_list = std::make_unique<ui::ExtraSeriesList>();
    }

    void cleanup()
    {
        release();
        m_model.reset();
        m_tasks.reset();
        m_workspace.reset();
        m_list.reset();
    }

    void saysFirstRunThenShowsADevice()
    {
        open(false);
        m_model->refresh();
        QTRY_COMPARE_WITH_TIMEOUT(m_model->state(), PageState::FirstRun, kPatience);
        sync();
        show(QStringLiteral("GPU-0"));
        const auto &d = *m_model->snapshot()->details;
        QCOMPARE(d.device.uuid, std::string("GPU-0"));
        QCOMPARE(d.stays.size(), std::size_t{1});
        QCOMPARE(d.stays[0].team, std::string("vision"));
        QVERIFY(d.sums.time().active.ticks > 0 && d.sums.time().idle.ticks > 0);
        QCOMPARE(m_model->snapshot()->expressionSource, std::string("fake"));
    }

    // The figures are those that every other page shows for the same time.
    void figuresAreThoseOfTheHeatMap()
    {
        open();
        show(QStringLiteral("GPU-0"));
        const auto &d = *m_model->snapshot()->details;
        insight::HeatmapQuery query;
        query.query.range = d.range;
        query.by = insight::Dimension::Device;
        query.bins = insight::Bins::Day;
        query.metric = insight::Metric::Utilization;
        const auto heatmap = m_workspace->fleet().heatmap(query).value();
        const auto row =
            std::find_if(heatmap.rows.begin(), heatmap.rows.end(), [](const auto &r) { return r.key == "GPU-0"; });
        QVERIFY(row != heatmap.rows.end());
        QCOMPARE(row->overall.idleCostNanos, d.sums.cost().idle);
        QCOMPARE(row->overall.paidHours, d.sums.time().paid().hours());
        QCOMPARE(*row->overall.value, *d.sums.utilization());
    }

    void anUnknownDeviceIsEmptyAndNoneIsTheWorst()
    {
        open();
        m_model->restore(ui::devicePlace(QStringLiteral("GPU-<b>none</b>")));
        QTRY_COMPARE_WITH_TIMEOUT(m_model->state(), PageState::Empty, kPatience);
        QVERIFY(!m_model->snapshot()->details);
        m_model->restore({});
        QTRY_COMPARE_WITH_TIMEOUT(m_model->state(), PageState::Data, kPatience);
        QVERIFY(m_model->place().isEmpty()); // a link to the page still means the worst device
        QVERIFY(m_model->snapshot()->details->device.uuid.starts_with("GPU-"));
    }

    void nothingOfAnotherDeviceIsShown()
    {
        open();
        show(QStringLiteral("GPU-0"));
        QSignalSpy changed(m_model.get(), &DeviceViewModel::changed);
        m_model->restore(ui::devicePlace(QStringLiteral("GPU-1")));
        QCOMPARE(m_model->state(), PageState::Loading);
        QVERIFY(!m_model->snapshot());
        m_model->restore(ui::devicePlace(QStringLiteral("GPU-0"), QStringLiteral("prod")));
        m_model->restore(ui::devicePlace(QStringLiteral("GPU-1"), QStringLiteral("prod")));
        QTRY_COMPARE_WITH_TIMEOUT(m_model->state(), PageState::Data, kPatience);
        QCOMPARE(m_model->snapshot()->details->device.uuid, std::string("GPU-1"));
        const auto answers = changed.size();
        QTest::qWait(100);
        QCOMPARE(changed.size(), answers); // late answers are dropped
    }

    void hiddenItAsksNothing()
    {
        open();
        m_list->add(kTemperature);
        m_model->setActive(false);
        m_model->restore(ui::devicePlace(QStringLiteral("GPU-0")));
        QTest::qWait(100);
        QCOMPARE(m_model->state(), PageState::Loading);
        QCOMPARE(m_asked.load(), 0);
        m_model->setActive(true);
        QTRY_COMPARE_WITH_TIMEOUT(m_model->state(), PageState::Data, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(m_asked.load(), 1, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        m_model->setActive(false);
        ui::Scope day;
        day.time.span = ui::Span::Day;
        m_model->setScope(day);
        QTest::qWait(100);
        QCOMPARE(m_asked.load(), 1);
    }

    void anExpressionIsAskedOfTheDevicesSource()
    {
        open();
        show(QStringLiteral("GPU-0"));
        QVERIFY(m_model->takesExpressions());
        QSignalSpy taken(m_model.get(), &DeviceViewModel::draftTaken);
        m_model->tryExpression(QStringLiteral("  ") + kTemperature + QStringLiteral("\n"));
        QVERIFY(m_model->isDraftAsked());
        QTRY_COMPARE_WITH_TIMEOUT(taken.size(), 1, kPatience);
        QVERIFY(!m_model->draftError());
        QCOMPARE(m_list->expressions(), QStringList{kTemperature});
        QTRY_VERIFY_WITH_TIMEOUT(m_model->extras().front().answer, kPatience);
        const auto extra = m_model->extras().front();
        QCOMPARE(extra.answer->series.source, std::string("fake"));
        QCOMPARE(lastExpression(), std::string("t{UUID=\"GPU-0\"}"));
        const auto lines = ui::deviceExtra(extra.expression, extra.answer.get(), *m_model->snapshot());
        QCOMPARE(lines.series.size(), std::size_t{1});
        QCOMPARE(lines.times.size(), lines.series[0].values.size());
        QCOMPARE(lines.note, QStringLiteral("41"));
        m_model->restore(ui::devicePlace(QStringLiteral("GPU-1"))); // the same expression for the next device
        QTRY_COMPARE_WITH_TIMEOUT(m_model->state(), PageState::Data, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(lastExpression() == "t{UUID=\"GPU-1\"}", kPatience);
        m_model->removeExpression(kTemperature);
        QVERIFY(m_model->extras().empty() && m_list->expressions().isEmpty());
    }

    void aRefusedExpressionIsToldAndNotKept_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("says");
        QTest::newRow("server") << QStringLiteral("bad{") << QStringLiteral("parse error");
        QTest::newRow("nothing") << QStringLiteral("nothing") << QStringLiteral("has nothing for this expression");
        QTest::newRow("variable") << QStringLiteral("t{a=\"$pod\"}") << QStringLiteral("$pod is not a variable");
        QTest::newRow("blank") << QStringLiteral("   ") << QStringLiteral("the expression is empty");
        QTest::newRow("too long") << QString(5000, QLatin1Char('x')) << QStringLiteral("too long");
    }
    void aRefusedExpressionIsToldAndNotKept()
    {
        QFETCH(QString, expression);
        QFETCH(QString, says);
        m_answer = [](const ports::SeriesQuestion &q) -> base::Result<ports::SeriesAnswer> {
            if (q.expression == "nothing")
                return ports::SeriesAnswer{};
            return base::fail(base::ErrorCode::InvalidArgument, "the server says: 1:5: parse error", "correct it");
        };
        open();
        show(QStringLiteral("GPU-0"));
        m_model->tryExpression(expression);
        QTRY_VERIFY_WITH_TIMEOUT(m_model->draftError(), kPatience);
        const QString text = QString::fromStdString(m_model->draftError()->text);
        QVERIFY2(text.contains(says), qPrintable(text));
        QVERIFY(m_list->expressions().isEmpty());
        m_model->forgetDraft();
        QVERIFY(!m_model->draftError());
    }

    void theSameOneIsNotDrawnTwice()
    {
        open();
        m_list->add(kTemperature);
        show(QStringLiteral("GPU-0"));
        m_model->tryExpression(kTemperature);
        QVERIFY(m_model->draftError());
        for (int i = 0; i < 20; ++i)
            m_list->add(QString::number(i));
        QCOMPARE(m_list->expressions().size(), ui::ExtraSeriesList::kMost);
        m_model->tryExpression(QStringLiteral("one more"));
        QVERIFY(m_model->draftError());
    }

    // A slow server delays neither the page nor its removal, and its late answer is dropped.
    void aSlowServerIsLeftBehind()
    {
        open();
        m_blocked = true;
        m_list->add(kTemperature);
        show(QStringLiteral("GPU-0"));
        QTRY_COMPARE_WITH_TIMEOUT(m_asked.load(), 1, kPatience);
        QVERIFY(!m_model->extras().front().answer);
        QSignalSpy extras(m_model.get(), &DeviceViewModel::extrasChanged);
        m_list->remove(kTemperature); // stops its query
        QTRY_COMPARE_WITH_TIMEOUT(m_stopped.load(), 1, kPatience);
        QTest::qWait(50);
        QCOMPARE(extras.size(), 1);
        ui::Scope day;
        day.time.span = ui::Span::Day;
        m_model->setScope(day);
        QTRY_VERIFY_WITH_TIMEOUT(m_model->snapshot()->details->range.length() == base::kDay, kPatience);
    }

    void withoutAServerNothingIsOffered()
    {
        m_catalog->takesExpressions = false;
        open();
        m_list->add(kTemperature);
        show(QStringLiteral("GPU-0"));
        QVERIFY(!m_model->takesExpressions());
        m_model->tryExpression(QStringLiteral("up"));
        QTest::qWait(50);
        QCOMPARE(m_asked.load(), 0);
        insight::ExtraQuery query;
        query.expression = "up";
        query.cluster = "prod";
        query.range = m_model->snapshot()->details->range;
        QVERIFY(m_workspace->sources().extraSeries(query, {}).error().code == base::ErrorCode::Unsupported);
    }

    void theLinkLeadsToTheSameTime()
    {
        m_settings.links.grafana = "https://g.example.org/d/x?node={node}&gpu={device}&team={team}&from={from}&to={to}";
        open();
        QVERIFY(!m_model->grafanaLink()); // without a device
        show(QStringLiteral("GPU-0"));
        const auto &d = *m_model->snapshot()->details;
        const auto link = m_model->grafanaLink();
        QVERIFY(link && link->isValid());
        const QUrlQuery query(*link);
        QCOMPARE(query.queryItemValue(QStringLiteral("node")), QStringLiteral("node-1"));
        QCOMPARE(query.queryItemValue(QStringLiteral("gpu")), QStringLiteral("GPU-0"));
        QCOMPARE(query.queryItemValue(QStringLiteral("team")), QStringLiteral("vision"));
        QCOMPARE(query.queryItemValue(QStringLiteral("from")).toLongLong(), base::toUnix(d.range.start) * 1000);
        QCOMPARE(query.queryItemValue(QStringLiteral("to")).toLongLong(), base::toUnix(d.range.end) * 1000);
    }

    void withoutATemplateThereIsNoLink()
    {
        open();
        show(QStringLiteral("GPU-0"));
        QVERIFY(!m_model->grafanaLink());
    }

    void tablesTellUnknownApartFromZero()
    {
        open();
        show(QStringLiteral("GPU-0"));
        auto snapshot = std::make_shared<ui::DeviceSnapshot>(*m_model->snapshot());
        auto &d = *snapshot->details;
        ui::TableModel states(ui::deviceStateColumns(base::Currency::usd())),
            stays(ui::deviceStayColumns(base::Currency::usd()));
        QAbstractItemModelTester first(&states, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester second(&stays, QAbstractItemModelTester::FailureReportingMode::QtTest);
        states.setSnapshot(ui::deviceStates(snapshot));
        stays.setSnapshot(ui::deviceStays(snapshot));
        QCOMPARE(states.rowCount(), 4);
        QCOMPARE(stays.rowCount(), 1);
        double share = 0;
        const auto table = ui::deviceStates(snapshot);
        for (int row = 0; row < 4; ++row)
            share += std::get<double>(table->value(row, 1));
        QVERIFY(std::abs(share - 1) < 1e-9);
        QVERIFY(table->sourceLine(0, 1).contains(QStringLiteral("fake")));
        d.sums[store::Measure::UnpricedTicks] = d.sums.time().paid().ticks;
        d.priced = false;
        QVERIFY(std::holds_alternative<std::monostate>(ui::deviceStates(snapshot)->value(0, 3)));
        QVERIFY(ui::devicePaid(*snapshot).contains(QStringLiteral("no price known")));
        const auto facts = ui::deviceFacts(*snapshot);
        QVERIFY(std::any_of(facts.begin(), facts.end(),
                            [](const auto &f) { return f.value == QStringLiteral("no price known"); }));
    }

    void linesAreBlankWhereNothingWasSeen()
    {
        open();
        show(QStringLiteral("GPU-0"));
        auto snapshot = std::make_shared<ui::DeviceSnapshot>(*m_model->snapshot());
        auto &unit = snapshot->details->lines.units.front();
        unit.activity[1].reset();
        const auto lines = ui::deviceLines(*snapshot);
        QVERIFY(std::isnan(lines[0].series.front().values[1]));
        QVERIFY(!std::isnan(lines[0].series.front().values[0]));
        QVERIFY(std::isnan(lines[1].series.front().values[0])); // the fake reports no memory
        QVERIFY(lines[0].source.contains(QStringLiteral("fake")));
        QVERIFY(lines[0].threshold > 0 && !lines[0].thresholdText.isEmpty());
    }

    void seriesAreNamedByWhatTellsThemApart()
    {
        open();
        show(QStringLiteral("GPU-0"));
        ui::ExtraAnswer answer;
        answer.series.times = {base::fromUnix(0), base::fromUnix(60)};
        answer.series.answer.series = {{{{"job", "x"}, {"gpu", "<b>0</b>"}}, {1, 2}},
                                       {{{"job", "x"}, {"gpu", "1"}}, {3, 4}}};
        answer.series.answer.leftOut = 3;
        answer.series.answer.warnings = {"a store is down"};
        const auto lines = ui::deviceExtra(QStringLiteral("t"), &answer, *m_model->snapshot());
        QCOMPARE(lines.series[0].name, QStringLiteral("gpu=<b>0</b>"));
        QCOMPARE(lines.series[1].name, QStringLiteral("gpu=1"));
        const QString note = ui::deviceExtraNote(answer);
        QVERIFY(note.contains(QStringLiteral("2 of 5")) && note.contains(QStringLiteral("a store is down")));
    }

    // The list is part of the remembered layout, not of links.
    void expressionsAreRemembered()
    {
        ui::WindowLayout layout;
        layout.deviceSeries = {kTemperature, QStringLiteral("up")};
        const auto read = ui::WindowLayout::fromJson(layout.toJson());
        QVERIFY(read && *read == layout);
        QSignalSpy changed(m_list.get(), &ui::ExtraSeriesList::changed);
        m_list->set({kTemperature, {}, QStringLiteral(" up "), QStringLiteral("up"), QString(9999, QLatin1Char('x'))});
        QCOMPARE(m_list->expressions(), (QStringList{kTemperature, QStringLiteral("up")}));
        m_list->set(m_list->expressions());
        QCOMPARE(changed.size(), 1);
        open();
        show(QStringLiteral("GPU-0"));
        QVERIFY(!m_model->place().toString().contains(QStringLiteral("up")));
    }

private:
    void open(bool synced = true)
    {
        m_catalog->plans = {m_plan};
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace = services::Workspace::open(m_settings, {m_folder->path().toStdString(), "UTC", false}, *m_catalog,
                                                m_secrets, m_clock)
                          .value();
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_model = std::make_unique<DeviceViewModel>(m_workspace->config(), m_workspace->fleet(), m_workspace->sources(),
                                                    *m_tasks, *m_list);
        if (synced)
            sync();
    }
    void sync() { QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value()); }
    void show(const QString &device)
    {
        m_model->restore(ui::devicePlace(device));
        m_model->refresh();
        QTRY_COMPARE_WITH_TIMEOUT(m_model->state(), PageState::Data, kPatience);
    }

    base::Result<ports::SeriesAnswer> answer(const ports::SeriesQuestion &question, const std::stop_token &stop)
    {
        std::unique_lock lock(m_mutex);
        m_last = question.expression;
        ++m_asked;
        m_wake.wait(lock, stop, [&] { return !m_blocked; });
        if (stop.stop_requested()) {
            ++m_stopped;
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        }
        return m_answer(question);
    }
    std::string lastExpression()
    {
        const std::lock_guard lock(m_mutex);
        return m_last;
    }
    void release()
    {
        const std::lock_guard lock(m_mutex);
        m_blocked = false;
        m_wake.notify_all();
    }

    tests::FakePlan m_plan;
    std::unique_ptr<tests::FakeCatalog> m_catalog;
    tests::NoSecrets m_secrets;
    base::FrozenClock m_clock{base::parseTime("2026-11-21T12:00:00Z").value()};
    model::Settings m_settings;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::ExtraSeriesList> m_list;
    std::unique_ptr<DeviceViewModel> m_model;
    std::function<base::Result<ports::SeriesAnswer>(const ports::SeriesQuestion &)> m_answer;
    std::atomic<int> m_asked{0}, m_stopped{0};
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    bool m_blocked = false;
    std::string m_last;
};

GPULEDGER_WINDOW_SUITE(DeviceViewModelTest)

} // namespace tst_deviceviewmodel

#include "tst_deviceviewmodel.moc"
