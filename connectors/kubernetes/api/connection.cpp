// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/api/connection.h"

#include "app/base/remedy.h"

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;

namespace {

std::string optionOf(const model::SourceSettings &settings, const char *name)
{
    const auto option = settings.options.find(name);
    return option == settings.options.end() ? std::string() : option->second;
}

} // namespace

Connection::Connection(auth::KubeAccess access, ports::SecretStore &secrets, const base::Clock &clock,
                       std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause)
    : api(std::make_shared<auth::KubeCredentials>(std::move(access), secrets, clock), std::move(client),
          std::move(pause))
    , discovery(api)
{
}

std::string clusterOf(const model::SourceSettings &settings)
{
    return settings.cluster.empty() ? settings.name : settings.cluster;
}

Result<auth::KubeAccess> accessOf(const model::SourceSettings &settings)
{
    const std::string file = settings.path.empty() ? optionOf(settings, "kubeconfig") : settings.path;
    return auth::kubeAccess(file, optionOf(settings, "context"));
}

Result<std::shared_ptr<Connection>> connectTo(const model::SourceSettings &settings, ports::SecretStore &secrets,
                                              const base::Clock &clock, std::shared_ptr<http::HttpClient> client,
                                              std::shared_ptr<http::Pause> pause)
{
    auto access = accessOf(settings);
    // The kubeconfig itself is missing; the cluster it points to may well exist.
    if (!access && access.error().code == ErrorCode::NotFound)
        access.error().code = ErrorCode::InvalidConfig;
    GPULEDGER_TRY(access);
    return std::make_shared<Connection>(std::move(*access), secrets, clock, std::move(client), std::move(pause));
}

Result<void> checkAddress(const model::SourceSettings &settings)
{
    if (!settings.url.empty())
        return base::fail(ErrorCode::InvalidConfig,
                          "source \"" + settings.name + "\" has a url, but a cluster is accessed through a kubeconfig",
                          base::Remedy::SetKubeconfigAndContext);
    return {};
}

} // namespace gpuledger::kubernetes
