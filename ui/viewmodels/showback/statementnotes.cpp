// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/statementnotes.h"

#include "app/base/text/text.h"
#include "app/ledger/rules/ownerrules.h"
#include "app/reports/statement/certainty.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/showback/statementtext.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>

namespace gpuledger::ui {

using reports::CurrencyStatement;
using reports::StatementLine;
using reports::TeamStatement;

namespace {

class NotesWriter {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StatementText)
public:
    NotesWriter(const ShowbackSnapshot &snapshot, base::Currency currency, bool isOneTeam)
        : m_s(snapshot)
        , m_currency(codeOf(currency))
        , m_isOneTeam(isOneTeam)
    {
    }

    StatementNotes notes(const CurrencyStatement &currency, const TeamStatement &team) const
    {
        StatementNotes out;
        putRange(out, currency, team);
        out.waste = idleText(team, false);
        if (!out.waste.isEmpty())
            out.notes << out.waste;
        putBillNote(out, currency);
        putEstimateNote(out, team);
        putUnknownTypes(out, currency.currency);
        if (!m_s.history.isWhole())
            out.notes << tr("Costs before %1 were not kept with this month and are not in the chart.", "month")
                             .arg(monthName(reports::before(m_s.month)));
        base::GpuTime unpriced;
        for (const StatementLine &line : team.lines)
            unpriced += line.unpriced;
        if (unpriced.ticks > 0)
            out.notes << tr("%1 have no price and are not in any sum.").arg(LocalText::gpuHours(unpriced.hours()));
        if (m_s.statement.isCut())
            out.notes << tr("GPU time was fetched only from %1 to %2: what was used before and after is missing.")
                             .arg(statementDay(m_s.statement.observed.start), statementDay(m_s.statement.observed.end));
        out.notes << tr("GPU time pays the whole price of its machine, in equal shares (split policy gpu-first); held "
                        "time is charged to its holder, even while idle; unallocated time to the node's owner.");
        return out;
    }

private:
    static QString dayOf(const std::string &date) // YYYY-MM-DD
    {
        return QLocale().toString(QDate::fromString(textOf(date), Qt::ISODate), QLocale::ShortFormat);
    }

    void putEstimateNote(StatementNotes &out, const TeamStatement &team) const
    {
        if (team.estimated.isZero())
            return;
        const QString money = statementAmount(team.estimated) + QLatin1Char(' ') + m_currency;
        const QString note = team.cost.isZero()
            ? tr("Everything is estimated by OpenCost, Kubecost or the price book: no bill covers this time",
                 "start of a sentence")
            : tr("%1 of it are estimated by OpenCost, Kubecost or the price book, for time that no bill covers",
                 "start of a sentence; money")
                  .arg(money);
        const QString age = team.oldPriced.isZero()
            ? QString()
            : tr("; %1 of that at list prices of %2 and later, which are outdated", "end of a sentence; money, date")
                  .arg(statementAmount(team.oldPriced) + QLatin1Char(' ') + m_currency, dayOf(team.oldestPrice));
        out.notes << note + age + QLatin1Char('.');
    }

    // From the current facts: a closed month is what was kept.
    void putUnknownTypes(StatementNotes &out, base::Currency currency) const
    {
        constexpr qsizetype kMostTypes = 5;
        constexpr std::size_t kShownType = 64; // bytes
        if (m_isOneTeam || m_s.statement.status.state == reports::MonthState::Closed)
            return;
        QStringList types;
        for (const insight::UnknownGpuType &one : m_s.reconciliation.unknownTypes) {
            if (one.billed.currency() != currency)
                continue;
            const base::Money &cost = m_s.statement.view == reports::CostView::Billed ? one.billed : one.effective;
            types << tr("%1 (%2 %3)", "instance type, amount, currency")
                         .arg(one.type.empty() ? textOf(one.cloud) : textOf(base::printable(one.type, kShownType)),
                              statementAmount(cost), m_currency);
        }
        if (types.isEmpty())
            return;
        if (types.size() > kMostTypes)
            types = types.mid(0, kMostTypes) << tr("and others", "end of a list");
        out.notes << tr("The bill has machines with GPUs of types that the price list lacks: %1.",
                        "list of types with money")
                         .arg(types.join(QStringLiteral("; ")));
    }

