// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overviewbudgets.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace gpuledger::ui {

using alerts::PeriodForecast;
using services::ScopeForecast;

namespace {

// Unknown if nothing is known of any day that has passed.
bool knowsSpent(const PeriodForecast &forecast)
{
    return forecast.method != alerts::ForecastMethod::None || forecast.unknownDays == 0 || !forecast.spent.isZero();
}

class BudgetTexts {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OverviewBudgets)
public:
    explicit BudgetTexts(base::Currency currency)
        : m_currency(currency)
    {
    }

    static QString noBudget() { return tr("no budget"); }
    static QString nothingLeft() { return tr("nothing left", "of a budget"); }

    QString month(const PeriodForecast &forecast) const
    {
        const QString name = periodText(forecast.period);
        const QString spent = knowsSpent(forecast) ? amount(forecast.spent) : dash();
        if (!forecast.expected)
            return tr("%1: %2 so far, no forecast is possible yet.", "month, money").arg(name, spent);
        if (!forecast.low || !forecast.high)
            return tr("%1: %2 so far, forecast %3 from the mean of few days.", "month, money, money")
                .arg(name, spent, amount(*forecast.expected));
        return tr("%1: %2 so far, forecast %3; with 80 % probability %4 to %5.", "month, money")
            .arg(name, spent, amount(*forecast.expected), amount(*forecast.low), amount(*forecast.high));
    }

    static QString completedDays(const PeriodForecast &forecast)
    {
        return tr("%n day(s) with unfinished bills are completed by what such days used to gain.", nullptr,
                  static_cast<int>(forecast.completedDays));
    }
    static QString unknownDays(const PeriodForecast &forecast)
    {
        return tr("%n day(s) of it are unknown and estimated.", nullptr, static_cast<int>(forecast.unknownDays));
    }

    QString budget(const alerts::Budget &budget, const alerts::BudgetState &state) const
    {
        const QString name = periodText(state.forecast.period);
        QString text = state.carried && !state.carried->isZero()
            ? tr("Budget of %1: %2, of which %3 carried over", "period, money")
                  .arg(name, amount(state.available), amount(*state.carried))
            : tr("Budget of %1: %2", "period, money").arg(name, amount(budget.amount));
        if (state.share)
            text = tr("%1, %2 spent", "the budget, a share").arg(text, LocalText::percent(*state.share, 0));
        if (state.forecastShare)
            text = tr("%1, forecast %2", "the budget, a share").arg(text, LocalText::percent(*state.forecastShare, 0));
        if (!state.forecast.expected)
            return tr("%1.", "end of a sentence").arg(text);
        const auto over = state.forecast.expected->minus(state.available);
        if (!over || over->nanos() <= 0)
            return tr("%1.", "end of a sentence").arg(text);
        return tr("%1: over the budget by %2.", "the budget, money").arg(text, amount(*over));
    }

    static QString both(const QString &detail, const QString &forecast)
    {
        return tr("%1; %2", "parts of a line below the spend").arg(detail, forecast);
    }

    static QString ofAll(const PeriodForecast &forecast, const std::optional<BudgetSum> &sum)
    {
        QString text = tr("forecast %1", "short amount").arg(shortAmount(*forecast.expected));
        if (forecast.high) {
            const auto half = forecast.high->minus(*forecast.expected);
            if (half)
                text = tr("%1 ± %2", "forecast, short amount").arg(text, shortAmount(*half));
        }
        return sum && sum->isOfAll
            ? tr("%1 of %2 budget", "forecast, short amount").arg(text, shortAmount(sum->available))
            : text;
    }

    static QString perDay(double budget) { return tr("budget per day %1").arg(LocalText::shortMoney(budget)); }

private:
    static QString periodText(const alerts::Period &period)
    {
        const QString name = QString::fromStdString(period.name());
        return period.kind == alerts::PeriodKind::Month ? LocalText::monthText(name) : name;
    }
    static QString shortAmount(const base::Money &money) { return LocalText::shortMoney(units(money.nanos())); }
    QString amount(const base::Money &money) const
    {
        return LocalText::money(units(money.nanos()), codeOf(m_currency), 0);
    }

    const base::Currency m_currency;
};

} // namespace

QString forecastText(const ScopeForecast *team)
{
    return team && team->forecast.expected ? LocalText::number(units(team->forecast.expected->nanos()), 0) : dash();
}

std::optional<double> budgetShare(const ScopeForecast *team)
{
    const TeamBudget *budget = team ? shownBudget(*team) : nullptr;
    return budget ? budget->second.forecastShare : std::nullopt;
}

QString budgetShareText(const ScopeForecast *team)
{
    const TeamBudget *budget = team ? shownBudget(*team) : nullptr;
    if (!budget)
        return team ? BudgetTexts::noBudget() : dash();
    if (const auto share = budget->second.forecastShare)
        return LocalText::percent(*share, 0);
    return budget->second.available.nanos() <= 0 ? BudgetTexts::nothingLeft() : dash();
}

widgets::Color budgetColor(double share)
{
    return share > 1 ? widgets::Color::Critical : widgets::Color::Accent;
}

widgets::Tone budgetTone(double share)
{
    return share > 1 ? widgets::Tone::Critical : widgets::Tone::Neutral;
}

QString forecastDetails(const ScopeForecast *team, base::Currency currency)
{
    if (!team)
        return {};
    const BudgetTexts texts(currency);
    QStringList lines{texts.month(team->forecast)};
    if (team->forecast.unknownDays > 0)
        lines << BudgetTexts::unknownDays(team->forecast);
    if (team->forecast.completedDays > 0)
        lines << BudgetTexts::completedDays(team->forecast);
    for (const auto &[budget, state] : team->budgets)
        lines << texts.budget(budget, state);
    return lines.join(QLatin1Char('\n'));
}

QString withForecast(const QString &detail, const OverviewForecast &forecast)
{
    const PeriodForecast &total = forecast.answer.total.forecast;
    if (!total.expected)
        return detail;
    const QString text = BudgetTexts::ofAll(total, budgetSum(forecast));
    return detail.isEmpty() ? text : BudgetTexts::both(detail, text);
}

void addBudgetLine(widgets::StackedBars &bars, const OverviewForecast &forecast)
{
    const auto sum = budgetSum(forecast);
    if (!sum || !sum->isOfAll)
        return;
    bars.budget = units(sum->amount.nanos()) / static_cast<double>(forecast.answer.period.days());
    bars.budgetText = BudgetTexts::perDay(bars.budget);
}

} // namespace gpuledger::ui
