// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/statementwriter.h"

#include "app/base/text/text.h"
#include "app/services/billing/billingservice.h"
#include "ui/export/exportfile.h"
#include "ui/export/statementexport.h"
#include "ui/export/statementprint.h"

namespace gpuledger::ui {

using base::ErrorCode;

base::Result<void> writeStatement(services::BillingService &billing, services::SavingsService &savings,
                                  const StatementRequest &wish)
{
    const auto month = insight::monthFromString(wish.month.toStdString());
    if (!month)
        return base::fail(ErrorCode::InvalidArgument,
                          "\"" + base::printable(wish.month.toStdString(), 32) + "\" is not a month",
                          "write it as 2026-10");
    const auto view = wish.billed ? reports::CostView::Billed : reports::CostView::Effective;
    auto detail = billing.statementDetail(*month, view);
    GPULEDGER_TRY(detail);
    // Sheets need no other part of the page; for a closed month, current data are not queried.
    auto snapshot = std::make_shared<ShowbackSnapshot>();
    snapshot->month = *month;
    snapshot->statement = std::move(detail->statement);
    snapshot->history = std::move(detail->history);
    snapshot->commonest = std::move(detail->commonest);
    StatementExport::What wanted{std::move(snapshot), std::nullopt, wish.withSavings};
    if (!wish.team.isEmpty())
        wanted.team = wish.team.toStdString();
    const auto what = wish.withSavings ? StatementExport::withFoundSavings(savings, wanted)
                                       : base::Result<StatementExport::What>(wanted);
    GPULEDGER_TRY(what);
    const auto sheets = StatementExport::sheetsOf(*what);
    if (sheets.front().sections.empty())
        return base::fail(ErrorCode::NotFound, "there are no figures for this statement",
                          "see the months with: gpuledger-cli showback --months");
    const auto pdf = statementPdf(sheets, DocumentLook::onPaper(kPdfDotsPerInch), wish.paper);
    GPULEDGER_TRY(pdf);
    return writeExportFile(wish.file, *pdf);
}

} // namespace gpuledger::ui
