// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overviewfigures.h"

#include "ui/pages/overview/overviewwaste.h"
#include "ui/viewmodels/overview/spendtables.h"
#include "ui/viewmodels/showback/statementtext.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>

#include <algorithm>
#include <array>

namespace gpuledger::ui {

using insight::Figure;
using insight::LedgerDimension;

namespace {

// In the order of insight::SpendPart and of the bars.
constexpr std::array<const char *, insight::SpendOther> kStates{"active", "idle", "unallocated", "unobserved"};

class OverviewProofs {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OverviewProofs)
public:
    OverviewProofs(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                   std::optional<std::string> team = {})
        : m_s(snapshot)
        , m_scope(scope)
        , m_bills(money == OverviewMoney::Bills && snapshot.spend)
        , m_team(std::move(team))
    {
    }

    std::vector<Explained> all() const
    {
        const base::TimeRange range = m_s.overview.range;
        std::vector<Explained> out;
        if (m_bills) {
            const base::TimeRange days = insight::nearestDays(range);
            out.push_back({named(tr("Billed spend")), ofLedger("total", days)});
            out.push_back({named(tr("Billed, effective cost")), ofLedger("cost", days)});
            out.push_back({named(tr("Estimated, on no bill")), ofLedger("priced", days)});
        } else {
            out.push_back({named(tr("Cost of GPU time")), ofUsage("cost.total", range)});
        }
        addWaste(out, range);
        out.push_back({named(tr("Utilization")), ofUsage("utilization", range)});
        out.push_back({named(tr("Paid GPU-hours")), ofUsage("gpu-hours.paid", range)});
        if (m_s.overview.total.notSynced.ticks == 0) // time that was not fetched cannot be proved
            out.push_back({named(tr("Observed share")), ofUsage("coverage", range)});
        return out;
    }

    std::vector<Explained> day(std::size_t at) const { return m_bills ? billedDay(at) : listedDay(at); }

    std::vector<Explained> step(std::size_t at) const
    {
        if (!m_bills && !m_s.overview.change)
            return {};
        const std::size_t last = overviewChange(m_s, m_bills ? OverviewMoney::Bills : OverviewMoney::List).steps.size();
        if (at >= last)
            return {};
        std::vector<Explained> out;
        const bool isState = !m_bills && at > 0 && at + 1 < last && overviewChangeIsByState(m_s);
        if (at > 0 && at + 1 < last && !isState)
            out.push_back(factor(at - 1));
        const auto add = [&](const QString &before, const QString &now, const char *listed) {
            if (at + 1 != last)
                out.push_back({before, spendIn(m_s.overview.previous, listed)});
            if (at != 0)
                out.push_back({now, spendIn(m_s.overview.range, listed)});
        };
        if (isState)
            add(tr("Cost of %1 time, before", "state").arg(stateName(at - 1)),
                tr("Cost of %1 time, now", "state").arg(stateName(at - 1)), kCosts[at - 1]);
        else
            add(tr("Spend before"), tr("Spend now"), "cost.total"); // no-tr: the last is a measure
        return out;
    }

    std::vector<Explained> hidden(const QString &rowId) const
    {
        const auto &rows = m_s.spend->hidden;
        const auto it = std::find_if(rows.begin(), rows.end(),
                                     [&](const insight::HiddenCost &one) { return hiddenCostId(one) == rowId; });
        if (it == rows.end())
            return {};
        Figure figure = ofLedger("total", insight::nearestDays(m_s.overview.range));
        figure.include[LedgerDimension::Category] = {it->category};
        figure.include[LedgerDimension::Service] = {it->service};
        const QString category = statementCategory(it->category);
        return {{it->service.empty()
                     ? category
                     : tr("%1, %2", "category, service").arg(category, QString::fromStdString(it->service)),
                 figure}};
    }

