// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "connectors/kubernetes/api/kubeapi.h"

#include <optional>
#include <string>
#include <vector>

// Reads facts from the JSON of Kubernetes objects. Pure functions; a value of an unexpected type counts as absent.
namespace gpuledger::kubernetes {

// The member at a path of names; null if absent.
const Json &at(const Json &object, std::initializer_list<std::string_view> path);
std::string text(const Json &object, std::initializer_list<std::string_view> path);
bool isTrue(const Json &object, std::initializer_list<std::string_view> path);
std::string uidOf(const Json &object);
std::string nameOf(const Json &object);
std::string versionOf(const Json &object);
model::Labels labelsAt(const Json &object, std::initializer_list<std::string_view> path);
bool hasCondition(const Json &object, std::string_view type, std::string_view status);

// An entry of metadata.ownerReferences.
struct OwnerRef {
    std::string apiVersion, kind, name, uid;
};
// The controller, otherwise the only owner. `isUnclear`: there are several owners and none is the controller.
std::optional<OwnerRef> ownerOf(const Json &object, bool &isUnclear);

// Whether a Kubernetes resource is a compute device: nvidia.com/gpu, amd.com/gpu, …
bool isGpuResource(std::string_view name);
// Whether a pod requests GPUs, or devices through claims: it then holds them until it is gone.
bool requestsGpus(const Json &pod);
bool isOver(const Json &pod); // Succeeded or Failed: no longer holds anything
bool hasLocalDisk(const Json &pod); // emptyDir or hostPath
// The manifest that recreates the pod, without the fields that the cluster filled in.
Json manifestOf(const Json &pod);
// Whether a label selector matches these labels. An empty selector matches everything, an absent one nothing.
bool selects(const Json &selector, const model::Labels &labels);

} // namespace gpuledger::kubernetes
