// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/api/objects.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>

namespace gpuledger::kubernetes {

namespace {

const Json kNull;

bool isSome(const Json &quantity)
{
    if (quantity.is_number())
        return quantity.get<double>() > 0;
    return quantity.is_string() && quantity.get<std::string>().find_first_of("123456789") != std::string::npos;
}

bool asksForGpus(const Json &containers)
{
    if (!containers.is_array())
        return false;
    for (const Json &container : containers) {
        for (const char *part : {"limits", "requests"}) {
            const Json &amounts = at(container, {"resources", part});
            if (!amounts.is_object())
                continue;
            for (const auto &[name, quantity] : amounts.items()) {
                if (isGpuResource(name) && isSome(quantity))
                    return true;
            }
        }
    }
    return false;
}

void eraseIf(Json &array, const std::function<bool(const Json &)> &isUnwanted)
{
    if (!array.is_array())
        return;
    Json kept = Json::array();
    for (const Json &one : array) {
        if (!isUnwanted(one))
            kept.push_back(one);
    }
    array = std::move(kept);
}

bool isInjected(const Json &named)
{
    return format::textOf(named, "name").starts_with("kube-api-access-");
}

} // namespace

bool isGpuResource(std::string_view name)
{
    static constexpr std::array<std::string_view, 7> kNames{
        "amd.com/gpu",      "google.com/tpu",        "habana.ai/gaudi",          "gpu.intel.com/i915",
        "gpu.intel.com/xe", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore"};
    return name.starts_with("nvidia.com/") || name.starts_with("amd.com/gpu")
        || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

const Json &at(const Json &object, std::initializer_list<std::string_view> path)
{
    const Json *here = &object;
    for (const std::string_view name : path) {
        if (!here->is_object())
            return kNull;
        const auto it = here->find(name);
        if (it == here->end())
            return kNull;
        here = &*it;
    }
    return *here;
}

std::string text(const Json &object, std::initializer_list<std::string_view> path)
{
    const Json &value = at(object, path);
    return value.is_string() ? value.get<std::string>() : std::string();
}

bool isTrue(const Json &object, std::initializer_list<std::string_view> path)
{
    const Json &value = at(object, path);
    return value.is_boolean() && value.get<bool>();
}

std::string uidOf(const Json &object)
{
    return text(object, {"metadata", "uid"});
}

std::string nameOf(const Json &object)
{
    return text(object, {"metadata", "name"});
}

std::string versionOf(const Json &object)
{
    return text(object, {"metadata", "resourceVersion"});
}

model::Labels labelsAt(const Json &object, std::initializer_list<std::string_view> path)
{
    model::Labels labels;
    const Json &map = at(object, path);
    if (!map.is_object())
        return labels;
    for (const auto &[name, value] : map.items()) {
        if (value.is_string())
            labels.emplace(name, value.get<std::string>());
    }
    return labels;
}

bool hasCondition(const Json &object, std::string_view type, std::string_view status)
{
    const Json &all = at(object, {"status", "conditions"});
    return all.is_array() && std::any_of(all.begin(), all.end(), [&](const Json &one) {
               return format::textOf(one, "type") == type
                   && (status.empty() || format::textOf(one, "status") == status);
           });
}

std::optional<OwnerRef> ownerOf(const Json &object, bool &isUnclear)
{
    isUnclear = false;
    const Json &all = at(object, {"metadata", "ownerReferences"});
    if (!all.is_array() || all.empty())
        return std::nullopt;
    const auto asRef = [](const Json &one) {
        return OwnerRef{format::textOf(one, "apiVersion"), format::textOf(one, "kind"), format::textOf(one, "name"),
                        format::textOf(one, "uid")};
    };
    for (const Json &one : all) {
        if (isTrue(one, {"controller"}))
            return asRef(one);
    }
    isUnclear = all.size() > 1;
    return isUnclear ? std::nullopt : std::optional(asRef(all.front()));
}

bool requestsGpus(const Json &pod)
{
    const Json &claims = at(pod, {"spec", "resourceClaims"});
    return (claims.is_array() && !claims.empty()) || asksForGpus(at(pod, {"spec", "containers"}))
        || asksForGpus(at(pod, {"spec", "initContainers"}));
}

bool isOver(const Json &pod)
{
    const std::string phase = text(pod, {"status", "phase"});
    return phase == "Succeeded" || phase == "Failed";
}

bool hasLocalDisk(const Json &pod)
{
    const Json &volumes = at(pod, {"spec", "volumes"});
    return volumes.is_array() && std::any_of(volumes.begin(), volumes.end(), [](const Json &one) {
               return one.is_object() && (one.contains("emptyDir") || one.contains("hostPath"));
           });
}

Json manifestOf(const Json &pod)
{
    Json out = pod.is_object() ? pod : Json::object();
    out["apiVersion"] = "v1";
    out["kind"] = "Pod";
    out.erase("status");
    if (!out.contains("metadata") || !out["metadata"].is_object() || !out["spec"].is_object())
        return out;
    for (const char *key : {"uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "managedFields",
                            "ownerReferences", "generateName", "selfLink", "deletionGracePeriodSeconds", "generation"})
        out["metadata"].erase(key);
    Json &spec = out["spec"];
    // The last two are computed from the priority class.
    for (const char *key : {"nodeName", "priority", "preemptionPolicy"})
        spec.erase(key);
    if (spec.contains("volumes"))
        eraseIf(spec["volumes"], isInjected);
    for (const char *list : {"containers", "initContainers", "ephemeralContainers"}) {
        if (!spec.contains(list) || !spec[list].is_array())
            continue;
        for (Json &container : spec[list]) {
            if (container.contains("volumeMounts"))
                eraseIf(container["volumeMounts"], isInjected);
        }
    }
    spec.erase("ephemeralContainers");
    if (spec.contains("tolerations")) {
        eraseIf(spec["tolerations"], [](const Json &one) {
            const std::string key = format::textOf(one, "key");
            return (key == "node.kubernetes.io/not-ready" || key == "node.kubernetes.io/unreachable")
                && format::textOf(one, "effect") == "NoExecute" && one.contains("tolerationSeconds");
        });
    }
    return out;
}

namespace {

bool matches(const Json &rule, const model::Labels &labels)
{
    const std::string key = format::textOf(rule, "key"), how = format::textOf(rule, "operator");
    const auto label = labels.find(key);
    const Json &values = at(rule, {"values"});
    const bool isListed = label != labels.end() && values.is_array()
        && std::find(values.begin(), values.end(), Json(label->second)) != values.end();
    if (how == "In")
        return isListed;
    if (how == "NotIn")
        return !isListed;
    if (how == "Exists")
        return label != labels.end();
    return how == "DoesNotExist" && label == labels.end();
}

} // namespace

bool selects(const Json &selector, const model::Labels &labels)
{
    if (!selector.is_object())
        return false;
    for (const auto &[key, value] : labelsAt(selector, {"matchLabels"})) {
        const auto label = labels.find(key);
        if (label == labels.end() || label->second != value)
            return false;
    }
    const Json &rules = at(selector, {"matchExpressions"});
    return !rules.is_array()
        || std::all_of(rules.begin(), rules.end(), [&](const Json &rule) { return matches(rule, labels); });
}

} // namespace gpuledger::kubernetes
