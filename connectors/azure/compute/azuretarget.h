// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/machinetarget.h"
#include "connectors/azure/compute/computeapi.h"
#include "connectors/azure/learning/learninginstances.h"

#include <memory>
#include <string>

namespace gpuledger::azure {

Tuning actionTuning();

// The virtual machines of a subscription, which are stopped by deallocating them (one that is only shut down stays
// billed), and the compute instances of Azure Machine Learning. Machines of scale sets and of clusters are left to
// these. Threads and errors: see auth::MachineTarget; calls also fail with the errors of AzureToken.
class AzureTarget final : public auth::MachineTarget {
public:
    AzureTarget(const model::SourceSettings &settings, std::unique_ptr<ComputeApi> api, const base::Clock &clock,
                std::shared_ptr<http::Pause> pause);

    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                                             std::stop_token stop) override;

private:
    std::string listRight() const override { return kMachinesRight; }
    base::Result<void> askList(const std::stop_token &stop) override;
    base::Result<model::TargetRef> named(const std::string &name, const std::stop_token &stop) override;
    base::Result<model::TargetState> describe(const model::TargetRef &target, Detail detail,
                                              const std::stop_token &stop) override;
    ports::WriteOutcome change(const model::TargetState &target, bool starts, const std::stop_token &stop) override;

    std::string idOf(const model::TargetRef &target) const;

    std::unique_ptr<ComputeApi> m_api;
    LearningInstances m_instances;
};

// For the catalogue. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::unique_ptr<ports::ActionTarget>>
makeAzureTarget(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::azure