    // The range of the total, if known, and why it is uncertain.
    void putRange(StatementNotes &out, const CurrencyStatement &currency, const TeamStatement &team) const
    {
        const reports::Range range = reports::rangeOfTotal(m_s.statement, currency, m_isOneTeam ? &team : nullptr);
        if (range.low == range.high)
            return;
        out.range = tr("from %1 to %2 %3", "amount, amount, currency")
                        .arg(statementAmount(range.low), statementAmount(range.high), m_currency);
        if (team.team.empty() || team.team == ledger::kUnowned)
            out.notes << tr("It has no owner: parts of it may belong to teams, which leaves %1.", "range (from A to B)")
                             .arg(out.range);
        else
            out.notes << tr("The total may lie anywhere %1: %2.", "range (from A to B), reasons")
                             .arg(out.range, doubts(range).join(QStringLiteral("; ")));
    }

    // The reasons why the total may differ by a known amount.
    QStringList doubts(const reports::Range &range) const
    {
        QStringList out;
        for (const reports::Uncertainty &doubt : range.doubts) {
            const QString money = statementAmount(doubt.amount) + QLatin1Char(' ') + m_currency;
            if (doubt.kind == reports::Uncertainty::Kind::Unowned)
                out << tr("%1 have no owner, and may be this team's", "money").arg(money);
            if (doubt.kind == reports::Uncertainty::Kind::SharedEqually)
                out << tr("%1 are for GPUs that several held at once, split equally because nothing measured who used "
                          "how much",
                          "money")
                           .arg(money);
        }
        return out;
    }

public:
    QString idleText(const TeamStatement &team, bool isDistant) const
    {
        if (team.idle.nanos() <= 0 || !team.idleTime)
            return {};
        const QString cost =
            (isDistant ? distantAmount(team.idle) : statementAmount(team.idle)) + QLatin1Char(' ') + m_currency;
        const auto &rate = m_s.commonest;
        if (!rate || rate->perHour.currency() != team.idle.currency() || rate->perHour.nanos() <= 0) {
            return tr("%1 were held and idle: %2.", "GPU-hours, money")
                .arg(LocalText::gpuHours(team.idleTime->hours()), cost);
        }
        const double hours = units(team.idle.nanos()) / units(rate->perHour.nanos());
        return tr("%1 were held and idle: %2, which would have paid for %3 of %4 at this month's price.",
                  "GPU-hours, money, GPU-hours, GPU model")
            .arg(LocalText::gpuHours(team.idleTime->hours()), cost, LocalText::gpuHours(hours), textOf(rate->model));
    }

private:
    void putBillNote(StatementNotes &out, const CurrencyStatement &currency) const
    {
        if (!currency.hasBill) {
            out.notes << tr(
                "No bill is stored for this month: everything is estimated by OpenCost, Kubecost or the price "
                "book.");
            return;
        }
        out.notes << tr("Difference to bill, all teams together: %1 %2; unexplained: %3 %2.",
                        "amount, currency, amount")
                         .arg(statementAmount(currency.difference()), m_currency,
                              statementAmount(currency.unexplained));
    }

    const ShowbackSnapshot &m_s;
    const QString m_currency;
    const bool m_isOneTeam;
};

} // namespace

QString statementWaste(const ShowbackSnapshot &snapshot, const CurrencyStatement &currency, const TeamStatement &team,
                       bool isDistant)
{
    return NotesWriter(snapshot, currency.currency, true).idleText(team, isDistant);
}

StatementNotes statementNotes(const ShowbackSnapshot &snapshot, const CurrencyStatement &currency,
                              const TeamStatement &team, bool isOneTeam)
{
    return NotesWriter(snapshot, currency.currency, isOneTeam).notes(currency, team);
}

} // namespace gpuledger::ui
