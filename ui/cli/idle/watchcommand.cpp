// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/watchcommand.h"

#include "app/base/text/log.h"
#include "app/services/actions/actionservice.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/alerts/alertmarks.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/cli/alerts/alertsdeskprint.h"
#include "ui/cli/idle/actprint.h"
#include "ui/cli/idle/rulemarkstep.h"
#include "ui/cli/program/output.h"
#include "ui/cli/sources/allocationprint.h"
#include "ui/cli/watch/eventlines.h"
#include "ui/cli/watch/metricsserver.h"
#include "ui/cli/watch/roundpause.h"
#include "ui/cli/watch/watchmetrics.h"
#include "ui/format/actions/resultphrase.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace gpuledger::cli {

using base::Result;

namespace {

constexpr base::Seconds kShortest{10};

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

base::Seconds pauseOf(const model::Settings &settings)
{
    base::Seconds every{300};
    for (const model::SourceSettings &source : settings.sources)
        every = std::min(every, source.every);
    return std::max(every, kShortest);
}

// Stores new days for savings, and waits for the next round, which no such day delays: it may have notices to send.
// Returns false if a stop was requested.
bool waitForRound(Session &session, services::Workspace &workspace)
{
    return pauseWith(std::chrono::steady_clock::now() + pauseOf(workspace.settings()), session.stop(),
                     [&](const std::stop_token &stop) {
                         const auto kept = workspace.savings().keepDays(stop);
                         if (!kept && kept.error().code != base::ErrorCode::Cancelled) // a question makes them too
                             base::log::info("savings", "no days are prepared for savings: " + kept.error().text);
                     });
}

} // namespace

// What the steps of a watch share.
struct WatchCommand::Watch {
    Session &session;
    services::Workspace &workspace;
    EventLines lines;
    std::unique_ptr<WatchMetrics> metrics; // null: nobody asked for them
    std::unique_ptr<MetricsServer> server;
    std::unique_ptr<DeliveryLoop> delivery; // null: one round
    std::vector<actions::MarkingRule> rules{}; // those that mark, as this round evaluated them

    base::UtcTime now() const { return session.clock().now(); }
    void countMessages()
    {
        if (const auto undelivered = workspace.alertDesk().undelivered())
            metrics->waiting(*undelivered);
    }
    Result<void> failed(WatchMetrics::Step step, const char *event, const Json &error)
    {
        if (metrics)
            metrics->failed(step);
        return lines.tell({{"at", cli::toJson(now())}, {"event", event}, {"error", error}});
    }
};

void WatchCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "watch",
                     "Syncs on a schedule, sends the notices of alerts, and runs scheduled stops if the configuration"
                     " allows it",
                     "gpuledger-cli watch");
    auto *once = m_verb->add_flag("--once", m_once, "One round, for cron");
    m_verb
        ->add_option("--metrics", m_metrics,
                     "Serve metrics of its own for Prometheus on this port of 127.0.0.1; 0: any free port, which is"
                     " printed")
        ->type_name("PORT")
        ->check(CLI::Range(0, 65535))
        ->excludes(once);
}

Result<void> WatchCommand::round(Watch &watch)
{
    Session &session = watch.session;
    const auto settled = watch.workspace.actions().settle(session.stop());
    GPULEDGER_TRY(settled);
    for (const model::ActionRecord &record : *settled)
        GPULEDGER_TRY(watch.lines.tell(lineOf(record, "settled", watch.now())));
    const auto reports = watch.workspace.sources().sync(std::nullopt, session.stop(), {});
    GPULEDGER_TRY(reports);
    for (const services::SyncReport &report : *reports) {
        if (watch.metrics)
            watch.metrics->synced(report, watch.now());
        GPULEDGER_TRY(watch.lines.tell(lineOf(report, watch.now())));
    }
    GPULEDGER_TRY(alerts(watch));
    GPULEDGER_TRY(marks(watch));
    GPULEDGER_TRY(tellMarks(watch));
    if (watch.metrics)
        watch.metrics->roundEnded(watch.now());
    return {};
}

// A failure here is reported; the next round tries again.
Result<void> WatchCommand::alerts(Watch &watch)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto round = watch.workspace.alertDesk().evaluate(watch.session.stop());
    watch.rules = services::markingRulesOf(round, watch.workspace.settings());
    if (!round && round.error().code == base::ErrorCode::Cancelled)
        return base::fail(round.error());
    if (!round)
        return watch.failed(WatchMetrics::Step::Alerts, "alerts", cli::toJson(round.error()));
    if (watch.metrics) {
        watch.metrics->evaluated(*round, std::chrono::steady_clock::now() - begin);
        watch.countMessages();
    }
    for (const services::AlertChange &change : round->changes)
        GPULEDGER_TRY(watch.lines.tell(eventOf("alert", round->at, changeLine(change))));
    GPULEDGER_TRY(tellProblems(watch, round->problems));
    GPULEDGER_TRY(deliver(watch));
    return markForAlerts(watch.session, watch.workspace, watch.rules, watch.lines);
}

