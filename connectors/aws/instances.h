// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/actiontarget.h"
#include "connectors/aws/awsapi.h"
#include "connectors/aws/instancefacts.h"

#include <map>
#include <mutex>
#include <string>

namespace gpuledger::aws {

inline constexpr char kInstanceKind[] = "Instance";

// EC2 instances. The functions are those of ports::ActionTarget, with its threads and errors. EC2 has no preconditions:
// right before a change the instance is described, the change is sent at most kFresh later, and the result is read
// back. Force, Hibernate and SkipOsShutdown are never sent, and protection is never removed.
class Instances {
public:
    Instances(AwsApi &api, std::string source, std::string cluster);

    [[nodiscard]] base::Result<model::TargetState> find(const model::HolderKey &holder, const std::stop_token &stop);
    [[nodiscard]] base::Result<model::TargetState> read(const model::TargetRef &target, const std::stop_token &stop);
    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                                             const std::stop_token &stop);
    [[nodiscard]] base::Result<ports::Rehearsal> rehearse(const model::TargetState &target,
                                                          const std::stop_token &stop);
    [[nodiscard]] ports::WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                           const std::stop_token &stop);
    [[nodiscard]] ports::WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                           const std::stop_token &stop);

private:
    using Try = AwsApi::Try;
    base::Result<InstanceFacts> describe(const std::string &id, Try how, const std::stop_token &stop);
    base::Result<InstanceFacts> describeNode(const std::string &node, const std::stop_token &stop);
    base::Result<model::TargetState> complete(const InstanceFacts &facts, const std::stop_token &stop);
    std::optional<bool> isProtected(const InstanceFacts &facts, const std::stop_token &stop);
    std::optional<bool> hasLocalDisks(const std::string &type, const std::stop_token &stop);
    std::string spotKind(const InstanceFacts &facts, const std::stop_token &stop);
    model::HolderKey holderOf(const InstanceFacts &facts) const;
    // The current instance if it still matches `target`; otherwise the outcome of the change.
    tl::expected<InstanceFacts, ports::WriteOutcome> unchanged(const model::TargetState &target,
                                                               const std::stop_token &stop);
    void leaveMark(const std::string &id, const model::StopMark &mark, ports::WriteOutcome &out,
                   const std::stop_token &stop);
    void takeMark(const std::string &id, ports::WriteOutcome &out, const std::stop_token &stop);
    void readBack(const InstanceFacts &before, ports::WriteOutcome &out, const std::stop_token &stop);

    AwsApi &m_api;
    std::string m_source, m_cluster;
    std::mutex m_mutex;
    std::map<std::string, bool> m_localDisks; // by instance type, for which it never changes; guarded by m_mutex
};

} // namespace gpuledger::aws
