// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "connectors/kubernetes/discovery.h"

#include <memory>

namespace gpuledger::kubernetes {

// One API server and what it serves. Any thread.
struct Connection {
    Connection(auth::KubeAccess access, ports::SecretStore &secrets, const base::Clock &clock,
               std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause);
    KubeApi api;
    Discovery discovery;
};

// The cluster's name in the ledger.
std::string clusterOf(const model::SourceSettings &settings);
// What its kubeconfig says. Runs nothing. Fails as auth::kubeAccess().
[[nodiscard]] base::Result<auth::KubeAccess> accessOf(const model::SourceSettings &settings);
// Reads the kubeconfig; nothing is sent yet. `secrets` and `clock` must outlive it. Fails as auth::kubeAccess(), with
// InvalidConfig where the kubeconfig is missing.
[[nodiscard]] base::Result<std::shared_ptr<Connection>> connectTo(const model::SourceSettings &settings,
                                                                  ports::SecretStore &secrets, const base::Clock &clock,
                                                                  std::shared_ptr<http::HttpClient> client,
                                                                  std::shared_ptr<http::Pause> pause);
// A cluster is reached by a kubeconfig, never by a url: InvalidConfig.
[[nodiscard]] base::Result<void> checkAddress(const model::SourceSettings &settings);

} // namespace gpuledger::kubernetes