    std::vector<Explained> price(const QString &model) const
    {
        const auto of = [&](const QString &name, const char *measure) -> Explained {
            Figure figure = ofLedger(measure, insight::nearestDays(m_s.overview.range));
            figure.include[LedgerDimension::GpuModel] = {model.toStdString()};
            figure.include[LedgerDimension::Origin] = {"billed"};
            return {tr("%1 of %2", "figure, GPU model").arg(name, model), figure};
        };
        return {of(tr("Billed cost"), "cost"), // no-tr: name of a figure
                of(tr("The same time by the price book"), "price-book"), // no-tr: name of a figure
                of(tr("GPU-hours"), "gpu-hours")}; // no-tr: name of a figure
    }

private:
    static constexpr std::array<const char *, kStates.size()> kCosts{"cost.active", "cost.idle", "cost.unallocated",
                                                                     "cost.unobserved"};

    static QString stateName(std::size_t state)
    {
        const std::array<QString, kStates.size()> names{tr("active"), tr("idle"), tr("unallocated"), tr("unobserved")};
        return names[state];
    }
    static QString dayName(std::int32_t day)
    {
        return QLocale().toString(QDate(1970, 1, 1).addDays(day), QLocale::ShortFormat);
    }
    QString named(const QString &figure) const
    {
        return m_team ? tr("%1 of %2", "figure, team").arg(figure, QString::fromStdString(*m_team)) : figure;
    }

    // A team holds no unallocated time; what is nothing has no rows to prove.
    void addWaste(std::vector<Explained> &out, base::TimeRange range) const
    {
        const OverviewWaste waste =
            m_bills ? OverviewWaste::of(*m_s.spend) : OverviewWaste::of(m_s.overview.total.cost);
        const auto of = [&](std::vector<std::string> states) {
            Figure figure = ofLedger("total", insight::nearestDays(range));
            figure.include[LedgerDimension::Category] = {"gpu"};
            figure.include[LedgerDimension::State] = std::move(states);
            return figure;
        };
        const std::string idle = kStates[insight::SpendIdle], unallocated = kStates[insight::SpendUnallocated];
        if (m_bills && !m_team && waste.idle != 0 && waste.unallocated != 0)
            out.push_back({tr("Waste"), of({idle, unallocated})});
        if (m_bills && !m_team && waste.idle != 0)
            out.push_back({tr("Waste, the idle part"), of({idle})});
        if (m_bills && !m_team && waste.unallocated != 0)
            out.push_back({tr("Waste, the unallocated part"), of({unallocated})});
        out.push_back({named(m_bills ? tr("Idle cost of GPU time") : tr("Idle cost")), ofUsage("cost.idle", range)});
        if (!m_bills && !m_team && waste.unallocated != 0)
            out.push_back({tr("Unallocated cost"), ofUsage("cost.unallocated", range)});
    }

    std::vector<Explained> billedDay(std::size_t at) const
    {
        if (at >= m_s.spend->days.size())
            return {};
        const base::Day day = m_s.spend->days[at].day;
        const base::TimeRange range{day.start(), day.end()};
        const auto of = [&](const QString &part) -> QString {
            return tr("%1, %2", "part, day").arg(part, dayName(day.number));
        };
        std::vector<Explained> out{{of(tr("Spend")), ofLedger("total", range)}};
        const auto &parts = m_s.spend->days[at].parts;
        for (std::size_t i = 0; i < kStates.size(); ++i) {
            Figure figure = ofLedger("total", range);
            figure.include[LedgerDimension::Category] = {"gpu"};
            figure.include[LedgerDimension::State] = {kStates[i]};
            if (parts[i] != 0)
                out.push_back({of(stateName(i)), figure});
        }
        if (parts[insight::SpendOther] != 0)
            out.push_back({of(tr("other costs")), withoutGpu(range)});
        return out;
    }

    Figure withoutGpu(base::TimeRange range) const
    {
        Figure figure = ofLedger("total", range);
        auto &categories = figure.include[LedgerDimension::Category];
        for (int i = 0; i <= static_cast<int>(model::LedgerCategory::Unexplained); ++i) {
            if (const auto category = static_cast<model::LedgerCategory>(i); category != model::LedgerCategory::Gpu)
                categories.emplace_back(model::toString(category));
        }
        return figure;
    }

