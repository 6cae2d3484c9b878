// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"
#include "connectors/aws/inventory/gpusizes.h"
#include "connectors/aws/metrics/sagemakermeter.h"
#include "connectors/aws/sagemaker/sagemakerapi.h"

#include <set>
#include <string_view>

namespace gpuledger::aws {

// The kinds of things that have machines, as reasons and warnings name one of them.
inline constexpr std::string_view kNotebookThing = "notebook", kEndpointThing = "endpoint",
                                  kTrainingThing = "training job", kAppThing = "Studio app";

// Machines of one type that are one thing to whoever pays.
struct SageMakerMachine {
    std::string_view thing; // one of the above
    std::string id, arn; // arn: of the notebook, endpoint, job or app
    std::string type; // "ml.p4d.24xlarge"
    std::int64_t instances = 1;
    std::optional<base::UtcTime> since{}, until{}; // as ports::ListedMachine
    bool isSpot = false;
    bool hasKnownArn = true; // false: it was derived, and nothing can be asked with it
    std::optional<SageMakerMeter> meter{}; // without its numbers of instances and GPUs; empty: CloudWatch has none
};

// Where a list goes.
struct SageMakerTold {
    ports::Inventory &inventory;
    SageMakerMeters &meters;
};

// Collects what SageMaker lists as machines of an inventory. Lives for one list.
class SageMakerListing {
public:
    static constexpr std::int64_t kMostGpus = 64; // that one machine of an inventory may have

    SageMakerListing(SageMakerApi &api, const std::string &region, GpuSizes &sizes, const SageMakerTold &out,
                     const std::stop_token &stop);

    SageMakerApi &api() const { return m_api; }
    const std::stop_token &stop() const { return m_stop; }
    const std::string &region() const { return m_region; }
    // Of a thing in the list; empty: no ARN was listed yet.
    const std::string &account() const { return m_account; }

    // Whether a thing is told for the first time: pages shift while they are read.
    bool isNew(const std::string &arn);
    // Asks for the GPUs of these types. Fails as GpuSizes::learn does.
    [[nodiscard]] base::Result<void> learn(const std::set<std::string> &types);
    bool hasGpus(const std::string &type) const;
    // Adds a machine with its tags, unless it has no GPUs. Fails as SageMakerApi::tagsOf does, but not with Forbidden.
    [[nodiscard]] base::Result<void> add(const SageMakerMachine &machine);
    void leaveOut(std::string_view reason) { m_out.inventory.leaveOut(reason); }
    // A warning, once: `remark`, and why.
    void warn(const std::string &remark, const base::Error &why);
    // As SageMakerApi::describe; what may not be described is counted as left out, and null.
    [[nodiscard]] base::Result<nlohmann::json> describe(std::string_view thing, const std::string &action,
                                                        const nlohmann::json &which);

private:
    [[nodiscard]] base::Result<model::Labels> tagsOf(const std::string &arn);

    SageMakerApi &m_api;
    const std::string &m_region;
    GpuSizes &m_sizes;
    SageMakerTold m_out;
    const std::stop_token &m_stop;
    std::string m_account;
    std::set<std::string> m_arns, m_ids, m_remarks;
};

// "p4d.24xlarge" of "ml.p4d.24xlarge"; empty: it can be no type, and must not be asked for, because "*" stands for all.
std::string machineTypeIn(std::string_view type);

} // namespace gpuledger::aws
