// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/instancepage.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kMicro = 1'000'000;
// cloud.google.com/compute/docs/gpus; the names of the catalogue (resources/prices).
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kAccelerators{
    {{"nvidia-tesla-t4", "T4"},
     {"nvidia-tesla-p4", "P4"},
     {"nvidia-tesla-p100", "P100"},
     {"nvidia-tesla-v100", "V100"},
     {"nvidia-l4", "L4"},
     {"nvidia-tesla-a100", "A100 40GB"},
     {"nvidia-a100-80gb", "A100 80GB"},
     {"nvidia-h100-80gb", "H100 SXM"},
     {"nvidia-h100-mega-80gb", "H100 SXM"},
     {"nvidia-h200-141gb", "H200"},
     {"nvidia-b200", "B200"},
     {"nvidia-rtx-pro-6000", "RTX PRO 6000"}}};

std::optional<base::UtcTime> timeAt(const Json &instance, const char *key)
{
    const auto time = base::parseTime(format::textOf(instance, key));
    return time ? std::optional(*time) : std::nullopt;
}

struct Gpus {
    std::string name;
    std::int64_t count = 0; // whole ones; 0 with a name: a part of one, or unreadable
};

Gpus gpusOf(const Json &instance, const std::map<std::string, ports::KnownMachine> &known)
{
    if (const auto type = known.find(lastOf(format::textOf(instance, "machineType"))); type != known.end())
        return {type->second.gpuName, type->second.microGpus % kMicro == 0 ? type->second.microGpus / kMicro : 0};
    Gpus gpus;
    const Json &accelerators = format::memberOf(instance, "guestAccelerators");
    for (std::size_t i = 0; accelerators.is_array() && i < accelerators.size(); ++i) {
        const std::string name = gpuOf(lastOf(format::textOf(accelerators[i], "acceleratorType")));
        const Json &count = format::memberOf(accelerators[i], "acceleratorCount");
        if (name.empty())
            continue;
        gpus.name = name;
        gpus.count = count.is_number_integer() ? count.get<std::int64_t>() : 0;
    }
    return gpus;
}

// "us-central1" of "us-central1-a".
std::string regionOf(const std::string &zone)
{
    return zone.substr(0, zone.rfind('-'));
}

// The current run of a machine or its last one; false: it does not run, and when it did is not known.
bool readRun(const Json &instance, const std::string &status, ports::ListedMachine &machine)
{
    const auto started = timeAt(instance, "lastStartTimestamp");
    const auto since = started ? started : timeAt(instance, "creationTimestamp");
    if (!since)
        return false;
    machine.since = *since;
    if (status == "RUNNING" || status == "REPAIRING" || status == "PENDING_STOP")
        return true;
    machine.until = timeAt(instance, status == "SUSPENDED" ? "lastSuspendedTimestamp" : "lastStopTimestamp");
    return (status == "TERMINATED" || status == "SUSPENDED") && machine.until && *machine.until > *since;
}

// A number that several machines have is none of theirs.
void addNumber(const Json &instance, const std::string &machine, InstanceNumbers &numbers)
{
    const std::string number = format::textOf(instance, "id");
    const bool isNumber =
        !number.empty() && std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!isNumber)
        return;
    const auto [at, isNew] = numbers.try_emplace(number, machine);
    if (!isNew && at->second != machine)
        at->second.clear();
}

// By what Workbench adds to its machines: a label (older notebooks have another one) and metadata.
bool isOfWorkbench(const Json &instance, const model::Labels &labels)
{
    return labels.contains("notebooks-product") || labels.contains("goog-caip-notebook")
        || !metadataOf(instance, "notebooks-api").empty();
}

