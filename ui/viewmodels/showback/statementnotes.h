// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/showbackviewmodel.h"

#include <QString>
#include <QStringList>

namespace gpuledger::ui {

// What a statement says below its figures, in one currency: how certain the total is, what was wasted, and what the
// figures do not contain.
struct StatementNotes {
    QString range; // the range of the total: "1.00 to 2.00 USD"; empty: it is certain
    QString waste; // hours held and idle, their cost and what it would have bought; empty: none
    QStringList notes; // full sentences, including these two
};

// The waste of StatementNotes; `isDistant`: its money as distantAmount().
QString statementWaste(const ShowbackSnapshot &snapshot, const reports::CurrencyStatement &currency,
                       const reports::TeamStatement &team, bool isDistant);

// `team`: of that currency, or all of them as one if not isOneTeam. GUI thread, because of the translation.
StatementNotes statementNotes(const ShowbackSnapshot &snapshot, const reports::CurrencyStatement &currency,
                              const reports::TeamStatement &team, bool isOneTeam);

} // namespace gpuledger::ui
