// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/sourcescommand.h"

#include "app/base/text/text.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/spend/spendservice.h"
#include "ui/cli/sources/allocationprint.h"
#include "ui/cli/sources/commandagreement.h"
#include "ui/cli/sources/importprint.h"
#include "ui/cli/sources/twiceprint.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/phrases/phrase.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

using services::SourceStatus;

std::string monthText(const ingest::PaidMonth &paid)
{
    constexpr std::size_t kYearAndMonth = 7;
    return base::toRfc3339(paid.month).substr(0, kYearAndMonth);
}

Json sourceJson(const SourceStatus &status)
{
    const store::SyncState &state = status.state;
    const auto time = [](const std::optional<base::UtcTime> &t) { return t ? cli::toJson(*t) : Json(nullptr); };
    Json json;
    json["name"] = status.settings.name;
    json["kind"] = status.settings.kind;
    json["url"] = textOrNull(status.settings.url);
    json["path"] = textOrNull(status.settings.path);
    json["from"] = state.covered.empty() ? Json(nullptr) : cli::toJson(state.covered.start);
    json["to"] = state.covered.empty() ? Json(nullptr) : cli::toJson(state.covered.end);
    json["last_success"] = time(state.lastSuccess);
    json["last_attempt"] = time(state.lastAttempt);
    json["lag_seconds"] = status.lag ? Json(status.lag->count()) : Json(nullptr);
    json["rights"] = status.settings.mayStop ? Json{"read", "stop"} : Json{"read"};
    if (status.tellsAllocations)
        json["held"] = cli::toJson(status.held);
    if (status.paid)
        json["paid"] = {{"month", monthText(*status.paid)},
                        {"requests", status.paid->calls.requests},
                        {"amount", cli::toJson(std::optional(status.paid->calls.amount))}};
    if (status.machines)
        json["machines"] = {{"running", status.machines->machines},
                            {"gpus", status.machines->gpus},
                            {"without_telemetry", status.machines->unseen}};
    json["error"] =
        state.lastErrorCode.empty() ? Json(nullptr) : Json{{"code", state.lastErrorCode}, {"message", state.lastError}};
    return json;
}

std::string_view levelName(ports::Finding::Level level)
{
    switch (level) {
    case ports::Finding::Level::Good:
        return "good";
    case ports::Finding::Level::Missing:
        return "missing";
    case ports::Finding::Level::Problem:
        return "problem";
    }
    return "problem";
}

base::Result<void> printProbe(Output &out, const std::string &name, const ports::ProbeReport &report,
                              const SourceStatus &status)
{
    if (out.json()) {
        Json json{{"name", name},
                  {"product", ui::productOf(report).english()},
                  {"usable", report.usable},
                  {"findings", Json::array()}};
        for (const ports::Finding &f : report.findings)
            json["findings"].push_back({{"level", std::string(levelName(f.level))},
                                        {"text", ui::textOf(f).english()},
                                        {"remedy", textOrNull(ui::remedyOf(f).english())}});
        json["owner_labels"] = report.ownerLabelCandidates;
        if (status.tellsAllocations)
            json["held"] = cli::toJson(status.held);
        if (report.bill)
            json["bill"] = cli::toJson(*report.bill);
        return out.print(json);
    }
    ui::TextTable table({{"level"}, {"found"}, {"what to do"}});
    for (const ports::Finding &f : report.findings)
        table.add({std::string(levelName(f.level)), ui::textOf(f).english(), ui::remedyOf(f).english()});
    for (const ports::BillFinding &f : report.bill ? report.bill->findings : std::vector<ports::BillFinding>())
        table.add({std::string(levelName(f.level)),
                   (f.provider.empty() ? "" : f.provider + ": ") + ui::textOf(f).english(), ""});
    if (out.csv())
        return out.print(table.toCsv());
    std::string text = base::printable(name, 64) + ": " + base::printable(ui::productOf(report).english(), 200) + "\n"
        + table.toText(out.bold())
        + (report.usable                 ? "usable\n"
               : status.tellsClaims      ? "not usable: no claim was found\n"
               : status.tellsPlans       ? "not usable: no plan was found\n"
               : status.isPlatform       ? "not usable: nothing can be stopped with these rights\n"
               : status.tellsBills       ? "not usable: no bill was found\n"
               : status.tellsAllocations ? "not usable: no machine with GPUs was found\n"
                                         : "not usable: no GPU activity was found\n");
    std::string labels;
    for (const std::string &label : report.ownerLabelCandidates)
        labels += (labels.empty() ? "" : ", ") + base::printable(label, 64);
    if (!labels.empty())
        text += "labels that could name the team: " + labels + "\n";
    return out.print(text);
}

} // namespace

void SourcesCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "sources", "The sources of the configuration", "gpuledger-cli sources list");
    m_verb->require_subcommand(1);
    addVerb(*m_verb, "list", "How far each source is synced, and how its last sync ended",
            "gpuledger-cli sources list --json");
    m_test = addVerb(*m_verb, "test", "Tests a source: what it provides and what is missing",
                     "gpuledger-cli sources test prod");
    m_test->add_option("name", m_name, "The source")->required();
    m_test->add_flag("--agree-command", m_agree,
                     "Consent to running the program that prints its credential, after checking what is shown; for use "
                     "without a terminal");
    m_add = addVerb(*m_verb, "add", "Adds a source to the configuration, or writes a sample to start from",
                    "gpuledger-cli sources add prod --url https://prometheus.example.org --token keychain:prom-prod\n"
                    "  gpuledger-cli sources add --sample --config ./config.yaml");
    m_newSource.addOptionsTo(*m_add);
}

Ending SourcesCommand::ending() const
{
    return parsed(m_test) ? Ending::Soon : Ending::AtOnce;
}

base::Result<int> SourcesCommand::run(Session &session)
{
    if (parsed(m_test))
        return test(session);
    return parsed(m_add) ? m_newSource.run(session) : list(session);
}

base::Result<int> SourcesCommand::list(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto sources = (*workspace)->sources().statuses();
    GPULEDGER_TRY(sources);
    const auto twice = (*workspace)->spend().countedTwice();
    GPULEDGER_TRY(twice);
    Output &out = session.out();
    if (out.json()) {
        Json json{{"sources", Json::array()}};
        for (const SourceStatus &status : *sources)
            json["sources"].push_back(sourceJson(status));
        json["counted_twice"] = cli::toJson(*twice);
        GPULEDGER_TRY(out.print(json));
        return kDone;
    }
    ui::TextTable table({{"name"}, {"kind"}, {"url"}, {"from"}, {"to"}, {"behind"}, {"last result"}});
    for (const SourceStatus &s : *sources) {
        const auto at = [&](base::UtcTime t) {
            return s.state.covered.empty() ? std::string("-")
                : out.csv()                ? base::toRfc3339(t)
                                           : ui::timeText(t, (*workspace)->timeZone());
        };
        table.add({s.settings.name, s.settings.kind,
                   !s.settings.url.empty()        ? s.settings.url
                       : !s.settings.path.empty() ? s.settings.path
                                                  : "-",
                   at(s.state.covered.start), at(s.state.covered.end), s.lag ? ui::durationText(*s.lag) : "-",
                   !s.state.lastErrorCode.empty()      ? s.state.lastErrorCode
                       : !s.held.empty()               ? "held"
                       : s.state.lastSuccess           ? "done"
                       : s.tellsPlans || s.tellsClaims ? "-"
                                                       : "never synced"});
    }
    GPULEDGER_TRY(out.print(out.csv() ? table.toCsv() : table.toText(out.bold())));
    for (const SourceStatus &s : *sources) {
        if (s.paid)
            out.note(s.settings.name + ": " + std::to_string(s.paid->calls.requests) + " paid requests in "
                     + monthText(*s.paid) + ", " + chargeText(s.paid->calls.amount));
    }
    for (const std::string &text : twiceTexts(*twice))
        out.note(text);
    return kDone;
}

base::Result<int> SourcesCommand::test(Session &session) const
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    bool isKnown = false;
    for (const model::SourceSettings &source : (*workspace)->settings().sources) {
        if (source.name != m_name)
            continue;
        isKnown = true;
        GPULEDGER_TRY(agreeToCommands(session, source, m_agree));
    }
    const auto report = (*workspace)->sources().test(m_name, session.stop());
    const bool isOfSource = !report && isKnown
        && (report.error().code == base::ErrorCode::NotFound || report.error().code == base::ErrorCode::Overflow);
    if (isOfSource) {
        // Missing data or overflowing sums are a failure of the source, not a usage error.
        session.out().failure(report.error());
        return kSourceFailed;
    }
    GPULEDGER_TRY(report);
    const auto all = (*workspace)->sources().statuses();
    GPULEDGER_TRY(all);
    SourceStatus status;
    for (const SourceStatus &one : *all)
        status = one.settings.name == m_name ? one : status;
    GPULEDGER_TRY(printProbe(session.out(), m_name, *report, status));
    return report->usable ? kDone : kLook;
}

} // namespace gpuledger::cli
