// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/syncrun.h"

#include "app/base/text/log.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/cli/sources/allocationprint.h"
#include "ui/cli/sources/importprint.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/phrases/sentence.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::cli {

namespace {

using services::SyncReport;

// Whether an error is the program's own, such as a full disk, rather than the source's. A redirect, a missing exporter,
// an unusable credential or a bill with overflowing sums is the source's, and the other sources were synced.
bool isOurs(const base::Error &error)
{
    return exitStatus(error) == kConfig && error.code != base::ErrorCode::InvalidConfig
        && error.code != base::ErrorCode::Unsupported && error.code != base::ErrorCode::Overflow;
}

Json syncJson(const ingest::Gone &gone, bool accepted)
{
    if (gone.empty())
        return nullptr;
    return {{"series", gone.series},
            {"devices", gone.devices},
            {"hours", cli::toJson(std::optional(static_cast<double>(gone.time.count()) / 3600))},
            {"from", cli::toJson(gone.range.start)},
            {"to", cli::toJson(gone.range.end)},
            {"accepted", accepted}};
}

// The text of the last column: "done" only if nothing was postponed.
std::string resultOf(const SyncReport &r, bool csv)
{
    if (r.error)
        return std::string(base::toString(r.error->code));
    if (!r.gone.empty() && !r.goneAccepted)
        return "gone";
    if (!r.held.empty())
        return "held";
    if (r.partial)
        return "partial";
    const bool isWaiting =
        !r.waitingBills.empty() || std::any_of(r.bills.begin(), r.bills.end(), [](const ingest::BillOutcome &bill) {
            return bill.report && bill.report->outcome == ports::ImportReport::Outcome::Unfinished;
        });
    return isWaiting ? "waiting" : csv ? "" : "done";
}

void noteHalves(Output &out, const SyncReport &r)
{
    if (!r.gone.empty() && !r.goneAccepted)
        out.note(r.name + ": " + ingest::textOf(r.gone)
                 + ": what is stored stays, and the time is asked for again; if they were deleted there: sync --source "
                 + r.name + " --accept-gone");
    else if (!r.gone.empty())
        out.note(r.name + ": " + ingest::textOf(r.gone) + ": accepted; what is stored stays");
    if (r.partial)
        out.note(r.name + ": the server answered with a part of what it has: the time is asked for again");
}

Json syncJson(const SyncReport &r)
{
    Json row;
    row["name"] = r.name;
    row["kind"] = r.kind;
    row["from"] = r.range.empty() ? Json(nullptr) : cli::toJson(r.range.start);
    row["to"] = r.range.empty() ? Json(nullptr) : cli::toJson(r.range.end);
    row["accepted"] = r.accepted;
    row["rejected"] = r.rejected;
    row["gaps"] = r.gaps;
    row["bytes"] = r.bytes;
    row["seconds"] = cli::toJson(std::optional(r.seconds));
    row["error"] = r.error ? cli::toJson(*r.error) : Json(nullptr);
    row["reasons"] = Json::array();
    for (const auto &reason : r.reasons)
        row["reasons"].push_back({{"reason", reason.reason}, {"count", reason.count}});
    row["warnings"] = r.warnings;
    row["partial"] = r.partial;
    row["gone"] = syncJson(r.gone, r.goneAccepted);
    if (r.tellsBills) {
        row["known_deliveries"] = r.knownBills;
        row["deliveries"] = Json::array();
        for (const ingest::BillOutcome &bill : r.bills)
            row["deliveries"].push_back(cli::toJson(bill));
        row["waiting"] = Json::array();
        for (const ports::WaitingBill &file : r.waitingBills)
            row["waiting"].push_back(cli::toJson(file));
    }
    if (r.paid) {
        row["paid_requests"] = r.paid->requests;
        row["paid"] = cli::toJson(std::optional(r.paid->amount));
    }
    if (r.scanned)
        row["scanned_bytes"] = *r.scanned;
    if (r.tellsAllocations)
        addAllocations(row, r);
    if (r.machines)
        row["machines"] = {
            {"running", r.machines->machines}, {"gpus", r.machines->gpus}, {"without_telemetry", r.machines->unseen}};
    return row;
}

base::Result<void> printReports(Session &session, const std::vector<SyncReport> &reports, const base::TimeZone &zone)
{
    Output &out = session.out();
    if (out.json()) {
        Json rows = Json::array();
        for (const SyncReport &r : reports)
            rows.push_back(syncJson(r));
        return out.print(Json{{"sources", std::move(rows)}});
    }
    using Align = ui::TextTable::Align;
    ui::TextTable table(out.csv() ? std::vector<ui::TextTable::Column>{{"name"},
                                                                       {"kind"},
                                                                       {"from"},
                                                                       {"to"},
                                                                       {"accepted"},
                                                                       {"rejected"},
                                                                       {"gaps"},
                                                                       {"bytes"},
                                                                       {"seconds"},
                                                                       {"error"}}
                                  : std::vector<ui::TextTable::Column>{{"source"},
                                                                       {"kind"},
                                                                       {"from"},
                                                                       {"to"},
                                                                       {"accepted", Align::Right},
                                                                       {"rejected", Align::Right},
                                                                       {"with gaps", Align::Right},
                                                                       {"received", Align::Right},
                                                                       {"seconds", Align::Right},
                                                                       {"result"}});
    for (const SyncReport &r : reports) {
        const auto at = [&](base::UtcTime t) {
            return r.range.empty() ? std::string("-") : out.csv() ? base::toRfc3339(t) : ui::timeText(t, zone);
        };
        table.add({r.name, r.kind, at(r.range.start), at(r.range.end), std::to_string(r.accepted),
                   std::to_string(r.rejected), std::to_string(r.gaps),
                   out.csv() ? std::to_string(r.bytes) : ui::bytesText(r.bytes), ui::fixed(r.seconds, 1),
                   resultOf(r, out.csv())});
    }
    return out.print(out.csv() ? table.toCsv() : table.toText(out.bold()));
}

} // namespace

