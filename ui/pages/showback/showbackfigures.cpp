// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/showback/showbackfigures.h"

#include "ui/format/local/celltext.h"
#include "ui/viewmodels/showback/statementsheet.h"
#include "ui/viewmodels/showback/statementtext.h"

#include <QCoreApplication>

#include <algorithm>

namespace gpuledger::ui {

using insight::Figure;
using insight::FigureKind;
using insight::LedgerDimension;
using insight::MoneyView;
using insight::Month;
using reports::CurrencyStatement;
using reports::TeamStatement;

namespace {

class ShowbackProofs {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ShowbackProofs)
public:
    explicit ShowbackProofs(const ShowbackSnapshot &snapshot)
        : m_s(snapshot)
        , m_view(snapshot.statement.view == reports::CostView::Billed ? MoneyView::Billed : MoneyView::Effective)
    {
    }

    std::vector<Explained> team(const std::string &name) const
    {
        std::vector<Explained> out;
        for (const CurrencyStatement &currency : m_s.statement.currencies)
            addTeam(out, currency, name);
        return out;
    }

    std::vector<Explained> all() const
    {
        std::vector<Explained> out;
        for (const CurrencyStatement &currency : m_s.statement.currencies) {
            const Figure figure = of(currency.currency);
            const auto add = [&](const QString &name, const char *measure) {
                put(out, named(name, currency.currency), figure, measure);
            };
            add(tr("Billed, all teams"), "cost"); // no-tr: a measure
            if (!currency.estimated.isZero())
                add(tr("Estimated, all teams"), "estimated"); // no-tr: a measure
            if (!currency.unowned.isZero())
                add(tr("Without an owner"), "unowned"); // no-tr: a measure
            if (!currency.hasBill)
                continue;
            add(tr("Bill"), "bill"); // no-tr: a measure
            add(tr("Difference to bill"), "difference"); // no-tr: a measure
            add(tr("Unexplained"), "unexplained"); // no-tr: a measure
        }
        return out;
    }

    std::vector<Explained> row(const std::optional<std::string> &team, const StatementSheet &sheet,
                               const SheetRow &place) const
    {
        const CurrencyStatement *currency =
            place.section < sheet.sections.size() ? currencyOf(sheet.sections[place.section].currency) : nullptr;
        if (!currency)
            return {};
        const StatementSheet::Section &section = sheet.sections[place.section];
        std::vector<Explained> out;
        if (place.table == SheetRow::Team && place.row < section.teams.size())
            addTeam(out, *currency, section.teams[place.row].team);
        else if (place.table == SheetRow::Line && place.row < section.lines.size())
            addLine(out, *currency, team, section.lines[place.row]);
        else if (place.table == SheetRow::Workload && place.row < section.workloads.size())
            addWorkload(out, *currency, team, section.workloads[place.row]);
        return out;
    }

    std::vector<Explained> reconciliation() const
    {
        std::vector<Explained> out;
        for (const insight::ReconcileTotal &total : m_s.reconciliation.totals) {
            const Figure figure = insight::monthFigure(FigureKind::Reconcile, m_s.month, m_view, total.currency, {});
            const auto add = [&](const QString &name, const char *measure) {
                put(out, named(name, total.currency), figure, measure);
            };
            add(tr("Bill"), "bill"); // no-tr: a measure
            add(tr("Ledger"), "ledger"); // no-tr: a measure
            add(tr("Difference to bill"), "difference"); // no-tr: a measure
            add(tr("Unexplained"), "unexplained"); // no-tr: a measure
        }
        for (const CurrencyStatement &currency : m_s.statement.currencies) {
            if (!currency.estimated.isZero())
                put(out, named(tr("Not billed (estimated)"), currency.currency), of(currency.currency),
                    "estimated"); // no-tr: a measure
        }
        return out;
    }

private:
    Figure of(base::Currency currency, std::optional<Month> month = {}) const
    {
        return insight::monthFigure(FigureKind::Showback, month.value_or(m_s.month), m_view, currency, {});
    }
    static void put(std::vector<Explained> &out, const QString &name, Figure figure, const char *measure)
    {
        figure.measure = measure;
        out.push_back({name, std::move(figure)});
    }
    QString named(const QString &figure, base::Currency currency) const
    {
        return m_s.statement.currencies.size() > 1 ? tr("%1, %2", "figure, currency").arg(figure, codeOf(currency))
                                                   : figure;
    }
    const CurrencyStatement *currencyOf(const QString &code) const
    {
        for (const CurrencyStatement &one : m_s.statement.currencies) {
            if (codeOf(one.currency) == code)
                return &one;
        }
        return nullptr;
    }
    static const TeamStatement *teamIn(const CurrencyStatement &currency, const std::string &name)
    {
        const auto it = std::find_if(currency.teams.begin(), currency.teams.end(),
                                     [&](const TeamStatement &one) { return one.team == name; });
        return it == currency.teams.end() || it->lines.empty() ? nullptr : &*it;
    }