    std::vector<Explained> listedDay(std::size_t at) const
    {
        if (at >= m_s.overview.days.size())
            return {};
        const insight::OverviewDay &day = m_s.overview.days[at];
        const base::TimeRange whole{m_s.zone.startOfLocalDay(day.localDay), m_s.zone.startOfLocalDay(day.localDay + 1)};
        const base::TimeRange range = whole.intersect(m_s.overview.range);
        const auto of = [&](const QString &part) -> QString {
            return tr("%1, %2", "part, day").arg(part, dayName(day.localDay));
        };
        std::vector<Explained> out{{of(tr("Spend")), ofUsage("cost.total", range)}};
        const insight::CostByState &cost = day.sums.cost;
        const std::array<std::int64_t, kStates.size()> parts{cost.active, cost.idle, cost.unallocated,
                                                             cost.unobservedHeld + cost.unobservedFree};
        for (std::size_t i = 0; i < kStates.size(); ++i) {
            if (parts[i] != 0)
                out.push_back({of(stateName(i)), ofUsage(kCosts[i], range)});
        }
        return out;
    }

    // In the order of the waterfall's steps.
    Explained factor(std::size_t step) const
    {
        const std::array<std::pair<QString, const char *>, 5> kFactors{
            {{tr("Change by price"), "price"}, // no-tr: a measure
             {tr("Change by work"), "hours"}, // no-tr: a measure
             {tr("Change by efficiency"), "efficiency"}, // no-tr: a measure
             {tr("Change by mix"), "mix"}, // no-tr: a measure
             {tr("Other change"), "other"}}}; // no-tr: a measure
        const auto &[name, measure] = kFactors.at(step);
        Figure figure;
        figure.kind = m_bills ? insight::FigureKind::SpendChange : insight::FigureKind::Change;
        figure.measure = measure;
        figure.range = m_s.overview.range;
        figure.before = m_s.overview.previous;
        if (m_bills) {
            figure.range = insight::nearestDays(figure.range);
            figure.before = insight::nearestDays(figure.before);
            figure.view = insight::MoneyView::Effective;
            figure.currency = m_s.spend->currency;
        } else {
            figure.filter = m_scope.filter;
        }
        return {name, figure};
    }

    Figure spendIn(base::TimeRange range, const char *listed) const
    {
        return m_bills ? ofLedger("total", insight::nearestDays(range)) : ofUsage(listed, range);
    }

    Figure ofUsage(const char *measure, base::TimeRange range) const
    {
        return insight::summaryFigure({range, m_scope.filter}, insight::Dimension::Team, m_team, measure);
    }

    Figure ofLedger(const char *measure, base::TimeRange days) const
    {
        Figure figure;
        figure.kind = insight::FigureKind::Ledger;
        figure.measure = measure;
        figure.range = days;
        figure.view = insight::MoneyView::Effective;
        figure.currency = m_s.spend->currency;
        if (m_team)
            figure.include[LedgerDimension::Team] = {*m_team};
        return figure;
    }

    const OverviewSnapshot &m_s;
    const Scope &m_scope;
    const bool m_bills;
    const std::optional<std::string> m_team;
};

} // namespace

std::vector<Explained> overviewExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                         const std::optional<std::string> &team)
{
    return OverviewProofs(snapshot, scope, money, team).all();
}

std::vector<Explained> overviewDayExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                            int day)
{
    return OverviewProofs(snapshot, scope, money).day(static_cast<std::size_t>(day));
}

std::vector<Explained> overviewStepExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                             int step)
{
    return OverviewProofs(snapshot, scope, money).step(static_cast<std::size_t>(step));
}

std::vector<Explained> overviewHiddenExplained(const OverviewSnapshot &snapshot, const QString &rowId)
{
    return OverviewProofs(snapshot, {}, OverviewMoney::Bills).hidden(rowId);
}

std::vector<Explained> overviewPriceExplained(const OverviewSnapshot &snapshot, const QString &gpuModel)
{
    return OverviewProofs(snapshot, {}, OverviewMoney::Bills).price(gpuModel);
}

} // namespace gpuledger::ui
