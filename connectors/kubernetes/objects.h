// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "connectors/kubernetes/kubeapi.h"

#include <optional>
#include <string>
#include <vector>

// Facts in the JSON of Kubernetes objects. Pure functions; whatever has another type than it should counts as absent.
namespace gpuledger::kubernetes {

// The member at a path of names; null where it is absent.
const Json &at(const Json &object, std::initializer_list<std::string_view> path);
std::string text(const Json &object, std::initializer_list<std::string_view> path);
bool isTrue(const Json &object, std::initializer_list<std::string_view> path);
std::string uidOf(const Json &object);
std::string nameOf(const Json &object);
std::string versionOf(const Json &object);
model::Labels labelsAt(const Json &object, std::initializer_list<std::string_view> path);
bool hasCondition(const Json &object, std::string_view type, std::string_view status);

struct OwnerRef {
    std::string apiVersion, kind, name, uid;
};
// The controller, else the only owner. `isUnclear`: several owners, none of which controls it.
std::optional<OwnerRef> ownerOf(const Json &object, bool &isUnclear);

// Whether a resource of Kubernetes is a device that computes: nvidia.com/gpu, amd.com/gpu, …
bool isGpuResource(std::string_view name);
// Whether a pod asks for GPUs or for devices through claims: then it holds them until it is gone.
bool requestsGpus(const Json &pod);
bool isOver(const Json &pod); // Succeeded or Failed: it holds nothing any more
bool hasLocalDisk(const Json &pod); // emptyDir or hostPath
// What makes the pod again: without what the cluster filled in.
Json manifestOf(const Json &pod);
// Whether a label selector takes these labels. An empty one takes all, an absent one none.
bool selects(const Json &selector, const model::Labels &labels);

} // namespace gpuledger::kubernetes
