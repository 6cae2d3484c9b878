// SPDX-License-Identifier: GPL-3.0-or-later
// The part of BillingService that exports a month as a file.
#include "app/base/files/privatefolder.h"
#include "app/base/remedy.h"
#include "app/reports/files/reportfile.h"
#include "app/reports/files/reportmonth.h"
#include "app/services/billing/billingperiods.h"
#include "app/services/billing/billingservice.h"
#include "app/services/engine/engine.h"
#include "app/services/reports/reportkey.h"
#include "app/services/reports/reportsettings.h"
#include "app/store/months/monthextract.h"

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using reports::KeptMonth;

namespace {

constexpr int kCopyTries = 5; // if others write between the statement and the copy

bool isEmpty(const KeptMonth &month)
{
    const insight::LedgerAnswer &figures = month.record.after;
    return figures.rows.empty() && figures.totals.empty() && month.record.adjustments.empty();
}

store::MonthCut cutOf(const insight::Month &month)
{
    const base::TimeRange range = month.range();
    return {insight::toString(month), base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1})};
}

Result<std::int64_t> generationOf(const std::filesystem::path &folder)
{
    auto copy = store::LedgerStore::open(folder, {true});
    GPULEDGER_TRY(copy);
    return (*copy)->generation();
}

} // namespace

Result<std::string> BillingService::writeReport(const insight::Month &month, const std::filesystem::path &file,
                                                const std::string &program)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    const Setup &setup = m_engine.setup();
    auto settings = reportSettingsText(setup.settings, setup.zone.name());
    GPULEDGER_TRY(settings);
    const auto key = signingKey(m_engine.options().dataFolder);
    GPULEDGER_TRY(key);
    const auto folder = base::PrivateFolder::make();
    GPULEDGER_TRY(folder);
    const std::filesystem::path cache = (*folder)->path() / m_engine.cache().file().filename();
    for (int i = 0; i < kCopyTries; ++i) {
        const auto generation = m_engine.cache().generation();
        GPULEDGER_TRY(generation);
        BillingPeriods book(m_engine.cache(), setup, m_engine.catalog(), m_engine.clock().now());
        GPULEDGER_TRY(book.read());
        const auto kept = book.kept(month, true);
        GPULEDGER_TRY(kept);
        if (isEmpty(*kept))
            return base::fail(ErrorCode::NotFound, "nothing is stored for " + insight::toString(month),
                              base::Remedy::SyncMonth);
        std::error_code ignored;
        std::filesystem::remove(cache, ignored);
        GPULEDGER_TRY(m_engine.cache().months().extract(cutOf(month), cache));
        const auto copied = generationOf((*folder)->path());
        GPULEDGER_TRY(copied);
        if (*copied != *generation)
            continue;
        auto statement = reports::toText(*kept);
        GPULEDGER_TRY(statement);
        reports::ReportHeader header;
        header.month = month;
        header.made = m_engine.clock().now();
        header.program = program;
        header.actor = m_engine.actor();
        header.state = reports::toString(kept->status.state);
        GPULEDGER_TRY(
            reports::writeReportFile(file, header, {std::move(*settings), std::move(*statement), cache}, *key));
        return base::fingerprintOf(key->publicKey());
    }
    return base::fail(ErrorCode::StorageBusy, "the figures of " + insight::toString(month) + " keep changing",
                      base::Remedy::WaitForSync);
}

} // namespace gpuledger::services
