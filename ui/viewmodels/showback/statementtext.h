// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"
#include "app/reports/sharing/sharing.h"
#include "app/reports/statement/monthstatus.h"

#include <QString>

#include <cstdint>
#include <string>

namespace gpuledger::ui {

// The words and figures of a statement, shared by its sheet, the page and its documents. GUI thread, because of the
// translation.

// The sign-off state of the month: "Draft", "Reviewed", "Closed".
QString standingWord(const reports::MonthStatus &status);

QString monthName(const insight::Month &month); // "October 2026"
QString statementTeamName(const std::string &team); // "No team" for cost to which no rule could be applied
QString sharingRuleName(reports::SharingRule rule); // "in equal parts"
QString statementCategory(const std::string &category); // "Storage"
QString statementDay(base::UtcTime t); // in UTC, short
// With two decimals and the locale's separators, without the currency.
QString statementAmount(const base::Money &amount);
QString statementAmount(std::int64_t nanos);
// The same with a sign.
QString statementChange(const base::Money &amount);
QString statementChange(std::int64_t nanos);
// For reading from a distance: without decimals from 10 units on.
QString distantAmount(const base::Money &amount);
QString distantChange(const base::Money &amount); // with a sign

} // namespace gpuledger::ui