Result<void> addInstance(const Json &instance, const std::string &zone, const std::string &project,
                         const std::map<std::string, ports::KnownMachine> &known, ports::Inventory &out,
                         InstanceDetails &details)
{
    const std::string name = format::textOf(instance, "name"), status = format::textOf(instance, "status");
    if (name.empty() || status.empty())
        return base::fail(ErrorCode::Parse, "Compute Engine described an instance without a name or status",
                          base::Remedy::NextSyncTriesAgain);
    const Gpus gpus = gpusOf(instance, known);
    if (gpus.name.empty())
        return {};
    ports::ListedMachine machine;
    machine.id = zone + '/' + name; // unique in a project
    machine.hostName = name;
    machine.providerId = "gce://" + project + '/' + zone + '/' + name;
    machine.type = lastOf(format::textOf(instance, "machineType"));
    machine.region = regionOf(zone);
    machine.zone = zone;
    machine.tags = instanceLabels(instance);
    machine.gpuName = gpus.name;
    machine.gpus = gpus.count;
    machine.isSpot = isSpot(instance);
    machine.isMember = isInCluster(machine.tags);
    if (gpus.count == 0) {
        out.leaveOut("machine with a part of a GPU");
    } else if (readRun(instance, status, machine)) {
        addNumber(instance, machine.id, details.numbers);
        if (isOfWorkbench(instance, machine.tags))
            details.notebooks.insert(machine.id);
        out.machines.push_back(std::move(machine));
    }
    return {};
}

} // namespace

// "n1-standard-8" of ".../zones/us-central1-a/machineTypes/n1-standard-8".
std::string lastOf(const std::string &url)
{
    return url.substr(url.rfind('/') + 1); // all of it if there is no slash
}

model::Labels instanceLabels(const Json &instance)
{
    model::Labels labels;
    const Json &all = format::memberOf(instance, "labels");
    if (all.is_object()) {
        for (const auto &[key, value] : all.items()) {
            if (value.is_string())
                labels[key] = value.get<std::string>();
        }
    }
    return labels;
}

std::string metadataOf(const Json &instance, std::string_view key)
{
    const Json &items = format::memberOf(format::memberOf(instance, "metadata"), "items");
    for (std::size_t i = 0; items.is_array() && i < items.size(); ++i) {
        if (format::textOf(items[i], "key") == key)
            return format::textOf(items[i], "value");
    }
    return {};
}

bool isInCluster(const model::Labels &labels)
{
    return std::any_of(labels.begin(), labels.end(), [](const auto &label) {
        return label.first.starts_with("goog-gke-") || label.first.starts_with("goog-k8s-")
            || label.first.starts_with("goog-dataproc-") || label.first == "slurm_cluster_name";
    });
}

// "Preemptible" is the older form of it.
bool isSpot(const Json &instance)
{
    const Json &scheduling = format::memberOf(instance, "scheduling");
    const Json &preemptible = format::memberOf(scheduling, "preemptible");
    return format::textOf(scheduling, "provisioningModel") == "SPOT"
        || (preemptible.is_boolean() && preemptible.get<bool>());
}

std::string gpuOf(std::string_view acceleratorType)
{
    constexpr std::string_view kMaker = "nvidia-", kWorkstation = "-vws";
    if (acceleratorType.ends_with(kWorkstation))
        acceleratorType.remove_suffix(kWorkstation.size());
    for (const auto &[type, model] : kAccelerators) {
        if (type == acceleratorType)
            return std::string(model);
    }
    return acceleratorType.starts_with(kMaker) ? base::printable(acceleratorType.substr(kMaker.size()), 100)
                                               : std::string(); // a TPU, for example
}

Result<void> addInstances(const Json &page, const std::string &project,
                          const std::map<std::string, ports::KnownMachine> &known, ports::Inventory &out,
                          InstanceDetails &details)
{
    const Json &zones = format::memberOf(page, "items");
    if (!zones.is_null() && !zones.is_object())
        return base::fail(ErrorCode::Parse, "Compute Engine's answer is no list of zones",
                          base::Remedy::NextSyncTriesAgain);
    for (const auto &[key, zone] : zones.items()) {
        const Json &instances = format::memberOf(zone, "instances");
        for (std::size_t i = 0; instances.is_array() && i < instances.size(); ++i)
            GPULEDGER_TRY(addInstance(instances[i], lastOf(key), project, known, out, details));
    }
    const Json &silent = format::memberOf(page, "unreachables");
    for (std::size_t i = 0; silent.is_array() && i < silent.size(); ++i)
        out.leaveOut("zone that did not answer");
    return {};
}

} // namespace gpuledger::gcp
