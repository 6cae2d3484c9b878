// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/model/money/chargeback.h"
#include "app/reports/statement/statement.h"

#include <cstdint>
#include <string>
#include <vector>

// A month's cost as double-entry bookings in the company's own accounts: each team and category is debited, one
// clearing account is credited. Pure; any thread.
namespace gpuledger::reports {

// A debit or a credit.
struct JournalLine {
    std::string reference; // of the entry that it belongs to; each entry balances by itself
    std::string account, costCenter; // costCenter may be empty
    base::Currency currency;
    std::int64_t debit = 0, credit = 0; // minor units; one of them is 0, the other is positive
    std::string description;
};

// Totals of one currency, over all lines of the journal.
struct JournalSum {
    base::Money exact; // the amount according to the statement
    std::int64_t charged = 0; // minor units: `exact`, rounded per entry
    base::Money leftOut; // estimates, if they are not charged
};

// The bookings of a month.
struct Journal {
    insight::Month month;
    std::vector<JournalLine> lines; // by currency; the month's entry, then one per closed month that is adjusted
    std::vector<JournalSum> sums; // ascending by currency
};

// `all` is the statement of all teams; `team` selects the lines of one, empty: all. Amounts are rounded over all teams
// either way (base::inMinorUnits), so that a team's lines are the same in both. Fails with InvalidConfig (no clearing
// account), Refused (teams without an account and no default account: it names them), NotFound (no such team) or
// Overflow.
[[nodiscard]] base::Result<Journal> journalOf(const Statement &all, const model::ChargebackSettings &settings,
                                              const std::string &team = {});

// Columns: date, reference, account, cost_center, debit, credit, currency, description. The date is the month's last
// day; external text is treated as data.
std::string toCsv(const Journal &journal);

} // namespace gpuledger::reports
