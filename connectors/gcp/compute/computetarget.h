// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/machinetarget.h"
#include "connectors/gcp/compute/computeapi.h"
#include "connectors/gcp/compute/computerefusal.h"

#include <memory>
#include <string>

namespace gpuledger::gcp {

// The instances of Compute Engine in a project, which are stopped and started. Instances of groups and clusters are
// left to these. Threads and errors: see auth::MachineTarget; calls also fail with the errors of GoogleToken::get.
class ComputeTarget final : public auth::MachineTarget {
public:
    ComputeTarget(const model::SourceSettings &settings, std::unique_ptr<ComputeApi> api, const base::Clock &clock,
                  std::shared_ptr<http::Pause> pause);

    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                                             std::stop_token stop) override;

private:
    std::string listRight() const override { return kListRight; }
    base::Result<void> askList(const std::stop_token &stop) override { return m_api->askList(stop); }
    base::Result<model::TargetRef> named(const std::string &name, const std::stop_token &stop) override;
    base::Result<model::TargetState> describe(const model::TargetRef &target, Detail detail,
                                              const std::stop_token &stop) override;
    ports::WriteOutcome change(const model::TargetState &target, bool starts, const std::stop_token &stop) override;

    std::unique_ptr<ComputeApi> m_api;
};

// For the catalogue. Fails with InvalidConfig (no project, a wrong url, no token).
[[nodiscard]] base::Result<std::unique_ptr<ports::ActionTarget>>
makeComputeTarget(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                  std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::gcp
