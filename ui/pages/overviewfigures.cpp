// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overviewfigures.h"

#include <QCoreApplication>

namespace gpuledger::ui {

namespace {

class OverviewProofs {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OverviewProofs)
public:
    OverviewProofs(const OverviewSnapshot &snapshot, const Scope &scope, const std::optional<std::string> &team)
        : m_s(snapshot)
        , m_scope(scope)
        , m_team(team)
    {
    }

    std::vector<Explained> all(OverviewMoney money) const
    {
        std::vector<Explained> out;
        if (money == OverviewMoney::Bills && m_s.spend) {
            out.push_back({named(tr("Billed, effective cost")), ofLedger("cost")});
            out.push_back({named(tr("Estimated by the price book")), ofLedger("priced")});
        } else {
            out.push_back({named(tr("Spend at list prices")), ofUsage("cost.total")});
        }
        out.push_back({named(tr("Idle cost")), ofUsage("cost.idle")});
        out.push_back({named(tr("Utilization")), ofUsage("utilization")});
        out.push_back({named(tr("Paid GPU-hours")), ofUsage("gpu-hours.paid")});
        out.push_back({named(tr("Observed share")), ofUsage("coverage")});
        return out;
    }

private:
    QString named(const QString &figure) const
    {
        return m_team ? tr("%1 of %2", "figure, team").arg(figure, QString::fromStdString(*m_team)) : figure;
    }

    insight::Figure ofUsage(const char *measure) const
    {
        return insight::summaryFigure({m_s.overview.range, m_scope.filter}, insight::Dimension::Team, m_team, measure);
    }

    insight::Figure ofLedger(const char *measure) const
    {
        insight::Figure figure;
        figure.kind = insight::FigureKind::Ledger;
        figure.measure = measure;
        figure.range = insight::nearestDays(m_s.overview.range);
        figure.view = insight::MoneyView::Effective;
        figure.currency = m_s.spend->currency;
        if (m_team)
            figure.include[insight::LedgerDimension::Team] = {*m_team};
        return figure;
    }

    const OverviewSnapshot &m_s;
    const Scope &m_scope;
    const std::optional<std::string> &m_team;
};

} // namespace

std::vector<Explained> overviewExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                         const std::optional<std::string> &team)
{
    return OverviewProofs(snapshot, scope, team).all(money);
}

} // namespace gpuledger::ui
