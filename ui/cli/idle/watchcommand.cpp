// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/watchcommand.h"

#include "app/base/text/log.h"
#include "app/services/actions/actionservice.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/cli/alerts/alertsdeskprint.h"
#include "ui/cli/idle/actprint.h"
#include "ui/cli/idle/rulemarkstep.h"
#include "ui/cli/program/output.h"
#include "ui/cli/sources/allocationprint.h"
#include "ui/format/actions/resultphrase.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace gpuledger::cli {

using base::Result;

namespace {

constexpr base::Seconds kShortest{10};
constexpr base::Seconds kShortestPause{1}; // between two deliveries

// Writes one line and flushes it, because the reader may be a pipe.
Result<void> tell(Output &out, const Json &line)
{
    GPULEDGER_TRY(
        out.print(out.withDamage(line).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'));
    return out.flush();
}

Json lineOf(const services::SyncReport &report, base::UtcTime at)
{
    Json line{{"at", cli::toJson(at)}, {"event", "sync"}, {"source", report.name}, {"kind", report.kind}};
    line["from"] = report.range.empty() ? Json(nullptr) : cli::toJson(report.range.start);
    line["to"] = report.range.empty() ? Json(nullptr) : cli::toJson(report.range.end);
    line["accepted"] = report.accepted;
    line["rejected"] = report.rejected;
    line["whole"] = report.whole(); // false: a part of what the source has or had
    if (!report.gone.empty())
        line["gone"] = ingest::textOf(report.gone);
    if (!report.held.empty())
        line["held"] = cli::toJson(report.held);
    line["error"] = report.error ? cli::toJson(*report.error) : Json(nullptr);
    return line;
}

Json lineOf(const model::ActionRecord &record, const char *event, base::UtcTime at)
{
    return {{"at", cli::toJson(at)},
            {"event", event},
            {"action", record.id},
            {"state", std::string(toString(record.state))},
            {"result", textOrNull(ui::plainText(record))}};
}

// An event of the watch: its time and name, then the fields of `fields`, except for its own time.
Json eventOf(const char *event, base::UtcTime at, const Json &fields)
{
    Json line{{"at", cli::toJson(at)}, {"event", event}};
    for (const auto &[name, value] : fields.items())
        line[name == "at" ? "changed" : name] = value;
    return line;
}

base::Seconds pauseOf(const model::Settings &settings)
{
    base::Seconds every{300};
    for (const model::SourceSettings &source : settings.sources)
        every = std::min(every, source.every);
    return std::max(every, kShortest);
}

// Returns false if a stop was requested.
bool waitFor(base::Seconds time, const std::stop_token &stop)
{
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

} // namespace

void WatchCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "watch",
                     "Syncs on a schedule, sends the notices of alerts, and runs scheduled stops if the configuration"
                     " allows it",
                     "gpuledger-cli watch");
    m_verb->add_flag("--once", m_once, "One round, for cron");
}

Result<void> WatchCommand::round(Session &session, services::Workspace &workspace)
{
    Output &out = session.out();
    const auto settled = workspace.actions().settle(session.stop());
    GPULEDGER_TRY(settled);
    for (const model::ActionRecord &record : *settled)
        GPULEDGER_TRY(tell(out, lineOf(record, "settled", session.clock().now())));
    const auto reports = workspace.sources().sync(std::nullopt, session.stop(), {});
    GPULEDGER_TRY(reports);
    for (const services::SyncReport &report : *reports)
        GPULEDGER_TRY(tell(out, lineOf(report, session.clock().now())));
    GPULEDGER_TRY(alerts(session, workspace));
    GPULEDGER_TRY(markForAlerts(session, workspace));
    return marks(session, workspace);
}

// A failure here is reported; the next round tries again.
Result<void> WatchCommand::alerts(Session &session, services::Workspace &workspace)
{
    Output &out = session.out();
    const auto failed = [&](const Json &error) {
        return tell(out, {{"at", cli::toJson(session.clock().now())}, {"event", "alerts"}, {"error", error}});
    };
    const auto round = workspace.alertDesk().evaluate(session.stop());
    if (!round && round.error().code == base::ErrorCode::Cancelled)
        return base::fail(round.error());
    if (!round)
        return failed(cli::toJson(round.error()));
    for (const services::AlertChange &change : round->changes)
        GPULEDGER_TRY(tell(out, eventOf("alert", round->at, changeLine(change))));
    for (const std::string &problem : round->problems)
        GPULEDGER_TRY(failed({{"text", problem}}));
    return deliver(session, workspace);
}

Result<void> WatchCommand::deliver(Session &session, services::Workspace &workspace)
{
    Output &out = session.out();
    const auto tried = workspace.alertDesk().deliver(session.stop());
    if (!tried)
        return tell(
            out,
            {{"at", cli::toJson(session.clock().now())}, {"event", "alerts"}, {"error", cli::toJson(tried.error())}});
    for (const services::OutboxEntry &entry : *tried)
        GPULEDGER_TRY(tell(out, eventOf("delivery", session.clock().now(), deliveryLine(entry))));
    return {};
}

// Waits for the next round, and sends what is due meanwhile. False: a stop was requested.
Result<bool> WatchCommand::waitForRound(Session &session, services::Workspace &workspace)
{
    using std::chrono::steady_clock;
    const steady_clock::time_point end = steady_clock::now() + pauseOf(workspace.settings());
    if (const auto kept = workspace.savings().keepDays(session.stop()); !kept) // a question makes them too
        base::log::info("savings", "no days are prepared for savings: " + kept.error().text);
    while (true) {
        const auto left = std::chrono::ceil<base::Seconds>(end - steady_clock::now());
        if (left <= base::Seconds{0})
            return !session.stop().stop_requested();
        const auto due = workspace.alertDesk().nextDue();
        // A cache that can't be read now is a matter of the next round.
        const base::Seconds pause = due && *due
            ? std::clamp(**due - session.clock().now(), kShortestPause, std::max(left, kShortestPause))
            : left;
        if (!waitFor(pause, session.stop()))
            return false;
        if (pause < left)
            GPULEDGER_TRY(deliver(session, workspace));
    }
}

// A failure here is reported; the next round tries again.
Result<void> WatchCommand::marks(Session &session, services::Workspace &workspace)
{
    Output &out = session.out();
    Result<void> told;
    const auto line = [&](const Json &json) {
        if (told)
            told = tell(out, json);
    };
    const auto done = workspace.actions().stopMarked(
        session.stop(), [&](const actions::MarkEvent &event) { line(cli::toJson(event, session.clock().now())); },
        [&](const model::ActionRecord &record) { line(lineOf(record, "action", session.clock().now())); });
    GPULEDGER_TRY(told);
    if (done || done.error().code == base::ErrorCode::Cancelled)
        return done;
    return tell(out,
                {{"at", cli::toJson(session.clock().now())}, {"event", "marks"}, {"error", cli::toJson(done.error())}});
}

Result<int> WatchCommand::run(Session &session)
{
    const auto workspace = session.workspace(false);
    GPULEDGER_TRY(workspace);
    (*workspace)->sources().pausePriceLists(services::kPriceListPause);
    while (true) {
        const auto done = round(session, **workspace);
        if (!done && done.error().code == base::ErrorCode::Cancelled)
            break; // the normal end
        GPULEDGER_TRY(done);
        if (m_once)
            break;
        const auto goesOn = waitForRound(session, **workspace);
        GPULEDGER_TRY(goesOn);
        if (!*goesOn)
            break;
    }
    return kDone;
}

} // namespace gpuledger::cli
