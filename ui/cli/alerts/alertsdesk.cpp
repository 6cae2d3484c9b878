// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/alerts/alertsdesk.h"

#include "app/services/alerts/alertdesk.h"
#include "ui/cli/alerts/alertsdeskprint.h"

#include <CLI/CLI.hpp>

#include <utility>

namespace gpuledger::cli {

using base::Result;

namespace {

bool isParsed(const CLI::App *verb)
{
    return verb && verb->parsed();
}

CLI::App *addDeskVerb(CLI::App &parent, const std::string &name, const std::string &help, const std::string &example)
{
    CLI::App *verb = parent.add_subcommand(name, help);
    verb->footer("Example:\n  " + example);
    verb->fallthrough();
    return verb;
}

Result<int> tellDone(Session &session, const Json &json, const std::string &text)
{
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(json));
    else
        GPULEDGER_TRY(out.print(text + '\n'));
    return kDone;
}

} // namespace

void AlertsDesk::addTo(CLI::App &alerts)
{
    m_test = addDeskVerb(alerts, "test", "Sends a test message to a target; exit status 1 if it was not delivered",
                         "gpuledger-cli alerts test oncall");
    m_test->add_option("TARGET", m_target, "Name of the target in the configuration")->required();
    m_history =
        addDeskVerb(alerts, "history", "Shows which alerts changed their state in the last 30 days, and what was sent",
                    "gpuledger-cli alerts history --from -7d");
    addSilence(alerts);
    m_ack = addDeskVerb(alerts, "ack", "Acknowledges an alert: no further message says that it fires",
                        "gpuledger-cli alerts ack KEY --note \"looking into it\"");
    m_ack->add_option("KEY", m_key, "Key of the alert, as shown by: alerts history --json")->required();
    m_ack->add_option("--note", m_note, "What is done about it");
}

void AlertsDesk::addSilence(CLI::App &alerts)
{
    m_silence = addDeskVerb(alerts, "silence", "Holds back the notices of an alert for some time",
                            "gpuledger-cli alerts silence --rule idle-cost --scope vision --for 8h");
    m_silence->add_option("--rule", m_rule, "Only of this alert (default: of all)");
    m_silence->add_option("--scope", m_scope, "Only for this team, cluster or other scope (default: for all)");
    CLI::Option *length = m_silence->add_option("--for", m_length, "How long, such as 8h");
    m_silence->add_option("--reason", m_reason, "Why");
    CLI::Option *end = m_silence->add_option("--end", m_end, "Ends the silence with this number instead");
    length->excludes(end);
}

bool AlertsDesk::chosen() const
{
    return isParsed(m_test) || isParsed(m_history) || isParsed(m_silence) || isParsed(m_ack);
}

Result<int> AlertsDesk::run(Session &session)
{
    const auto workspace = session.workspace(isParsed(m_history) || isParsed(m_test));
    GPULEDGER_TRY(workspace);
    if (isParsed(m_test))
        return test(session, **workspace);
    if (isParsed(m_history))
        return history(session, **workspace);
    return isParsed(m_silence) ? silence(session, **workspace) : acknowledge(session, **workspace);
}

Result<int> AlertsDesk::test(Session &session, services::Workspace &workspace) const
{
    const auto delivery = workspace.alertDesk().test(m_target, session.stop());
    GPULEDGER_TRY(delivery);
    GPULEDGER_TRY(tellDone(session, deliveryJson(m_target, *delivery), deliveryText(m_target, *delivery)));
    return delivery->outcome == ports::DeliveryOutcome::Delivered ? kDone : kLook;
}

Result<int> AlertsDesk::history(Session &session, services::Workspace &workspace) const
{
    const auto range = session.range(workspace.timeZone());
    GPULEDGER_TRY(range);
    const auto answer = workspace.alertDesk().history(*range);
    GPULEDGER_TRY(answer);
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(alertHistoryJson(*answer)));
    else
        GPULEDGER_TRY(out.print(out.csv() ? alertHistoryCsv(*answer)
                                          : alertHistoryText(*answer, workspace.timeZone(), out.bold())));
    return kDone;
}

Result<int> AlertsDesk::silence(Session &session, services::Workspace &workspace) const
{
    if (m_end != 0) {
        GPULEDGER_TRY(workspace.alertDesk().endSilence(m_end));
        return tellDone(session, {{"ended", m_end}}, "Silence " + std::to_string(m_end) + " has ended.");
    }
    if (m_length.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "--for is missing", "write it as 2h or 7d");
    const auto length = base::parseDuration(m_length);
    GPULEDGER_TRY(length);
    services::Silence wanted;
    wanted.rule = m_rule;
    wanted.scope = m_scope;
    wanted.from = session.clock().now();
    wanted.until = wanted.from + *length;
    wanted.reason = m_reason;
    const auto silence = workspace.alertDesk().silence(std::move(wanted));
    GPULEDGER_TRY(silence);
    return tellDone(session, silenceJson(*silence), silenceText(*silence, workspace.timeZone()));
}

Result<int> AlertsDesk::acknowledge(Session &session, services::Workspace &workspace) const
{
    services::Acknowledgement ack;
    ack.key = m_key;
    ack.note = m_note;
    ack.at = session.clock().now();
    GPULEDGER_TRY(workspace.alertDesk().acknowledge(ack));
    return tellDone(session, {{"acknowledged", m_key}}, "Acknowledged.");
}

} // namespace gpuledger::cli