std::string progressText(const services::SyncProgress &p)
{
    if (p.bytesTotal > 0)
        return p.source + ": " + ui::percentText(static_cast<double>(p.bytes) / static_cast<double>(p.bytesTotal))
            + ", " + ui::bytesText(p.bytes) + ", " + std::to_string(p.lines) + " lines";
    if (p.daysTotal > 0)
        return p.source + ": " + std::to_string(p.days) + " of " + std::to_string(p.daysTotal) + " days, "
            + ui::bytesText(p.bytes);
    const double all = static_cast<double>(p.range.length().count());
    const double done = static_cast<double>((p.doneTo - p.range.start).count());
    std::string text = p.source + ": " + ui::percentText(all > 0 ? std::clamp(done / all, 0.0, 1.0) : 1.0) + ", "
        + ui::bytesText(p.bytes) + ", " + ui::fixed(p.bucketsPerSecond, 0) + " buckets/s";
    if (p.secondsLeft)
        text += ", " + ui::durationText(base::Seconds{std::llround(*p.secondsLeft)}) + " left";
    return text;
}

base::Result<int> runSync(Session &session, services::Workspace &workspace, const std::optional<std::string> &source,
                          services::SourceService::WhatIsGone gone)
{
    Output &out = session.out();
    const auto reports = workspace.sources().sync(
        source, session.stop(), [&](const services::SyncProgress &p) { out.progressLine(progressText(p)); }, gone);
    out.progressLine({});
    GPULEDGER_TRY(reports);
    GPULEDGER_TRY(printReports(session, *reports, workspace.timeZone()));
    int status = kDone;
    for (const SyncReport &r : *reports) {
        for (const std::string &warning : r.warnings)
            out.note(r.name + ": " + warning);
        for (const auto &reason : r.reasons)
            out.note(r.name + ": " + std::to_string(reason.count) + " rejected: " + reason.reason);
        for (const ingest::BillOutcome &bill : r.bills) {
            noteImport(out, r.name, bill, session.options().verbose);
            if (bill.error && r.error && bill.error->text != r.error->text) // the exit status reports that one
                out.note(ui::sentenceFor(*bill.error));
        }
        for (const ports::WaitingBill &file : r.waitingBills)
            noteWaiting(out, r.name, file, workspace.timeZone());
        if (r.paid && r.paid->requests > 0)
            out.note(r.name + ": " + std::to_string(r.paid->requests)
                     + (r.paid->requests == 1 ? " paid request, " : " paid requests, ") + chargeText(r.paid->amount));
        if (r.scanned && *r.scanned > 0)
            out.note(r.name + ": queries scanned " + ui::bytesText(*r.scanned) + ", which are charged for");
        if (r.tellsAllocations)
            noteAllocations(out, r, session.options().verbose);
        if (r.machines && r.machines->unseen > 0)
            out.note(r.name + ": " + std::to_string(r.machines->unseen) + " of " + std::to_string(r.machines->machines)
                     + " machines with GPUs have no telemetry: what they do is unknown");
        noteHalves(out, r);
        if (!r.error && !r.whole() && status == kDone)
            status = kLook;
        if (!r.error)
            continue;
        out.failure(*r.error);
        const int own = isOurs(*r.error) ? kConfig : kSourceFailed;
        status = status == kDone || status == kLook ? own : std::min(status, own);
    }
    // Only a copy: a question about savings makes it too, and reports what is wrong.
    if (const auto kept = workspace.savings().keepDays(session.stop()); !kept)
        base::log::info("savings", "no days are prepared for savings: " + kept.error().text);
    return status;
}

} // namespace gpuledger::cli
