// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/pages/overview/overviewadapter.h"
#include "widgets/delegates/roles.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace tst_overviewviewmodel {

using namespace gpuledger;
using ui::OverviewViewModel;
using ui::Span;

namespace {

constexpr int kPatience = 60000;
constexpr std::int64_t kUnit = 1'000'000'000;

base::UtcTime at(const char *text)
{
    return base::parseTime(text).value();
}

base::TimeRange range(const char *from, const char *to)
{
    return {at(from), at(to)};
}

insight::SummaryRow row(const std::string &key, std::int64_t active, std::int64_t idle, std::int64_t unpricedHours = 0)
{
    insight::SummaryRow r;
    r.key = key;
    r.time.active = base::GpuTime{2520 * 3600 * (active + unpricedHours)};
    r.time.idle = base::GpuTime{2520 * 3600 * idle};
    r.cost.active = active * kUnit;
    r.cost.idle = idle * kUnit;
    r.cost.unpriced = base::GpuTime{2520 * 3600 * unpricedHours};
    r.utilization = 0.5;
    return r;
}

// Two teams, one with a hostile name and without a price.
std::shared_ptr<ui::OverviewSnapshot> twoTeams()
{
    auto s = std::make_shared<ui::OverviewSnapshot>();
    s->covered = range("2026-09-01", "2026-11-03");
    s->asked = at("2026-11-03T01:00:00Z");
    s->sources = {"prod"};
    auto &o = s->overview;
    o.range = range("2026-11-01", "2026-11-03");
    o.previous = range("2026-10-30", "2026-11-01");
    o.currency = base::Currency::usd();
    o.total = row("total", 900, 300, 10);
    o.before = row("total", 600, 400);
    o.days = {{20758, row("2026-11-01", 400, 100), true}, {20759, row("2026-11-02", 500, 200), true}};
    o.change = insight::CostChange{1000 * kUnit, 1200 * kUnit, 50 * kUnit, 100 * kUnit, 50 * kUnit};
    o.teams = {{row("vision", 900, 300), row("vision", 600, 400), o.change, {500 * kUnit, 700 * kUnit}},
               {row("<b>x</b>\n=cmd", 0, 0, 10), std::nullopt, std::nullopt, {std::nullopt, std::nullopt}}};
    o.movers = {0};
    return s;
}

} // namespace

