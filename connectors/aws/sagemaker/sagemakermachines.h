// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"
#include "connectors/aws/inventory/gpusizes.h"
#include "connectors/aws/metrics/sagemakermeter.h"
#include "connectors/aws/sagemaker/sagemakerapi.h"

namespace gpuledger::aws {

// The machines with GPUs of SageMaker in one region of an account: notebook instances, the variants of endpoints,
// training jobs and Studio apps. They are not in the list of EC2. Blocking; one call at a time.
class SageMakerMachines {
public:
    SageMakerMachines(AwsApi &api, std::string region); // the API must outlive it

    // Adds all of them, and to meters() how CloudWatch names their metrics. What may not be listed is a warning, and so
    // is a SageMaker that can't be reached at all. If it fails otherwise, `out` is partial
    // (ports::Inventory::noteFailure), with the machines listed before. Fails as AwsApi::read does, but only with what
    // concerns the whole account.
    [[nodiscard]] base::Result<void> add(GpuSizes &sizes, ports::Inventory &out, const std::stop_token &stop);
    // What a connection test says of the four lists. Fails as AwsApi::read does.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(const std::stop_token &stop);
    // Of the machines that were added.
    const SageMakerMeters &meters() const { return m_meters; }

private:
    AwsApi &m_api;
    std::string m_region;
    SageMakerMeters m_meters;
};

} // namespace gpuledger::aws
