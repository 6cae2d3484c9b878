// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/waitingsource.h"
#include "connectors/kubernetes/api/connection.h"
#include "connectors/kubernetes/queue/queuefacts.h"

#include <memory>

namespace gpuledger::kubernetes {

// Reports what is waiting for GPUs in a cluster, from its API server: pods without a node, Workloads that Kueue holds
// back, and the room on its nodes. Uses list calls only. Threads and errors: see ports::WaitingSource; the kubeconfig
// is read at each call. A list that may not be read or cannot be understood is named under `missing`; without the pod
// list, nothing can be reported. `secrets` and `clock` must outlive it.
class KubeQueue final : public ports::WaitingSource {
public:
    // The API server knows only the present; a point in time further back than this counts as the past.
    static constexpr base::Seconds kPresent = base::kBucket;

    KubeQueue(model::SourceSettings settings, ports::SecretStore &secrets, const base::Clock &clock,
              std::shared_ptr<http::HttpClient> client,
              std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>());

    [[nodiscard]] base::Result<model::WaitingFacts> waitingAt(base::UtcTime at, std::stop_token stop) override;

private:
    class Reading;

    model::SourceSettings m_settings;
    ports::SecretStore &m_secrets;
    const base::Clock &m_clock;
    std::shared_ptr<http::HttpClient> m_client;
    std::shared_ptr<http::Pause> m_pause;
};

// For the catalogue; see makeKubeTarget().
[[nodiscard]] base::Result<std::unique_ptr<ports::WaitingSource>>
makeKubeQueue(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
              std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::kubernetes