// The page's state and texts without a window.
class OverviewViewModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void comparesWithTheEqualPeriodBefore()
    {
        const base::TimeZone utc;
        const auto before = [&](Span span, base::TimeRange r) { return OverviewViewModel::previous(span, r, utc); };
        QVERIFY(before(Span::Week, range("2026-11-14", "2026-11-21")) == range("2026-11-07", "2026-11-14"));
        // As many days of the previous month, not the days just before.
        QVERIFY(before(Span::ThisMonth, range("2026-11-01", "2026-11-21T10:00:00Z"))
                == range("2026-10-01", "2026-10-21T10:00:00Z"));
        QVERIFY(before(Span::LastMonth, range("2026-10-01", "2026-11-01")) == range("2026-09-01", "2026-10-01"));
        QVERIFY(before(Span::All, range("2026-09-01", "2026-11-21T10:00:00Z")).empty());
        QVERIFY(before(Span::Week, {}).empty());
    }

    void saysFirstRunThenShowsTheFleet()
    {
        model::Settings settings;
        model::SourceSettings source;
        source.name = "demo";
        source.kind = "demo";
        source.options = {{"gpus", "56"}, {"days", "3"}};
        source.firstSync = 3 * base::kDay;
        settings.sources.push_back(source);
        QTemporaryDir folder;
        const auto catalog = connectors::makeSourceCatalog();
        const auto secrets = connectors::makeSecretStore();
        const base::FrozenClock clock(at("2026-11-21T12:00:00Z"));
        auto workspace =
            services::Workspace::open(settings, {folder.path().toStdString(), "UTC", false}, *catalog, *secrets, clock);
        QVERIFY(workspace.has_value());
        ui::TaskRunner tasks;
        OverviewViewModel model((*workspace)->config(), (*workspace)->fleet(), (*workspace)->spend(),
                                ui::savingsDesk((*workspace)->config(), (*workspace)->fleet(), (*workspace)->savings()),
                                tasks);
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::FirstRun, kPatience);
        QVERIFY((*workspace)->sources().sync(std::nullopt, {}, {}).has_value());
        ui::Scope day;
        day.time.span = Span::Day;
        model.setScope(day);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        const auto &o = model.snapshot()->overview;
        QVERIFY(o.before && o.change && o.total.cost.total() > 0 && model.snapshot()->idle);
        const auto summary = (*workspace)->fleet().summary({o.range, {}}, insight::Dimension::Team).value();
        QCOMPARE(o.total.cost.total(), summary.total.cost.total());
        QCOMPARE(o.teams.size(), summary.rows.size());
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAskingSavings(), kPatience);
        QVERIFY(model.savings() && !model.savingsError());
        ui::Scope nobody;
        nobody.filter.include[insight::Dimension::Team] = {"nobody has this name"};
        model.setScope(nobody);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Empty, kPatience);
    }

    void tellsFiguresWithTheirChange()
    {
        const auto s = twoTeams();
        const auto figures = ui::overviewFigures(*s, ui::OverviewMoney::List);
        QCOMPARE(figures[0].value, QStringLiteral("$1,200"));
        QCOMPARE(figures[0].change, QStringLiteral("20.0 %"));
        QVERIFY(figures[0].direction == widgets::KeyFigure::Direction::Up);
        QVERIFY(figures[0].meaning == widgets::KeyFigure::Meaning::Bad);
        QVERIFY2(figures[0].detail.contains(QStringLiteral("10.0 GPU-h have no price")), qPrintable(figures[0].detail));
        QCOMPARE(figures[2].title, QStringLiteral("Waste"));
        QCOMPARE(figures[2].value, QStringLiteral("$300"));
        QCOMPARE(figures[2].detail, QStringLiteral("idle $300, unallocated $0"));
        QVERIFY(figures[2].direction == widgets::KeyFigure::Direction::Down);
        QVERIFY(figures[2].meaning == widgets::KeyFigure::Meaning::Good);
        QVERIFY(figures[3].value.isEmpty()); // unknown, not zero
        QVERIFY(figures[1].age.contains(QStringLiteral("60 min ago")));
    }

    // Idle and unallocated cost on the basis of the spend, and what can be saved of it.
    void wasteIsIdleAndUnallocated()
    {
        auto s = twoTeams();
        s->overview.total.cost.unallocated = 200 * kUnit;
        s->overview.before->cost.unallocated = 600 * kUnit;
        auto waste = ui::overviewFigures(*s, ui::OverviewMoney::List)[2];
        QCOMPARE(waste.value, QStringLiteral("$500"));
        QCOMPARE(waste.change, QStringLiteral("50.0 %")); // of 1,000 before
        QVERIFY(waste.meaning == widgets::KeyFigure::Meaning::Good);
        QCOMPARE(waste.detail, QStringLiteral("idle $300, unallocated $200"));

        insight::IdleItem known, unknown;
        known.gpus = unknown.gpus = 1;
        known.perMonth = base::Money(40 * kUnit, base::Currency::usd());
        unknown.perMonth = base::Money(60 * kUnit, base::Currency::usd());
        known.avoidablePerMonth = base::Money(40 * kUnit, base::Currency::usd());
        known.sunkPerMonth = base::Money(0, base::Currency::usd());
        s->idle = insight::IdleList{};
        s->idle->items = {unknown, known};
        waste = ui::overviewFigures(*s, ui::OverviewMoney::List)[2];
        QCOMPARE(waste.detail, QStringLiteral("idle $300, unallocated $200"));
        const auto idle = ui::overviewFigures(*s, ui::OverviewMoney::List)[3];
        QCOMPARE(idle.detail, QStringLiteral("$100 a month if left idle; stopping saves $40 to $100 a month"));
        QCOMPARE(idle.trend.values.size(), qsizetype{2});
        QCOMPARE(idle.trend.values.back(), 200.0 / 24); // GPUs: the mean of the day
        s->idle->reach.stale = true; // what is idle now is not known, so neither is what stopping saves
        QVERIFY(!ui::overviewFigures(*s, ui::OverviewMoney::List)[3].detail.contains(QStringLiteral("saves")));

        auto spend = std::make_shared<insight::Spend>();
        spend->currency = base::Currency::usd();
        spend->billed = base::Money(700 * kUnit, spend->currency);
        spend->estimated = base::Money(300 * kUnit, spend->currency);
        spend->days = {{base::Day{20758}, {500 * kUnit, 100 * kUnit, 50 * kUnit, 0, 0}, true},
                       {base::Day{20759}, {200 * kUnit, 90 * kUnit, 60 * kUnit, 0, 0}, false}};
        s->spend = spend;
        const auto billed = ui::overviewFigures(*s, ui::OverviewMoney::Bills);
        QCOMPARE(billed[0].title, QStringLiteral("Spend (billed + estimated)"));
        QCOMPARE(billed[0].value, QStringLiteral("$1,000"));
        QCOMPARE(billed[0].detail, QString::fromUtf8("$700 billed · $300 estimated; $350 not final yet"));
        QCOMPARE(billed[2].value, QStringLiteral("$300"));
        QCOMPARE(billed[2].detail, QStringLiteral("idle $190, unallocated $110"));
        QCOMPARE(billed[2].trend.values, QList<double>{150}); // a day that is not final may still rise
        spend->estimated = base::Money(0, spend->currency);
        QCOMPARE(ui::overviewFigures(*s, ui::OverviewMoney::Bills)[0].title, QStringLiteral("Billed spend"));
    }

    void theTableEndsWithTheTotal()
    {
        auto s = twoTeams();
        ui::TableModel model(ui::overviewTeamColumns(base::Currency::usd()));
        model.setSnapshot(ui::overviewTeams(s, ui::OverviewMoney::List));
        const auto total = [&](const char *column, int role = Qt::DisplayRole) {
            return model.total(model.columnOf(QString::fromLatin1(column)), role);
        };
        QVERIFY(model.hasTotal());
        QCOMPARE(total("team").toString(), QStringLiteral("Total"));
        QCOMPARE(total("spend").toString(), QStringLiteral("1,200"));
        QCOMPARE(total("change").toString(), QStringLiteral("+20.0 %"));
        QCOMPARE(total("idle-share").toString(), QStringLiteral("25 %"));
        QCOMPARE(total("idle-share", widgets::kBarShareRole).toDouble(), 0.25);
        QCOMPARE(total("days").toString(), QString());
        double sum = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            sum += model.index(row, model.columnOf(QStringLiteral("spend"))).data(widgets::kRawValueRole).toDouble();
        QCOMPARE(sum, 1200.0);
    }

    void withoutAPeriodBeforeNothingIsCompared()
    {
        auto s = twoTeams();
        s->overview.before.reset();
        s->overview.change.reset();
        s->overview.movers.clear();
        QVERIFY(ui::overviewFigures(*s, ui::OverviewMoney::List)[0].change.isEmpty());
        QVERIFY(ui::overviewChange(*s, ui::OverviewMoney::List).steps.empty());
        QVERIFY(!ui::overviewChange(*s, ui::OverviewMoney::List).note.isEmpty());
        QVERIFY(ui::overviewMovers(*s).isEmpty());
    }

    // A period that was not fetched is unknown, in the figures, the chart and the table.
    void saysWhyNothingIsCompared()
    {
        using State = insight::Comparison::State;
        auto s = twoTeams();
        auto &o = s->overview;
        o.before.reset();
        o.change.reset();
        o.movers.clear();
        o.teams[0].before.reset();
        o.teams[0].change.reset();
        const auto says = [&](insight::Comparison comparison, const char *card, const char *chart) {
            o.comparison = comparison;
            const auto figures = ui::overviewFigures(*s, ui::OverviewMoney::List);
            for (const std::size_t i : {0U, 1U, 2U}) {
                QCOMPARE(figures[i].change, QLatin1String(card));
                QVERIFY(figures[i].direction == widgets::KeyFigure::Direction::None);
                QVERIFY(figures[i].meaning == widgets::KeyFigure::Meaning::Neutral);
            }
            const auto w = ui::overviewChange(*s, ui::OverviewMoney::List);
            QVERIFY(w.steps.empty());
            QCOMPARE(w.note, QString::fromUtf8(chart));
        };
        says({State::NothingBefore, 0}, "before: not fetched", "30 Oct – 31 Oct was not fetched");
        says({State::PartBefore, 0.62}, "before: 62 % fetched", "of 30 Oct – 31 Oct only 62 % was fetched");
        says({State::PartNow, 0.4}, "only 40 % fetched", "only 40 % of this range was fetched");
        ui::TableModel model(ui::overviewTeamColumns(base::Currency::usd()));
        model.setSnapshot(ui::overviewTeams(s, ui::OverviewMoney::List));
        QCOMPARE(model.index(0, model.columnOf(QStringLiteral("change"))).data().toString(), QStringLiteral("–"));
    }

    void whatWasNotFetchedIsNoZero()
    {
        auto s = twoTeams();
        auto &o = s->overview;
        o.days.push_back({20760, {}, true});
        o.days.back().sums.notSynced = base::GpuTime{2520 * 3600 * 24};
        o.total.notSynced = o.days.back().sums.notSynced;
        const auto bars = ui::overviewDays(*s);
        QCOMPARE(bars.bars.size(), std::size_t{3});
        QVERIFY(std::isnan(bars.bars[2].values.front()) && !std::isnan(bars.bars[1].values.front()));
        QVERIFY(bars.bars[2].title.contains(QStringLiteral("not fetched yet")));
        const auto figures = ui::overviewFigures(*s, ui::OverviewMoney::List);
        QVERIFY(std::isnan(figures[0].trend.values.back()));
        QVERIFY2(figures[0].detail.contains(QStringLiteral("24.0 GPU-h were not fetched yet")),
                 qPrintable(figures[0].detail));
        // All of it: the total cost is unknown, and so is the team's.
        o.total = {};
        o.total.notSynced = base::GpuTime{2520 * 3600 * 24};
        QVERIFY(ui::overviewFigures(*s, ui::OverviewMoney::List)[0].value.isEmpty());
        QVERIFY(ui::overviewFigures(*s, ui::OverviewMoney::List)[2].value.isEmpty());
    }

    // A day whose bill may still change keeps its states; it is pale, in the legend, on the card and in the copied
    // data.
    void daysThatMayStillChangeArePale()
    {
        auto s = twoTeams();
        auto spend = std::make_shared<insight::Spend>();
        spend->currency = base::Currency::usd();
        spend->days.push_back({base::Day{20757}, {5 * kUnit, 2 * kUnit, kUnit, 3 * kUnit, 4 * kUnit}, true});
        spend->days.push_back({base::Day{20758}, {6 * kUnit, 2 * kUnit, kUnit, 0, kUnit}, false});
        s->spend = spend;
        const auto bars = ui::overviewBilledDays(*s);
        QCOMPARE(bars.series.size(), std::size_t{insight::SpendParts});
        QCOMPARE(bars.bars.size(), std::size_t{2});
        QVERIFY(!bars.bars[0].provisional && bars.bars[1].provisional);
        QCOMPARE(bars.bars[1].values, (std::vector<double>{6, 2, 1, 0, 1}));
        QVERIFY(bars.bars[1].title.endsWith(QStringLiteral("not final yet")));
        QVERIFY(!bars.bars[0].title.contains(QStringLiteral("not final yet")));
        QVERIFY(bars.provisionalText.contains(QStringLiteral("not final yet")));
        // Unobserved time is never a plain fill, and only it is hatched.
        for (std::size_t i = 0; i < bars.series.size(); ++i)
            QCOMPARE(bars.series[i].hatched, i == insight::SpendUnobserved);
    }

    void waterfallAddsUp()
    {
        auto s = twoTeams();
        for (const bool sameFleet : {false, true}) {
            if (sameFleet) { // the states reveal the change
                s->overview.total = row("total", 700, 300);
                s->overview.change = insight::CostChange{1000 * kUnit, 1000 * kUnit, 0, 0, 0};
            }
            const widgets::Waterfall w = ui::overviewChange(*s, ui::OverviewMoney::List);
            double sum = w.steps.front().value;
            for (std::size_t i = 1; i + 1 < w.steps.size(); ++i)
                sum += w.steps[i].value;
            QCOMPARE(sum, w.steps.back().value);
            QCOMPARE(w.steps[1].label, sameFleet ? QStringLiteral("active") : QStringLiteral("price"));
            QCOMPARE(w.steps[1].value, sameFleet ? 100.0 : 50.0);
        }
    }

    void teamsTellUnknownApartFromZero()
    {
        const auto s = twoTeams();
        ui::TableModel model(ui::overviewTeamColumns(base::Currency::usd()));
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSnapshot(ui::overviewTeams(s, ui::OverviewMoney::List));
        const auto text = [&](int r, const char *column) {
            return model.index(r, model.columnOf(QLatin1String(column))).data().toString();
        };
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(text(0, "spend"), QStringLiteral("1,200"));
        QCOMPARE(text(0, "change"), QStringLiteral("+20.0 %"));
        QCOMPARE(text(0, "idle-share"), QStringLiteral("25 %"));
        QCOMPARE(text(1, "spend"), QStringLiteral("no price"));
        QCOMPARE(text(1, "change"), QStringLiteral("new"));
        QCOMPARE(text(1, "idle-share"), QStringLiteral("–"));
        const auto table = ui::overviewTeams(s, ui::OverviewMoney::List);
        QVERIFY(std::holds_alternative<std::monostate>(table->value(1, 1)));
        const auto line = table->extra(1, model.columnOf(QStringLiteral("days")), widgets::kSparklineRole);
        QVERIFY(std::isnan(line.value<QList<double>>().front()));
        QVERIFY(table->sourceLine(0, 1).contains(QStringLiteral("prod")));
    }
};

GPULEDGER_WINDOW_SUITE(OverviewViewModelTest)

} // namespace tst_overviewviewmodel

#include "tst_overviewviewmodel.moc"
