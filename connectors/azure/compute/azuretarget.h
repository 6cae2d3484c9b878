// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/actiontarget.h"
#include "connectors/azure/compute/computeapi.h"
#include "connectors/azure/compute/machinestate.h"

#include <memory>
#include <string>

namespace gpuledger::azure {

Tuning actionTuning();

// The virtual machines of a subscription, which are stopped by deallocating them: one that is only shut down stays
// billed. Azure has no preconditions and no dry run: a machine is compared right before a call, a call is sent once,
// and without a clear answer its outcome is unknown until the machine is read. Machines of scale sets are left to
// these. Threads and errors: see ports::ActionTarget; calls also fail with the errors of AzureToken.
class AzureTarget final : public ports::ActionTarget {
public:
    // `clock` must return the real time and outlive it.
    AzureTarget(const model::SourceSettings &settings, std::unique_ptr<ComputeApi> api, const base::Clock &clock,
                std::shared_ptr<http::Pause> pause);

    const std::string &source() const override { return m_source; }
    std::string cluster() const override { return m_cluster; }
    bool hasPreconditions() const override { return false; }
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

private:
    std::string idOf(const model::TargetRef &target) const;
    std::string urlOf(const std::string &id) const;
    base::Result<std::string> named(const std::string &name, const std::stop_token &stop); // its id
    base::Result<MachineView> look(const std::string &id, const std::stop_token &stop);
    base::Result<model::TargetState> complete(const std::string &id, const std::stop_token &stop);
    Locks locksOf(const std::string &id, const std::stop_token &stop);
    model::HolderKey holderOf(const model::TargetState &state) const;
    // The machine if it is still as in `target`, described a moment ago; otherwise the outcome of a call not sent.
    tl::expected<MachineView, ports::WriteOutcome> unchanged(const model::TargetState &target,
                                                             const std::stop_token &stop);
    ports::WriteOutcome send(const model::TargetState &target, const char *change, const std::stop_token &stop);

    std::string m_source, m_cluster;
    bool m_mayStop;
    std::unique_ptr<ComputeApi> m_api;
    const base::Clock &m_clock;
    std::shared_ptr<http::Pause> m_pause;
};

// For the catalogue. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::unique_ptr<ports::ActionTarget>>
makeAzureTarget(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::azure
