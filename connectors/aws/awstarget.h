// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "connectors/aws/awsapi.h"
#include "connectors/aws/instances.h"
#include "connectors/aws/notebooks.h"

#include <memory>
#include <string>

namespace gpuledger::aws {

// Parameters that tests reduce or replace.
struct Tuning {
    http::RetryLimits retries{.maxTries = 4,
                              .firstDelay = http::Milliseconds{500},
                              .maxDelay = http::Milliseconds{8'000},
                              .budget = http::Milliseconds{20'000}};
    http::Timeouts timeouts = Place{}.timeouts;
    std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>();
    ProcessEnvironment surroundings = ProcessEnvironment::ofProcess();
};

// Where a source of a region is reached.
Place placeOf(const model::SourceSettings &settings, const Tuning &tuning);
// Where its partition is asked about costs: each has one region for that.
Place billingPlaceOf(const model::SourceSettings &settings, const Tuning &tuning);
// Fails with InvalidConfig (no sigv4, no region, or a wrong url).
[[nodiscard]] base::Result<void> checkAwsSettings(const model::SourceSettings &settings);

// One region of one AWS account: EC2 instances (holders with an instance id, otherwise found by the private name of
// their node) and SageMaker notebook instances (holders whose instance id is the ARN). Threads and errors: see
// ports::ActionTarget; calls also fail with the errors of CredentialChain::get.
class AwsTarget final : public ports::ActionTarget {
public:
    // `settings.auth.region` must be a region. `clock` must return the real time: signatures depend on it.
    AwsTarget(const model::SourceSettings &settings, const base::Clock &clock, std::shared_ptr<http::HttpClient> client,
              Tuning tuning = {});

    const std::string &source() const override { return m_source; }
    std::string cluster() const override { return m_cluster; }
    bool hasPreconditions() const override { return false; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<model::TargetState> find(const model::HolderKey &holder, std::stop_token stop) override;
    [[nodiscard]] base::Result<model::TargetState> read(const model::TargetRef &target, std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                                             std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::Rehearsal> rehearse(const model::TargetState &target, const model::StopMark &mark,
                                                          std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                           std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                           const std::string &manifest, std::stop_token stop) override;

private:
    std::string m_source, m_cluster, m_region;
    bool m_mayStop;
    AwsApi m_api;
    Instances m_instances;
    Notebooks m_notebooks;
};

// For the catalogue, whose sources share one `client`. Fails with InvalidConfig (no sigv4, no region, or a wrong url).
[[nodiscard]] base::Result<std::unique_ptr<ports::ActionTarget>>
makeAwsTarget(const model::SourceSettings &settings, const base::Clock &clock,
              std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::aws
