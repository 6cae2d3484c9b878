// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/unit/ui/savings/savingssample.h"
#include "ui/pages/overview/overviewadapter.h"
#include "ui/pages/overview/overviewbudgets.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/delegates/roles.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cmath>
#include <mutex>

namespace tst_overviewforecast {

using namespace gpuledger;
using services::ForecastAnswer;
using services::ScopeForecast;

namespace {

constexpr int kForecastPatience = 60000;
constexpr std::int64_t kOneUnit = base::Money::kNanosPerUnit;

base::Money usdOf(std::int64_t units)
{
    return {units * kOneUnit, base::Currency::usd()};
}

const base::Day kAsked = base::dayOf(base::parseTime("2026-11-21").value());

ScopeForecast team(const std::string &key, std::int64_t spent, std::int64_t expected)
{
    ScopeForecast out;
    out.key = key;
    out.forecast.period = alerts::Period::around(alerts::PeriodKind::Month, kAsked);
    out.forecast.method = alerts::ForecastMethod::Weekly;
    out.forecast.spent = usdOf(spent);
    out.forecast.expected = usdOf(expected);
    out.forecast.low = usdOf(expected - 10);
    out.forecast.high = usdOf(expected + 10);
    return out;
}

void addBudget(ScopeForecast &to, std::int64_t amount, alerts::PeriodKind period = alerts::PeriodKind::Month)
{
    alerts::Budget budget;
    budget.key = to.key;
    budget.period = period;
    budget.amount = usdOf(amount);
    alerts::BudgetState state;
    state.forecast = to.forecast;
    state.forecast.period = alerts::Period::around(period, kAsked);
    state.available = budget.amount;
    state.share = to.forecast.spent.toDouble() / static_cast<double>(amount);
    state.forecastShare = to.forecast.expected->toDouble() / static_cast<double>(amount);
    to.budgets.emplace_back(budget, state);
}

// Over its budget, within it, and without one.
std::shared_ptr<ui::OverviewForecast> threeTeams()
{
    auto out = std::make_shared<ui::OverviewForecast>();
    out->answer.currency = base::Currency::usd();
    out->answer.period = alerts::Period::around(alerts::PeriodKind::Month, kAsked);
    auto research = team("research", 900, 1'210), vision = team("vision", 400, 920);
    addBudget(research, 6'000, alerts::PeriodKind::Quarter);
    addBudget(research, 1'000);
    addBudget(vision, 1'000);
    out->answer.rows = {research, vision, team("unowned", 10, 20)};
    out->answer.total = team("total", 1'310, 2'160);
    return out;
}

std::shared_ptr<ui::OverviewSnapshot> pageOf(const std::vector<std::string> &teams)
{
    auto s = std::make_shared<ui::OverviewSnapshot>();
    s->sources = {"prod"};
    s->overview.currency = base::Currency::usd();
    for (const std::string &name : teams) {
        insight::OverviewTeam one;
        one.now.key = name;
        one.now.time.active = base::GpuTime{2520 * 3600};
        one.now.cost.active = kOneUnit;
        s->overview.teams.push_back(one);
    }
    return s;
}

} // namespace

// Forecasts and budgets on the Overview.
class OverviewForecastTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void aTeamOverItsBudgetStandsOut()
    {
        ui::TableModel model(ui::overviewTeamColumns(base::Currency::usd(), true));
        model.setSnapshot(
            ui::overviewTeams(pageOf({"research", "vision", "unowned", "new"}), ui::OverviewMoney::List, threeTeams()));
        const int column = model.columnOf(QStringLiteral("budget-share"));
        const auto cell = [&](int row, int role = Qt::DisplayRole) { return model.index(row, column).data(role); };
        QCOMPARE(cell(0).toString(), QStringLiteral("121 %")); // of the month, not of the quarter
        QCOMPARE(cell(1).toString(), QStringLiteral("92 %"));
        QCOMPARE(cell(2).toString(), QStringLiteral("no budget"));
        QCOMPARE(cell(3).toString(), QStringLiteral("–")); // nothing is known of it
        QCOMPARE(cell(0, widgets::kBarShareRole).toDouble(), 1.21);
        QVERIFY(!cell(2, widgets::kBarShareRole).isValid() && !cell(3, widgets::kBarShareRole).isValid());
        QCOMPARE(cell(0, widgets::kBarColorRole).toInt(), static_cast<int>(widgets::Color::Critical));
        QCOMPARE(cell(1, widgets::kBarColorRole).toInt(), static_cast<int>(widgets::Color::Accent));
        QCOMPARE(cell(0, widgets::kToneRole).value<widgets::Tone>(), widgets::Tone::Critical);
        const QString tip = cell(0, Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("$900 so far, forecast $1,210")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("90 % spent, forecast 121 %: over the budget by $210.")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("2026-Q4: $6,000")), qPrintable(tip));
        QVERIFY(!cell(1, Qt::ToolTipRole).toString().contains(QStringLiteral("over the budget")));
        QCOMPARE(model.total(column, Qt::DisplayRole).toString(), QStringLiteral("107 %")); // 2,130 of 2,000
    }

    void theForecastIsShownWithoutBudgets()
    {
        const auto isShown = [](bool hasBudgets, const char *key) {
            for (const ui::TableColumn &column : ui::overviewTeamColumns(base::Currency::usd(), hasBudgets)) {
                if (column.key == QLatin1String(key))
                    return column.isVisible;
            }
            return false;
        };
        QVERIFY(isShown(true, "budget-share") && !isShown(true, "forecast"));
        QVERIFY(!isShown(false, "budget-share") && isShown(false, "forecast"));
        ui::TableModel model(ui::overviewTeamColumns(base::Currency::usd()));
        auto forecast = threeTeams();
        forecast->answer.rows[1].forecast.expected.reset();
        model.setSnapshot(ui::overviewTeams(pageOf({"research", "vision"}), ui::OverviewMoney::List, forecast));
        const int column = model.columnOf(QStringLiteral("forecast"));
        QCOMPARE(model.index(0, column).data().toString(), QStringLiteral("1,210"));
        QCOMPARE(model.index(1, column).data().toString(), QStringLiteral("–")); // unknown, not zero
        QCOMPARE(model.total(column, Qt::DisplayRole).toString(), QStringLiteral("2,160"));
        model.setSnapshot(ui::overviewTeams(pageOf({"research"}), ui::OverviewMoney::List));
        QCOMPARE(model.index(0, column).data().toString(), QStringLiteral("–")); // not answered yet
    }

    void theSumIsOfTheTeamsWithABudget()
    {
        auto forecast = threeTeams();
        QVERIFY(!ui::budgetSum(*forecast)->isOfAll); // what is unowned has no budget
        forecast->answer.rows.pop_back();
        auto sum = ui::budgetSum(*forecast);
        QVERIFY(sum && sum->isOfAll);
        QCOMPARE(sum->teams, std::size_t{2});
        QCOMPARE(sum->amount, usdOf(2'000));
        QCOMPARE(sum->expected, usdOf(2'130));
        QCOMPARE(ui::withForecast(QStringLiteral("fully billed"), *forecast),
                 QStringLiteral("fully billed; forecast 2.2k ± 10.0 of 2.0k budget"));
        widgets::StackedBars bars;
        ui::addBudgetLine(bars, *forecast);
        QVERIFY(std::abs(bars.budget - 2'000.0 / 30) < 1e-9);
        QCOMPARE(bars.budgetText, QStringLiteral("budget per day 66.7"));

        forecast->answer.rows.push_back(team("speech", 1, 2)); // has none
        sum = ui::budgetSum(*forecast);
        QVERIFY(sum && !sum->isOfAll);
        QVERIFY(!ui::withForecast({}, *forecast).contains(QStringLiteral("budget")));
        bars = {};
        ui::addBudgetLine(bars, *forecast);
        QVERIFY(std::isnan(bars.budget));

        forecast->answer.rows[1].budgets.front().second.forecast.expected.reset();
        QVERIFY(!ui::budgetSum(*forecast));
    }

    void itIsAskedAgainOnlyForOtherScopes()
    {
        model::Settings settings;
        model::SourceSettings source;
        source.name = "demo";
        source.kind = "demo";
        source.options = {{"gpus", "56"}, {"days", "3"}};
        settings.sources.push_back(source);
        QTemporaryDir folder;
        const auto catalog = connectors::makeSourceCatalog();
        const auto secrets = connectors::makeSecretStore();
        const base::FrozenClock clock(base::parseTime("2026-11-21T12:00:00Z").value());
        const auto workspace =
            services::Workspace::open(settings, {folder.path().toStdString(), "UTC", false}, *catalog, *secrets, clock);
        QVERIFY(workspace.has_value());
        ui::TaskRunner tasks;
        ui::OverviewViewModel model((*workspace)->config(), (*workspace)->fleet(), (*workspace)->spend(),
                                    tests::sampleDesk(std::make_shared<tests::SampleAnswers>()), tasks);
        std::atomic<int> asked{0};
        std::atomic<bool> fails{false};
        model.setForecasts([&](const services::ForecastQuery &) -> base::Result<ForecastAnswer> {
            ++asked;
            if (fails)
                return base::fail(base::ErrorCode::Storage, "the disk is gone");
            return threeTeams()->answer;
        });
        QSignalSpy changed(&model, &ui::OverviewViewModel::forecastChanged);
        const auto isDone = [&] { return !model.isAsking() && !model.isAskingForecast(); };
        QVERIFY(model.isAskingForecast() && !model.forecast());
        ui::Scope scope;
        scope.time.span = ui::Span::Week;
        model.setScope(scope);
        QTRY_VERIFY_WITH_TIMEOUT(isDone(), kForecastPatience);
        QVERIFY(model.forecast() && changed.size() == 1);
        scope.time.span = ui::Span::Quarter;
        model.setScope(scope);
        QTRY_VERIFY_WITH_TIMEOUT(isDone(), kForecastPatience);
        QCOMPARE(asked.load(), 1); // it is of this month, whatever the time
        QVERIFY(model.forecast());
        scope.filter.include[insight::Dimension::Team] = {"vision"};
        model.setScope(scope);
        QVERIFY(!model.forecast()); // that one is of all teams
        QTRY_VERIFY_WITH_TIMEOUT(isDone(), kForecastPatience);
        QCOMPARE(asked.load(), 2);
        fails = true;
        model.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(isDone(), kForecastPatience);
        QCOMPARE(asked.load(), 3);
        QVERIFY(!model.forecast()); // unknown is not what it was
    }
};

GPULEDGER_WINDOW_SUITE(OverviewForecastTest)

} // namespace tst_overviewforecast

#include "tst_overviewforecast.moc"
