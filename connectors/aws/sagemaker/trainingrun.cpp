// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/sagemaker/trainingrun.h"

#include "connectors/aws/sagemaker/sagemakerapi.h"
#include "connectors/format/json.h"

namespace gpuledger::aws {

using Json = nlohmann::json;

namespace {

bool isTrainingOn(const Json &job)
{
    const std::string status = format::textOf(job, "TrainingJobStatus");
    return status == "InProgress" || status == "Stopping";
}

std::optional<TrainingMachines> machinesIn(const Json &group)
{
    const auto instances = instanceCountIn(group, "InstanceCount");
    TrainingMachines out{format::textOf(group, "InstanceType"), instances.value_or(0)};
    return out.type.empty() || out.instances == 0 ? std::nullopt : std::optional(std::move(out));
}

// Either one type or groups; false: it can't be read.
bool readMachines(const Json &resources, std::vector<TrainingMachines> &to)
{
    const Json &groups = format::memberOf(resources, "InstanceGroups");
    const Json whole = groups.is_array() && !groups.empty() ? groups : Json::array({resources});
    for (const Json &group : whole) {
        auto machines = machinesIn(group);
        if (!machines)
            return false;
        to.push_back(std::move(*machines));
    }
    return true;
}

} // namespace

TrainingAnswer mayRun(const Json &summary, base::UtcTime earliest)
{
    if (format::textOf(summary, "TrainingJobStatus").empty())
        return TrainingAnswer::Unreadable;
    if (isTrainingOn(summary))
        return TrainingAnswer::Run;
    if (format::memberOf(summary, "TrainingEndTime").is_null())
        return TrainingAnswer::NoRun;
    const auto end = instantIn(summary, "TrainingEndTime");
    if (!end)
        return TrainingAnswer::Unreadable;
    return *end >= earliest ? TrainingAnswer::Run : TrainingAnswer::NoRun;
}

TrainingAnswer readTraining(const Json &job, base::UtcTime earliest, TrainingRun &to)
{
    if (format::memberOf(job, "TrainingStartTime").is_null()
        || format::memberOf(job, "ServerlessJobConfig").is_object())
        return TrainingAnswer::NoRun;
    if (const TrainingAnswer answer = mayRun(job, earliest); answer != TrainingAnswer::Run)
        return answer;
    const auto since = instantIn(job, "TrainingStartTime");
    if (!since || !readMachines(format::memberOf(job, "ResourceConfig"), to.machines))
        return TrainingAnswer::Unreadable;
    to.since = *since;
    if (!isTrainingOn(job))
        to.until = instantIn(job, "TrainingEndTime");
    const Json &spot = format::memberOf(job, "EnableManagedSpotTraining");
    to.isSpot = spot.is_boolean() && spot.get<bool>();
    return to.until && *to.until <= to.since ? TrainingAnswer::NoRun : TrainingAnswer::Run;
}

} // namespace gpuledger::aws