    void addTeam(std::vector<Explained> &out, const CurrencyStatement &currency, const std::string &name) const
    {
        const TeamStatement *team = teamIn(currency, name);
        if (!team)
            return;
        Figure figure = of(currency.currency);
        figure.team = name;
        const auto add = [&](const QString &what, const char *measure) {
            put(out, named(tr("%1 of %2", "figure, team").arg(what, statementTeamName(name)), currency.currency),
                figure, measure);
        };
        add(tr("Total"), "team.total"); // no-tr: a measure
        add(tr("Billed"), "team.cost"); // no-tr: a measure
        if (!team->estimated.isZero())
            add(tr("Estimated"), "team.estimated"); // no-tr: a measure
        add(tr("Idle cost"), "team.idle"); // no-tr: a measure
        if (team->gpuTime)
            add(tr("GPU-hours"), "team.gpu-hours"); // no-tr: a measure
        if (team->idleTime)
            add(tr("Idle GPU-hours"), "team.idle-gpu-hours"); // no-tr: a measure
        if (currency.sharing && !team->moved.isZero()) {
            add(tr("Shared out"), "team.moved"); // no-tr: a measure
            add(tr("Charged"), "team.charged"); // no-tr: a measure
        }
        addChange(add, *team);
        if (team->change && !team->change->before.isZero()) {
            Figure before = of(currency.currency, reports::before(m_s.month));
            before.team = name;
            put(out,
                named(tr("%1 of %2", "month, team").arg(monthName(before.month), statementTeamName(name)),
                      currency.currency),
                before, "team.total"); // no-tr: a measure
        }
    }

    // The components of the change that are not zero.
    template <typename Add> static void addChange(const Add &add, const TeamStatement &team)
    {
        if (!team.change || team.change->before.isZero())
            return;
        const auto part = [&](const std::optional<base::Money> &amount, const QString &name, const char *measure) {
            if (amount && !amount->isZero())
                add(name, measure);
        };
        const reports::StatementChange &change = *team.change;
        part(change.price, tr("Change by price"), "team.change.price"); // no-tr: a measure
        part(change.hours, tr("Change by work"), "team.change.hours"); // no-tr: a measure
        part(change.efficiency, tr("Change by efficiency"), "team.change.efficiency"); // no-tr: a measure
        part(change.mix, tr("Change by mix"), "team.change.mix"); // no-tr: a measure
        part(change.other, tr("Other change"), "team.change.other"); // no-tr: a measure
        part(change.policy, tr("Change by other rules"), "team.change.policy"); // no-tr: a measure
        part(change.late, tr("Change by late data"), "team.change.late"); // no-tr: a measure
    }

    void addLine(std::vector<Explained> &out, const CurrencyStatement &currency, const std::optional<std::string> &team,
                 const StatementSheet::Line &line) const
    {
        if (line.category.empty()) { // the total
            if (team)
                addTeam(out, currency, *team);
            else
                out = all();
            return;
        }
        const TeamStatement every = team ? TeamStatement() : reports::allTeams(currency);
        const TeamStatement *whose = team ? teamIn(currency, *team) : &every;
        if (!whose)
            return;
        const auto it = std::find_if(whose->lines.begin(), whose->lines.end(), [&](const reports::StatementLine &one) {
            return one.category == line.category && one.state == line.state;
        });
        if (it == whose->lines.end()) // only the previous month had it
            return;
        Figure figure = of(currency.currency);
        figure.team = team;
        figure.category = line.category;
        figure.state = line.state;
        const auto add = [&](const QString &what, const char *measure) {
            put(out, named(tr("%1: %2", "line, figure").arg(line.name, what), currency.currency), figure, measure);
        };
        if (!it->cost.isZero() || it->estimated.isZero())
            add(tr("Billed"), "line.cost"); // no-tr: a measure
        if (!it->estimated.isZero())
            add(tr("Estimated"), "line.estimated"); // no-tr: a measure
        if (it->gpuTime)
            add(tr("GPU-hours"), "line.gpu-hours"); // no-tr: a measure
        if (it->unpriced.ticks > 0)
            add(tr("GPU-hours without a price"), "line.unpriced-gpu-hours"); // no-tr: a measure
    }

    // The ledger of a closed month does not keep workload names, so their figures cannot be recomputed.
    void addWorkload(std::vector<Explained> &out, const CurrencyStatement &currency,
                     const std::optional<std::string> &team, const StatementSheet::Workload &workload) const
    {
        if (!team || m_s.statement.status.state == reports::MonthState::Closed)
            return;
        Figure figure;
        figure.kind = FigureKind::Ledger;
        figure.range = m_s.month.range();
        figure.view = m_view;
        figure.currency = currency.currency;
        figure.include = {{LedgerDimension::Team, {*team}},
                          {LedgerDimension::NameSpace, {workload.nameSpace}},
                          {LedgerDimension::Workload, {workload.workload}}};
        const auto add = [&](const QString &what, const char *measure) {
            put(out, named(tr("%1 of %2", "figure, workload").arg(what, workload.name), currency.currency), figure,
                measure);
        };
        add(tr("Cost"), "total"); // no-tr: a measure
        add(tr("GPU-hours"), "gpu-hours"); // no-tr: a measure
        figure.include[LedgerDimension::State] = {"idle"};
        add(tr("Idle cost"), "total"); // no-tr: a measure
    }

    const ShowbackSnapshot &m_s;
    const MoneyView m_view;
};

} // namespace

std::vector<Explained> showbackTeamExplained(const ShowbackSnapshot &snapshot, const std::string &team)
{
    return ShowbackProofs(snapshot).team(team);
}

std::vector<Explained> showbackAllExplained(const ShowbackSnapshot &snapshot)
{
    return ShowbackProofs(snapshot).all();
}

std::vector<Explained> showbackRowExplained(const ShowbackSnapshot &snapshot, const std::optional<std::string> &team,
                                            const StatementSheet &sheet, const std::optional<SheetRow> &row)
{
    const ShowbackProofs proofs(snapshot);
    std::vector<Explained> out = row ? proofs.row(team, sheet, *row) : std::vector<Explained>();
    if (out.empty())
        out = team ? proofs.team(*team) : proofs.all();
    return out;
}

std::vector<Explained> reconcileExplained(const ShowbackSnapshot &snapshot)
{
    return ShowbackProofs(snapshot).reconciliation();
}

} // namespace gpuledger::ui
