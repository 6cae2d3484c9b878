// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Workspace that exports a month as a file.
#include "app/base/privatefolder.h"
#include "app/base/remedy.h"
#include "app/reports/reportfile.h"
#include "app/reports/reportmonth.h"
#include "app/services/environment/username.h"
#include "app/services/reports/reportkey.h"
#include "app/services/reports/reportsettings.h"
#include "app/services/workspace/billingperiods.h"
#include "app/services/workspace/workspaceprivate.h"
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

std::optional<insight::Month> Workspace::reportMonth() const
{
    return d->options.report ? std::optional(d->options.report->record.month) : std::nullopt;
}

Result<std::string> Workspace::writeReport(const insight::Month &month, const std::filesystem::path &file,
                                           const std::string &program)
{
    GPULEDGER_TRY(refuseInReport(d->options));
    const Setup &setup = d->setup();
    auto settings = reportSettingsText(setup.settings, setup.zone.name());
    GPULEDGER_TRY(settings);
    const auto key = signingKey(d->options.dataFolder);
    GPULEDGER_TRY(key);
    const auto folder = base::PrivateFolder::make();
    GPULEDGER_TRY(folder);
    const std::filesystem::path cache = (*folder)->path() / d->cache->file().filename();
    for (int i = 0; i < kCopyTries; ++i) {
        const auto generation = d->cache->generation();
        GPULEDGER_TRY(generation);
        BillingPeriods book(*d->cache, setup, d->catalog, clock().now());
        GPULEDGER_TRY(book.read());
        const auto kept = book.kept(month, true);
        GPULEDGER_TRY(kept);
        if (isEmpty(*kept))
            return base::fail(ErrorCode::NotFound, "nothing is stored for " + insight::toString(month),
                              base::Remedy::SyncMonth);
        std::error_code ignored;
        std::filesystem::remove(cache, ignored);
        GPULEDGER_TRY(d->cache->months().extract(cutOf(month), cache));
        const auto copied = generationOf((*folder)->path());
        GPULEDGER_TRY(copied);
        if (*copied != *generation)
            continue;
        auto statement = reports::toText(*kept);
        GPULEDGER_TRY(statement);
        reports::ReportHeader header;
        header.month = month;
        header.made = clock().now();
        header.program = program;
        header.actor = d->options.actor.empty() ? userName() : d->options.actor;
        header.state = reports::toString(kept->status.state);
        GPULEDGER_TRY(
            reports::writeReportFile(file, header, {std::move(*settings), std::move(*statement), cache}, *key));
        return base::fingerprintOf(key->publicKey());
    }
    return base::fail(ErrorCode::StorageBusy, "the figures of " + insight::toString(month) + " keep changing",
                      base::Remedy::WaitForSync);
}

} // namespace gpuledger::services
