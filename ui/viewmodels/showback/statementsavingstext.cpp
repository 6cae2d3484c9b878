// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/statementsavingstext.h"

#include "ui/format/local/celltext.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "ui/viewmodels/showback/statementtext.h"

#include <QCoreApplication>

namespace gpuledger::ui {

using reports::StatementSaving;
using Part = StatementSaving::Part;

namespace {

class SavingsWriter {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StatementSavings)
public:
    static QString name(const StatementSaving &row)
    {
        const int count = static_cast<int>(row.count);
        switch (row.part) {
        case Part::Found:
            return tr("Found: %n proposal(s)", nullptr, count);
        case Part::Realized:
            return realized(row);
        case Part::Accepted:
            return tr("Accepted: %1", "proposal").arg(about(row));
        case Part::Proposal:
            break;
        }
        return about(row);
    }

    static QString who(const StatementSaving &row)
    {
        const QString team = row.team.empty() ? QString() : statementTeamName(row.team);
        if (row.part != Part::Accepted)
            return team;
        const QString owner = row.due
            ? tr("%1, by %2", "person, day").arg(textOf(row.owner), SavingsText::day(*row.due))
            : textOf(row.owner);
        return team.isEmpty() ? owner : tr("%1: %2", "team, person").arg(team, owner);
    }

    static QString note(const reports::StatementSavings &savings)
    {
        const QString when = statementDay(savings.asOf);
        if (savings.past.empty())
            return tr("Per month of 730 hours, as of %1; in no other figure.", "day").arg(when);
        return tr("Per month of 730 hours, as of %1, replayed from %2 to %3; in no other figure.", "days")
            .arg(when, statementDay(savings.past.start), statementDay(savings.past.end - base::Seconds{1}));
    }

private:
    static QString realized(const StatementSaving &row)
    {
        const int count = static_cast<int>(row.count);
        if (row.stops == 0)
            return tr("Realized so far: %n proposal(s)", nullptr, count);
        const QString stops = tr("%n stop(s)", nullptr, static_cast<int>(row.stops));
        if (row.count == 0)
            return tr("Realized so far: %1", "\"3 stops\"").arg(stops);
        return tr("Realized so far: %n proposal(s), %1", "\"3 stops\"", count).arg(stops);
    }

    static QString about(const StatementSaving &row)
    {
        savings::Proposal proposal;
        proposal.target = row.target;
        const auto kind = savings::kindFrom(row.kind);
        if (!kind)
            return textOf(row.target);
        proposal.kind = *kind;
        return SavingsText::what(proposal);
    }
};

} // namespace

std::vector<StatementSheet::Saving> savingRows(const reports::StatementSavings &savings)
{
    std::vector<StatementSheet::Saving> out;
    for (const StatementSaving &row : savings.rows) {
        StatementSheet::Saving one{SavingsWriter::name(row), SavingsWriter::who(row), textOf(row.currency), {}, {}, {}};
        if (row.perMonth) {
            one.low = statementAmount(row.perMonth->p10);
            one.middle = statementAmount(row.perMonth->p50);
            one.high = statementAmount(row.perMonth->p90);
        }
        out.push_back(std::move(one));
    }
    return out;
}

QString savingsNote(const reports::StatementSavings &savings)
{
    return SavingsWriter::note(savings);
}

} // namespace gpuledger::ui
