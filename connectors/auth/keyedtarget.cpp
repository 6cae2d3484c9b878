// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/keyedtarget.h"

#include "app/base/crypto/sha256.h"
#include "app/base/text/text.h"
#include "connectors/auth/changes.h"

#include <nlohmann/json.hpp>

namespace gpuledger::auth {

using base::ErrorCode;
using base::Result;
using model::TargetState;
using ports::WriteOutcome;
using Ended = WriteOutcome::Kind;

namespace {

constexpr int kMostLooks = 3; // at a machine before a change, if answers are slow
constexpr http::Milliseconds kBetweenLooks{3'100}; // Vast.ai wants up to 3 s between questions for the same
constexpr base::Seconds kClockOffset{120}; // between this computer and the service
constexpr std::string_view kRunning = "\"running, ";

} // namespace

std::string stateValue(std::string_view word)
{
    return nlohmann::json(base::printableLine(word, 200))
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string runningValue(std::int64_t gpus, const std::string &model)
{
    return stateValue("running, " + std::to_string(gpus) + " x " + model);
}

bool isRunningValue(std::string_view json)
{
    return json.starts_with(kRunning);
}

std::string versionOf(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += std::to_string(part.size()) + ':' + part;
    return base::sha256Hex(text);
}

KeyedTuning actionTuning()
{
    KeyedTuning tuning;
    tuning.throttled = {.maxTries = 4,
                        .firstDelay = http::Milliseconds{1'000},
                        .maxDelay = http::Milliseconds{20'000},
                        .budget = http::Milliseconds{40'000}};
    tuning.maxBytes = 16u << 20;
    return tuning;
}

KeyedTarget::KeyedTarget(const KeyedService &service, const model::SourceSettings &settings, const KeyedSettings &keyed,
                         ports::SecretStore &secrets, const base::Clock &clock,
                         std::shared_ptr<http::HttpClient> client, KeyedTuning tuning)
    : m_service(service)
    , m_source(settings.name)
    , m_cluster(settings.cluster)
    , m_mayStop(settings.mayStop)
    , m_clock(clock)
    , m_pause(tuning.pause)
    , m_api(settings, keyed.api, secrets, std::move(client), std::move(tuning), service.refusal)
{
}

std::string KeyedTarget::words(std::string_view before, std::string_view after) const
{
    std::string text(before);
    for (const std::string_view part : {m_service.product, std::string_view(" "), m_service.what, after})
        text += part;
    return text;
}

model::HolderKey KeyedTarget::holderOf(const std::string &id) const
{
    model::HolderKey holder;
    holder.cluster = m_cluster;
    holder.name = holder.instanceId = id;
    holder.kind = model::SubjectKind::Machine;
    return holder;
}

Result<KeyedMachine> KeyedTarget::describe(const std::string &id, Try how, const std::stop_token &stop)
{
    const auto gone = [&] { return base::fail(ErrorCode::NotFound, words("there is no ", " with the id ") + id); };
    const KeyedCall call = m_service.description(id);
    Result<std::string> body;
    if (how == Try::Again) {
        body = m_api.get(call.path, call.parameters, stop);
    } else if (auto response = m_api.send(call, stop); !response) {
        body = base::fail(response.error());
    } else if (auto error = m_api.refusedBy(*response)) {
        body = base::fail(std::move(*error));
    } else {
        body = std::move(response->body);
    }
    if (!body && body.error().code == ErrorCode::NotFound)
        return gone();
    if (!body)
        return base::fail(std::move(body).error().withSource(m_source));
    auto machine = m_service.machineIn(*body, id, m_clock.now());
    if (!machine && machine.error().code == ErrorCode::NotFound)
        return gone();
    if (!machine)
        return base::fail(std::move(machine).error().withSource(m_source));
    machine->state.ref.source = m_source;
    machine->state.readAt = m_clock.now();
    return machine;
}

Result<ports::ProbeReport> KeyedTarget::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    ports::ProbeReport report;
    report.product = std::string(m_service.product);
    const KeyedCall call = m_service.list();
    const auto body = m_api.get(call.path, call.parameters, stop);
    if (!body)
        return base::fail(body.error());
    report.usable = true;
    report.findings.push_back({Level::Good, ports::FindingText::RightsPerMachine, {}, {}, {}});
    if (!m_mayStop)
        report.findings.push_back(
            {Level::Missing, ports::FindingText::ReadsOnly, {}, ports::FindingRemedy::AllowStop, {}});
    return report;
}

Result<TargetState> KeyedTarget::find(const model::HolderKey &holder, std::stop_token stop)
{
    const bool isMachine = holder.kind == model::SubjectKind::Machine;
    const std::string &name = isMachine && !holder.instanceId.empty() ? holder.instanceId : holder.node;
    const auto id = m_service.idIn(name);
    if (!id)
        return base::fail(ErrorCode::NotFound, words("no ", " has the name ") + base::printable(name, 100));
    auto machine = describe(*id, Try::Again, stop);
    if (!machine)
        return base::fail(std::move(machine).error());
    TargetState state = std::move(machine->state);
    if (!state.isStopped) {
        state.holders = {holder};
        state.holders.front().instanceId = *id;
    }
    if (!state.obstacle && !isMachine)
        state.obstacle =
            model::Obstacle{model::Obstacle::Kind::ManagedElsewhere,
                            words("it runs in a ", ", which may hold others: it is ended where it was started")};
    return state;
}

Result<TargetState> KeyedTarget::read(const model::TargetRef &target, std::stop_token stop)
{
    const std::string &id = target.name;
    if (!m_service.isId(id))
        return base::fail(ErrorCode::NotFound, words("no ", " has the id ") + base::printable(id, 100));
    auto machine = describe(id, Try::Again, stop);
    if (!machine)
        return base::fail(std::move(machine).error());
    if (machine->state.ref.uid != target.uid)
        return base::fail(ErrorCode::NotFound, words("another ", " has this id now: ") + id);
    if (!machine->state.isStopped)
        machine->state.holders = {holderOf(id)};
    return std::move(machine->state);
}

Result<ports::Permission> KeyedTarget::permission(const TargetState &, bool, std::stop_token)
{
    return ports::Permission{true, {}};
}

Result<ports::Rehearsal> KeyedTarget::rehearse(const TargetState &target, const model::StopMark &, std::stop_token stop)
{
    const auto now = read(target.ref, stop);
    GPULEDGER_TRY(now);
    ports::Rehearsal out;
    out.kind = ports::Rehearsal::Kind::Refused;
    if (target.obstacle) {
        out.text = target.obstacle->text;
    } else if (now->version != target.version) {
        out.text = words("the ", " was changed since it was checked");
    } else {
        out.kind = ports::Rehearsal::Kind::Impossible;
        out.text =
            std::string(m_service.product) + " has no dry run; only the stop itself shows whether it is permitted";
    }
    return out;
}

tl::expected<KeyedMachine, WriteOutcome> KeyedTarget::unchanged(const TargetState &target, const std::stop_token &stop)
{
    if (!m_service.isId(target.ref.name))
        return tl::unexpected(notSent(Ended::Gone, words("this is the id of no ", "")));
    for (int look = 0; look < kMostLooks; ++look) {
        const http::Milliseconds begin = m_pause->steadyNow();
        auto now = describe(target.ref.name, Try::Once, stop);
        if (!now && now.error().code == ErrorCode::RateLimited && look + 1 < kMostLooks) {
            if (!m_pause->wait(kBetweenLooks, stop))
                return tl::unexpected(notSent(Ended::TryLater, "cancelled before anything was sent"));
            continue;
        }
        if (!now)
            return tl::unexpected(notSent(now.error()));
        if (now->state.ref.uid != target.ref.uid)
            return tl::unexpected(notSent(Ended::Changed, words("another ", " has this id now")));
        if (now->state.version != target.version)
            return tl::unexpected(notSent(Ended::Changed,
                                          now->state.value != target.value
                                              ? words("the ", " is ") + now->state.value + " now"
                                              : words("the ", " was changed since it was checked")));
        if (stop.stop_requested())
            return tl::unexpected(notSent(Ended::TryLater, "cancelled before anything was sent"));
        if (m_pause->steadyNow() - begin <= kFreshDescription)
            return std::move(*now);
    }
    return tl::unexpected(notSent(
        Ended::TryLater, std::string(m_service.product) + " responds too slowly to be sure of what would be changed"));
}

WriteOutcome KeyedTarget::outcomeOf(const Result<http::Response> &response) const
{
    WriteOutcome out;
    if (!response) {
        // Without a trusted connection nothing is sent; anything else may have happened after it was sent.
        out.kind = response.error().code == ErrorCode::Tls ? Ended::Refused : Ended::Unknown;
        out.text = response.error().text;
        return out;
    }
    out.retryAfter = response->retryAfter;
    const bool isDone = response->status == 200 || response->status == 202 || response->status == 204;
    if (const auto error = response->status == 200 || !isDone ? m_api.refusedBy(*response) : std::nullopt) {
        out.text = error->text;
        out.kind = response->status == 200 ? Ended::Unknown : endedBy(response->status);
        if (error->code == ErrorCode::Unauthorized && response->status == 404)
            out.kind = Ended::Refused; // the key is unknown there
        if (response->status == 403)
            out.text += "; to stop and start, the key needs " + std::string(m_service.right);
        return out;
    }
    out.kind = Ended::Done;
    if (response->status == 200)
        out = m_service.meaning(*response);
    out.retryAfter = response->retryAfter;
    return out;
}

WriteOutcome KeyedTarget::send(const TargetState &target, bool starts, const std::stop_token &stop)
{
    WriteOutcome out = outcomeOf(m_api.send(m_service.change(target.ref.name, starts), stop));
    if (out.kind != Ended::Done)
        return out;
    const auto now = describe(target.ref.name, Try::Once, stop);
    if (now)
        out.version = now->state.version;
    else
        out.warnings.push_back(words("the ", " could not be read back: ") + now.error().text);
    return out;
}

WriteOutcome KeyedTarget::stop(const TargetState &target, const model::StopMark &, std::stop_token stop)
{
    if (target.obstacle)
        return notSent(Ended::Refused, target.obstacle->text);
    const auto before = unchanged(target, stop);
    if (!before)
        return before.error();
    if (before->state.obstacle) // what its version does not contain
        return notSent(Ended::Refused, before->state.obstacle->text);
    return send(target, false, stop);
}

WriteOutcome KeyedTarget::undo(const TargetState &target, const model::StopMark &mark, const std::string &,
                               std::stop_token stop)
{
    if (!isRunningValue(mark.oldValue))
        return notSent(Ended::Refused, words("the ", " was not running before: there is nothing to set back"));
    const auto before = unchanged(target, stop);
    if (!before)
        return before.error();
    if (!before->state.isStopped)
        return notSent(Ended::Changed, words("the ", " is ") + before->state.value + " now");
    if (before->started && *before->started > mark.at + kClockOffset)
        return notSent(Ended::Changed, words("the ", " was started and stopped again since"));
    if (!before->notStartable.empty())
        return notSent(Ended::Refused, before->notStartable);
    return send(target, true, stop);
}

} // namespace gpuledger::auth
