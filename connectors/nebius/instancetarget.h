// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/machinetarget.h"
#include "connectors/nebius/projectcalls.h"

#include <memory>
#include <string>

namespace gpuledger::nebius {

// The instances of a project, which are stopped and started. Nodes of Managed Kubernetes are left to it. Threads and
// errors: see auth::MachineTarget; calls also fail with the errors of NebiusToken::get.
class InstanceTarget final : public auth::MachineTarget {
public:
    InstanceTarget(const model::SourceSettings &settings, std::unique_ptr<ProjectCalls> calls, const base::Clock &clock,
                   std::shared_ptr<http::Pause> pause);

    // Always: the API does not tell what an account may do.
    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                                             std::stop_token stop) override;

private:
    std::string listRight() const override { return kListInstances.right(); }
    base::Result<void> askList(const std::stop_token &stop) override { return m_calls->askList(stop); }
    base::Result<model::TargetRef> named(const std::string &name, const std::stop_token &stop) override;
    base::Result<model::TargetState> describe(const model::TargetRef &target, Detail detail,
                                              const std::stop_token &stop) override;
    ports::WriteOutcome change(const model::TargetState &target, bool starts, const std::stop_token &stop) override;

    std::unique_ptr<ProjectCalls> m_calls;
};

// For the catalogue. Fails with InvalidConfig (no project, a wrong url, no token).
[[nodiscard]] base::Result<std::unique_ptr<ports::ActionTarget>>
makeInstanceTarget(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                   std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::nebius
