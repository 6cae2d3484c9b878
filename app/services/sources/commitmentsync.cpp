// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/commitmentsync.h"

#include "app/base/text/text.h"
#include "app/ingest/paidmonth.h"
#include "app/services/commitments/commitmentmemory.h"
#include "app/services/engine/engine.h"
#include "app/services/sources/accesserror.h"
#include "app/services/sources/lately.h"
#include "app/services/sources/syncreport.h"

#include <memory>
#include <utility>

namespace gpuledger::services {

using base::Result;
using ports::CommitmentReport;
using ports::CommitmentSource;

namespace {

constexpr base::Seconds kAfterPaidFailure{3600};
constexpr std::size_t kLongestReason = 400;

bool isDue(const KeptCommitments &kept, const CommitmentSource &source, base::UtcTime now)
{
    if (kept.failedAt)
        return !kept.isFailurePaid || !wasWithin(kept.failedAt, kAfterPaidFailure, now);
    const bool isFreeAndPartial = !source.paid() && !kept.report.withheld.empty(); // the right may have been given
    return isFreeAndPartial || !wasWithin(kept.readAt, source.refresh(), now);
}

// Adds what the calls of `source` cost to the report, and to what is remembered.
Result<void> notePaid(Engine &engine, const CommitmentSource &source, SyncReport &report)
{
    const auto paid = source.paid();
    if (!paid || paid->requests == 0)
        return {};
    GPULEDGER_TRY(ingest::addPaid(engine.cache(), source.name(), *paid, engine.clock().now()));
    if (!report.paid) {
        report.paid = paid;
        return {};
    }
    const auto sum = report.paid->amount.plus(paid->amount);
    GPULEDGER_TRY(sum);
    report.paid->requests += paid->requests;
    report.paid->amount = *sum;
    return {};
}

// Accounts that read bills often may not see commitments: `commitments` and a test of the source say so, not each sync.
void warnOf(const base::Error &error, SyncReport &report)
{
    if (isOfAccess(error))
        return;
    report.partial = true;
    report.warnings.push_back("its commitments are left out: " + error.text);
}

// Before the first call that costs something, the try is kept as one that failed: where nothing can be kept, or after
// a kill, nothing is paid for again and again.
Result<void> noteTry(Engine &engine, const CommitmentSource &source, KeptCommitments &kept)
{
    kept.failedAt = engine.clock().now();
    kept.failure = "the reading did not end";
    kept.isFailurePaid = source.paid().has_value();
    return kept.isFailurePaid ? keepCommitments(engine.cache(), source.name(), kept) : Result<void>();
}

// Fails with what prevents that anything is kept.
Result<void> readAndKeep(Engine &engine, CommitmentSource &source, KeptCommitments kept, const std::stop_token &stop,
                         SyncReport &report)
{
    GPULEDGER_TRY(noteTry(engine, source, kept));
    auto read = source.read(engine.clock().now(), stop);
    const auto noted = notePaid(engine, source, report);
    if (read) {
        kept = {engine.clock().now(), std::move(*read), {}, {}, false};
    } else {
        const auto paid = source.paid();
        kept.isFailurePaid = paid && paid->requests > 0;
        kept.failure = base::printable(read.error().text, kLongestReason);
        if (read.error().code == base::ErrorCode::Cancelled)
            report.error = std::move(read).error();
        else
            warnOf(read.error(), report);
    }
    GPULEDGER_TRY(keepCommitments(engine.cache(), source.name(), kept));
    return noted;
}

} // namespace

void syncCommitments(Engine &engine, const model::SourceSettings &source, const std::stop_token &stop,
                     SyncReport &report)
{
    if (stop.stop_requested())
        return;
    const auto created = engine.catalog().createCommitments(source, engine.secrets(), engine.clock());
    if (!created) {
        warnOf(created.error(), report);
        return;
    }
    auto kept = keptCommitments(engine.cache(), source.name);
    auto done = kept ? Result<void>() : Result<void>(tl::unexpected(kept.error()));
    if (kept && isDue(*kept, **created, engine.clock().now()))
        done = readAndKeep(engine, **created, std::move(*kept), stop, report);
    if (!done && !report.error)
        report.error = std::move(done).error().withSource(source.name);
}

} // namespace gpuledger::services
