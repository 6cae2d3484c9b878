// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "connectors/kubernetes/api/discovery.h"

#include <memory>

namespace gpuledger::kubernetes {

// An API server and what it serves. Any thread.
struct Connection {
    Connection(auth::KubeAccess access, ports::SecretStore &secrets, const base::Clock &clock,
               std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause);
    KubeApi api;
    Discovery discovery;
};

// The cluster's name in the ledger.
std::string clusterOf(const model::SourceSettings &settings);
// Reads the access data from the kubeconfig without running any command. Fails as auth::kubeAccess().
[[nodiscard]] base::Result<auth::KubeAccess> accessOf(const model::SourceSettings &settings);
// Reads the kubeconfig; sends nothing yet. `secrets` and `clock` must outlive the connection. Fails as
// auth::kubeAccess(), and with InvalidConfig if the kubeconfig is missing.
[[nodiscard]] base::Result<std::shared_ptr<Connection>> connectTo(const model::SourceSettings &settings,
                                                                  ports::SecretStore &secrets, const base::Clock &clock,
                                                                  std::shared_ptr<http::HttpClient> client,
                                                                  std::shared_ptr<http::Pause> pause);
// Fails with InvalidConfig if a url is set: a cluster is reached through a kubeconfig only.
[[nodiscard]] base::Result<void> checkAddress(const model::SourceSettings &settings);

} // namespace gpuledger::kubernetes
