// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/kubetarget.h"

#include "connectors/kubernetes/clusterprobe.h"
#include "connectors/kubernetes/targetwriter.h"

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;
using ports::WriteOutcome;

struct KubeTarget::Connection {
    Connection(auth::KubeAccess access, ports::SecretStore &secrets, const base::Clock &clock,
               std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause)
        : api(std::make_shared<auth::KubeCredentials>(std::move(access), secrets, clock), std::move(client),
              std::move(pause))
        , discovery(api)
    {
    }
    KubeApi api;
    Discovery discovery;
};

namespace {

std::string optionOf(const model::SourceSettings &settings, const char *name)
{
    const auto option = settings.options.find(name);
    return option == settings.options.end() ? std::string() : option->second;
}

Result<auth::KubeAccess> accessOf(const model::SourceSettings &settings)
{
    const std::string file = settings.path.empty() ? optionOf(settings, "kubeconfig") : settings.path;
    return auth::kubeAccess(file, optionOf(settings, "context"));
}

} // namespace

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
    return m_settings.cluster.empty() ? m_settings.name : m_settings.cluster;
}

base::Error KubeTarget::explained(base::Error error) const
{
    return std::move(error).withSource(m_settings.name);
}

Result<std::shared_ptr<KubeTarget::Connection>> KubeTarget::connect()
{
    const std::lock_guard lock(m_mutex);
    if (m_connection)
        return m_connection;
    auto access = accessOf(m_settings);
    if (!access && access.error().code == ErrorCode::NotFound) // the kubeconfig: what it leads to may well be there
        access.error().code = ErrorCode::InvalidConfig;
    GPULEDGER_TRY(access);
    m_connection = std::make_shared<Connection>(std::move(*access), m_secrets, m_clock, m_client, m_pause);
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

Result<std::unique_ptr<ports::ActionTarget>> makeKubeTarget(const model::SourceSettings &settings,
                                                            ports::SecretStore &secrets, const base::Clock &clock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    if (!settings.url.empty())
        return base::fail(ErrorCode::InvalidConfig,
                          "source \"" + settings.name + "\" has a url; a cluster is reached by a kubeconfig",
                          "name the file in kubeconfig and its context in context");
    return std::make_unique<KubeTarget>(settings, secrets, clock, std::move(client));
}

Result<std::optional<ports::CredentialCommand>> kubeLoginCommand(const model::SourceSettings &settings)
{
    auto access = accessOf(settings);
    GPULEDGER_TRY(access);
    return access->exec ? std::optional(std::move(access->exec->command)) : std::nullopt;
}

} // namespace gpuledger::kubernetes