// Also on the thread of the deliveries.
Result<void> WatchCommand::tellDelivered(Watch &watch, const DeliveryLoop::Tried &tried, base::UtcTime begun)
{
    if (!tried)
        return watch.failed(WatchMetrics::Step::Delivery, "alerts", cli::toJson(tried.error()));
    if (watch.metrics) {
        watch.metrics->delivered(*tried, begun);
        watch.countMessages();
    }
    for (const services::OutboxEntry &entry : *tried)
        GPULEDGER_TRY(watch.lines.tell(eventOf("delivery", watch.now(), deliveryLine(entry))));
    return {};
}

// A failure here is reported; the next round tries again.
Result<void> WatchCommand::marks(Watch &watch)
{
    Result<void> told;
    const auto line = [&](const Json &json) {
        if (told)
            told = watch.lines.tell(json);
    };
    const auto done = watch.workspace.actions().stopMarked(
        watch.rules, watch.session.stop(),
        [&](const actions::MarkEvent &event) { line(cli::toJson(event, watch.now())); },
        [&](const model::ActionRecord &record) { line(lineOf(record, "action", watch.now())); });
    GPULEDGER_TRY(told);
    if (done || done.error().code == base::ErrorCode::Cancelled)
        return done;
    return watch.failed(WatchMetrics::Step::Marks, "marks", cli::toJson(done.error()));
}

// To the owners of what was marked in this round, and of marks that ended. A failure here is reported; the next round
// tries again.
Result<void> WatchCommand::tellMarks(Watch &watch)
{
    const auto told = watch.workspace.alertDesk().tellMarks();
    if (!told)
        return watch.failed(WatchMetrics::Step::Marks, "marks", cli::toJson(told.error()));
    GPULEDGER_TRY(tellProblems(watch, told->problems));
    return told->queued > 0 ? deliver(watch) : Result<void>();
}

Result<void> WatchCommand::tellProblems(Watch &watch, const std::vector<std::string> &problems)
{
    for (const std::string &problem : problems)
        GPULEDGER_TRY(
            watch.lines.tell({{"at", cli::toJson(watch.now())}, {"event", "alerts"}, {"error", {{"text", problem}}}}));
    return {};
}

// At once, or on the thread of the deliveries.
Result<void> WatchCommand::deliver(Watch &watch)
{
    if (watch.delivery) {
        watch.delivery->wake();
        return {};
    }
    const base::UtcTime begun = watch.now();
    return tellDelivered(watch, watch.workspace.alertDesk().deliver(watch.session.stop()), begun);
}

Result<void> WatchCommand::serveMetrics(Watch &watch)
{
    const auto sources = watch.workspace.sources().statuses();
    GPULEDGER_TRY(sources);
    watch.metrics = std::make_unique<WatchMetrics>(watch.workspace.settings(), *sources, watch.now());
    auto server = MetricsServer::listen(static_cast<std::uint16_t>(*m_metrics),
                                        [metrics = watch.metrics.get()] { return metrics->text(); });
    GPULEDGER_TRY(server);
    watch.server = std::move(*server);
    return watch.lines.tell({{"at", cli::toJson(watch.now())},
                             {"event", "metrics"},
                             {"address", "127.0.0.1"},
                             {"port", watch.server->port()}});
}

Result<int> WatchCommand::run(Session &session)
{
    const auto workspace = session.workspace(false);
    GPULEDGER_TRY(workspace);
    (*workspace)->sources().pausePriceLists(services::kPriceListPause);
    Watch watch{session, **workspace, EventLines(session.out()), {}, {}, {}};
    if (m_metrics)
        GPULEDGER_TRY(serveMetrics(watch));
    if (!m_once)
        watch.delivery =
            std::make_unique<DeliveryLoop>((*workspace)->alertDesk(),
                                           [&watch](const DeliveryLoop::Tried &tried, base::UtcTime begun) {
                                               // If the output is closed, the next line of the round fails as well.
                                               (void)tellDelivered(watch, tried, begun);
                                           },
                                           session.stop());
    while (true) {
        const auto done = round(watch);
        if (!done && done.error().code == base::ErrorCode::Cancelled)
            break; // the normal end
        GPULEDGER_TRY(done);
        if (m_once || !waitForRound(session, **workspace))
            break;
    }
    return kDone;
}

} // namespace gpuledger::cli
