// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "connectors/kubernetes/api/connection.h"
#include "connectors/kubernetes/stop/surroundings.h"

#include <memory>

namespace gpuledger::kubernetes {

// A Kubernetes cluster as a platform on which workloads can be stopped; threads and errors: see ports::ActionTarget.
// The kubeconfig is read at the first call. `secrets` and `clock` must outlive it.
class KubeTarget final : public ports::ActionTarget {
public:
    KubeTarget(model::SourceSettings settings, ports::SecretStore &secrets, const base::Clock &clock,
               std::shared_ptr<http::HttpClient> client,
               std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>());
    ~KubeTarget() override;

    const std::string &source() const override { return m_settings.name; }
    std::string cluster() const override;
    bool hasPreconditions() const override { return true; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<model::TargetState> find(const model::HolderKey &holder, std::stop_token stop) override;
    [[nodiscard]] base::Result<model::TargetState> read(const model::TargetRef &target, std::stop_token stop) override;
    [[nodiscard]] base::Result<model::TargetState> standing(const model::TargetRef &target,
                                                            std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                                             std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::Rehearsal> rehearse(const model::TargetState &target, const model::StopMark &mark,
                                                          std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                           std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                           const std::string &manifest, std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome announce(const model::TargetState &target,
                                               const std::optional<model::StopNotice> &notice,
                                               std::stop_token stop) override;

private:
    base::Result<std::shared_ptr<Connection>> connect();
    base::Error explained(base::Error error) const;

    model::SourceSettings m_settings;
    ports::SecretStore &m_secrets;
    const base::Clock &m_clock;
    std::shared_ptr<http::HttpClient> m_client;
    std::shared_ptr<http::Pause> m_pause;
    std::mutex m_mutex;
    std::shared_ptr<Connection> m_connection;
};

// For the catalogue, whose sources share one `client`. Options: kubeconfig, context. Reads nothing yet.
[[nodiscard]] base::Result<std::unique_ptr<ports::ActionTarget>>
makeKubeTarget(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
               std::shared_ptr<http::HttpClient> client);

// The login program that its kubeconfig runs; std::nullopt if there is none. Runs nothing. Fails as loadKubeconfig().
[[nodiscard]] base::Result<std::optional<ports::CredentialCommand>>
kubeLoginCommand(const model::SourceSettings &settings);

} // namespace gpuledger::kubernetes
