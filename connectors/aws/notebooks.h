// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/actiontarget.h"
#include "connectors/aws/awsapi.h"

#include <optional>
#include <string>

namespace gpuledger::aws {

inline constexpr char kNotebookKind[] = "NotebookInstance";

// A SageMaker notebook instance as the service reports it.
struct NotebookFacts {
    std::string name, arn, status, type;
    std::string created, modified; // milliseconds since 1970; "" if not reported
    std::optional<model::Labels> tags; // std::nullopt if they could not be read
};

// SageMaker notebook instances. The functions are those of ports::ActionTarget, with its threads and errors. They are
// stopped by name, without preconditions or dry runs: ARN, creation time, modification time and tags are compared right
// before a change (at most kFresh earlier), and ARN and creation time once more afterwards. HolderKey::instanceId holds
// the ARN.
class Notebooks {
public:
    Notebooks(AwsApi &api, std::string source, std::string cluster);

    static bool isArn(std::string_view text);
    [[nodiscard]] base::Result<model::TargetState> find(const model::HolderKey &holder, const std::stop_token &stop);
    [[nodiscard]] base::Result<model::TargetState> read(const model::TargetRef &target, const std::stop_token &stop);
    // SageMaker does not report permissions before the call: always allowed, and the call itself shows.
    [[nodiscard]] base::Result<ports::Permission> permission() const;
    [[nodiscard]] base::Result<ports::Rehearsal> rehearse(const model::TargetState &target,
                                                          const std::stop_token &stop);
    [[nodiscard]] ports::WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                           const std::stop_token &stop);
    [[nodiscard]] ports::WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                           const std::stop_token &stop);

private:
    using Try = AwsApi::Try;
    base::Result<NotebookFacts> describe(const std::string &name, Try how, const std::stop_token &stop);
    base::Result<std::string> nameOf(const std::string &arn, const std::stop_token &stop);
    base::Result<model::Labels> tagsOf(const std::string &arn, Try how, const std::stop_token &stop);
    model::TargetState stateOf(const NotebookFacts &facts) const;
    tl::expected<NotebookFacts, ports::WriteOutcome> unchanged(const model::TargetState &target,
                                                               const std::stop_token &stop);
    void compareAfter(const NotebookFacts &before, ports::WriteOutcome &out, const std::stop_token &stop);
    void changeTags(const std::string &action, const std::string &body, const char *warning, ports::WriteOutcome &out,
                    const std::stop_token &stop);

    AwsApi &m_api;
    std::string m_source, m_cluster;
};

} // namespace gpuledger::aws
