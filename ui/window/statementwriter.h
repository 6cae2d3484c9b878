// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <QPageSize>
#include <QString>

namespace gpuledger::services {
class BillingService;
class SavingsService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// The arguments of `gpuledger --statement`: a statement as a PDF file, without a window.
struct StatementRequest {
    QString month; // "2026-10"
    QString team; // empty: all teams
    QString file;
    bool billed = false; // otherwise effective cost
    QPageSize::PageSizeId paper = QPageSize::A4;
    bool withSavings = false; // not for a closed month
};

// Blocks. Fails with InvalidArgument (month; savings of a closed one), NotFound (nothing is stored for it, or for the
// team), or with the errors of the statement, the savings and the file.
[[nodiscard]] base::Result<void> writeStatement(services::BillingService &billing, services::SavingsService &savings,
                                                const StatementRequest &wish);

} // namespace gpuledger::ui
