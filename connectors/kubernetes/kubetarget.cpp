// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/kubetarget.h"

#include "connectors/kubernetes/api/clusterprobe.h"
#include "connectors/kubernetes/stop/targetwriter.h"

namespace gpuledger::kubernetes {

using base::Result;
using ports::WriteOutcome;

KubeTarget::KubeTarget(model::SourceSettings settings, ports::SecretStore &secrets, const base::Clock &clock,
                       std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause)
    : m_settings(std::move(settings))
    , m_secrets(secrets)
    , m_clock(clock)
    , m_client(std::move(client))
    , m_pause(std::move(pause))
{
}

KubeTarget::~KubeTarget() = default;

std::string KubeTarget::cluster() const
{
    return clusterOf(m_settings);
}

base::Error KubeTarget::explained(base::Error error) const
{
    return std::move(error).withSource(m_settings.name);
}

Result<std::shared_ptr<Connection>> KubeTarget::connect()
{
    const std::lock_guard lock(m_mutex);
    if (m_connection)
        return m_connection;
    auto made = connectTo(m_settings, m_secrets, m_clock, m_client, m_pause);
    GPULEDGER_TRY(made);
    m_connection = std::move(*made);
    return m_connection;
}

Result<ports::ProbeReport> KubeTarget::probe(std::stop_token stop)
{
    const auto connection = connect();
    if (!connection)
        return base::fail(explained(connection.error()));
    auto report = probeCluster((*connection)->api, m_settings.mayStop, stop);
    return report ? std::move(report) : base::fail(explained(std::move(report).error()));
}

Result<model::TargetState> KubeTarget::find(const model::HolderKey &holder, std::stop_token stop)
{
    const auto connection = connect();
    if (!connection)
        return base::fail(explained(connection.error()));
    TargetReader reader((*connection)->api, (*connection)->discovery, m_clock, m_settings.name, cluster());
    auto state = reader.find(holder, stop);
    return state ? std::move(state) : base::fail(explained(std::move(state).error()));
}

Result<model::TargetState> KubeTarget::read(const model::TargetRef &target, std::stop_token stop)
{
    const auto connection = connect();
    if (!connection)
        return base::fail(explained(connection.error()));
    TargetReader reader((*connection)->api, (*connection)->discovery, m_clock, m_settings.name, cluster());
    auto state = reader.read(target, stop);
    return state ? std::move(state) : base::fail(explained(std::move(state).error()));
}

Result<model::TargetState> KubeTarget::standing(const model::TargetRef &target, std::stop_token stop)
{
    const auto connection = connect();
    if (!connection)
        return base::fail(explained(connection.error()));
    TargetReader reader((*connection)->api, (*connection)->discovery, m_clock, m_settings.name, cluster());
    auto state = reader.standing(target, stop);
    return state ? std::move(state) : base::fail(explained(std::move(state).error()));
}

Result<ports::Permission> KubeTarget::permission(const model::TargetState &target, bool undo, std::stop_token stop)
{
    const auto connection = connect();
    if (!connection)
        return base::fail(explained(connection.error()));
    TargetReader reader((*connection)->api, (*connection)->discovery, m_clock, m_settings.name, cluster());
    auto answer = TargetWriter((*connection)->api, (*connection)->discovery, reader).permission(target, undo, stop);
    return answer ? std::move(answer) : base::fail(explained(std::move(answer).error()));
}

Result<ports::Rehearsal> KubeTarget::rehearse(const model::TargetState &target, const model::StopMark &mark,
                                              std::stop_token stop)
{
    const auto connection = connect();
    if (!connection)
        return base::fail(explained(connection.error()));
    TargetReader reader((*connection)->api, (*connection)->discovery, m_clock, m_settings.name, cluster());
    auto answer = TargetWriter((*connection)->api, (*connection)->discovery, reader).rehearse(target, mark, stop);
    return answer ? std::move(answer) : base::fail(explained(std::move(answer).error()));
}

WriteOutcome KubeTarget::stop(const model::TargetState &target, const model::StopMark &mark, std::stop_token stop)
{
    const auto connection = connect();
    if (!connection)
        return {WriteOutcome::Kind::Refused, connection.error().text, {}, {}, {}, {}};
    TargetReader reader((*connection)->api, (*connection)->discovery, m_clock, m_settings.name, cluster());
    return TargetWriter((*connection)->api, (*connection)->discovery, reader).stop(target, mark, stop);
}

WriteOutcome KubeTarget::undo(const model::TargetState &target, const model::StopMark &mark,
                              const std::string &manifest, std::stop_token stop)
{
    const auto connection = connect();
    if (!connection)
        return {WriteOutcome::Kind::Refused, connection.error().text, {}, {}, {}, {}};
    TargetReader reader((*connection)->api, (*connection)->discovery, m_clock, m_settings.name, cluster());
    return TargetWriter((*connection)->api, (*connection)->discovery, reader).undo(target, mark, manifest, stop);
}

WriteOutcome KubeTarget::announce(const model::TargetState &target, const std::optional<model::StopNotice> &notice,
                                  std::stop_token stop)
{
    const auto connection = connect();
    if (!connection)
        return {WriteOutcome::Kind::Refused, connection.error().text, {}, {}, {}, {}};
    TargetReader reader((*connection)->api, (*connection)->discovery, m_clock, m_settings.name, cluster());
    return TargetWriter((*connection)->api, (*connection)->discovery, reader).announce(target, notice, stop);
}

Result<std::unique_ptr<ports::ActionTarget>> makeKubeTarget(const model::SourceSettings &settings,
                                                            ports::SecretStore &secrets, const base::Clock &clock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(checkAddress(settings));
    return std::make_unique<KubeTarget>(settings, secrets, clock, std::move(client));
}

Result<std::optional<ports::CredentialCommand>> kubeLoginCommand(const model::SourceSettings &settings)
{
    auto access = accessOf(settings);
    GPULEDGER_TRY(access);
    return access->exec ? std::optional(std::move(access->exec->command)) : std::nullopt;
}

} // namespace gpuledger::kubernetes
