// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/base/time/timezone.h"
#include "app/model/money/costview.h"
#include "app/reports/documents/workbook.h"
#include "app/savings/assumptions/assumptions.h"
#include "app/savings/proposals/choice.h"
#include "app/savings/proposals/proposal.h"

#include <optional>
#include <string>
#include <vector>

// Savings as a workbook in English: proposals, what they assume, and what accepted ones really saved. The command line
// and the window write the same. Pure but for the temporary file of reports::toXlsx; any thread.
namespace gpuledger::ui {

struct SavingsBook {
    savings::SavingsList list; // the proposals to write
    model::CostView cost = model::CostView::Effective;
    savings::Assumptions assumptions;
    std::optional<savings::Kind> kind; // whose assumptions; std::nullopt: all
    std::vector<savings::Choice> choices; // the newest of each proposal
    // std::nullopt: not measured; the sheet says so.
    std::optional<std::vector<savings::Realized>> realized;
    std::vector<savings::Choice> realizedOf; // the choices that `realized` is about
    base::TimeZone zone;
    base::Day today; // in the zone: decides which choices are in force
};

std::vector<reports::WorkbookSheet> savingsSheets(const SavingsBook &book);
// Fails as reports::toXlsx.
[[nodiscard]] base::Result<std::string> savingsXlsx(const SavingsBook &book);

} // namespace gpuledger::ui
