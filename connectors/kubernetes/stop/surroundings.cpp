// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/stop/surroundings.h"

#include "connectors/format/json.h"

#include <algorithm>
#include <array>

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;
using format::textOf;
using model::Caution;
using model::Obstacle;

namespace {

constexpr const char *kQueueName = "kueue.x-k8s.io/queue-name";

bool isOwnedBy(const Json &object, const std::string &uid)
{
    const Json &owners = at(object, {"metadata", "ownerReferences"});
    return owners.is_array()
        && std::any_of(owners.begin(), owners.end(), [&](const Json &one) { return textOf(one, "uid") == uid; });
}

bool scales(const Json &scaler, const Subject &subject)
{
    const Json &target = at(scaler, {"spec", "scaleTargetRef"});
    // KEDA omits the kind if it is Deployment.
    const std::string kind = textOf(target, "kind").empty() ? "Deployment" : textOf(target, "kind");
    const std::string version = textOf(target, "apiVersion");
    return kind == subject.resource.kind && textOf(target, "name") == nameOf(subject.object)
        && (version.empty() || groupOf(version) == subject.resource.group);
}

// True if it is already paused and keeps its current replicas: KEDA then reverts nothing, and a second pause could not
// be undone by removing it.
bool isPausedAsItIs(const Json &scaler)
{
    return text(scaler, {"metadata", "annotations", "autoscaling.keda.sh/paused"}) == "true"
        && text(scaler, {"metadata", "annotations", "autoscaling.keda.sh/paused-replicas"}).empty();
}

std::string number(const Json &value)
{
    return value.is_number_integer() ? std::to_string(value.get<std::int64_t>()) : std::string("?");
}

} // namespace

Result<std::optional<Resource>> Surroundings::forEach(const char *group, const char *kind,
                                                      const std::function<void(const Json &)> &visit,
                                                      const std::stop_token &stop)
{
    auto resource = m_discovery.find(group, kind, stop);
    if (resource && !*resource)
        return std::optional<Resource>();
    std::optional<base::Error> error;
    if (!resource)
        error = resource.error();
    else if (auto listed = m_api.list((*resource)->listPath(m_nameSpace), visit, stop); !listed)
        error = listed.error();
    if (!error)
        return *resource;
    if (error->code == ErrorCode::NotFound)
        return std::optional<Resource>();
    if (error->code != ErrorCode::Forbidden)
        return base::fail(std::move(*error));
    cautions.push_back({Caution::Kind::Other,
                        std::string(kind)
                            + " can't be listed, so it is not known whether one "
                              "matters here: "
                            + error->text});
    return std::optional<Resource>();
}

Result<std::optional<Subject>> Surroundings::workloadOf(const Subject &subject, std::optional<Obstacle> &obstacle,
                                                        const std::stop_token &stop)
{
    const std::string uid = uidOf(subject.object);
    Json found;
    const auto resource = forEach(
        "kueue.x-k8s.io", "Workload",
        [&](const Json &workload) {
            if (isOwnedBy(workload, uid) && (found.is_null() || hasCondition(found, "Finished", "True")))
                found = workload;
        },
        stop);
    GPULEDGER_TRY(resource);
    if (!found.is_null()) {
        found["apiVersion"] = (*resource)->apiVersion();
        found["kind"] = "Workload";
        return Subject{**resource, std::move(found)};
    }
    if (!text(subject.object, {"metadata", "labels", kQueueName}).empty())
        obstacle = Obstacle{Obstacle::Kind::ManagedElsewhere,
                            "Kueue runs it through a Workload, and none of this object can be seen"};
    return std::optional<Subject>();
}

Result<std::optional<Subject>> Surroundings::scaledObjectOf(const Subject &subject, const std::stop_token &stop)
{
    Json found;
    const auto resource = forEach(
        "keda.sh", "ScaledObject",
        [&](const Json &scaler) {
            if (scales(scaler, subject))
                found = scaler;
        },
        stop);
    GPULEDGER_TRY(resource);
    if (found.is_null())
        return std::optional<Subject>();
    return Subject{**resource, std::move(found)};
}

Result<std::optional<Subject>> Surroundings::actInstead(const Subject &subject, model::StopVerb verb,
                                                        std::optional<Obstacle> &obstacle, const std::stop_token &stop)
{
    using model::StopVerb;
    if (verb == StopVerb::ScaleToZero) {
        auto scaler = scaledObjectOf(subject, stop);
        if (!scaler || !*scaler)
            return scaler;
        const std::string scaled = shown(nameOf(subject.object)), name = shown(nameOf((*scaler)->object));
        if (isPausedAsItIs((*scaler)->object)) {
            cautions.push_back({Caution::Kind::Other, "KEDA is paused for " + scaled + " by its ScaledObject " + name});
            return std::optional<Subject>();
        }
        cautions.push_back(
            {Caution::Kind::Keda, "KEDA scales " + scaled + "; it is paused through its ScaledObject " + name});
        return scaler;
    }
    if (verb != StopVerb::Suspend && verb != StopVerb::Evict && verb != StopVerb::Delete)
        return std::optional<Subject>();
    auto workload = workloadOf(subject, obstacle, stop);
    if (workload && *workload)
        cautions.push_back({Caution::Kind::Queue,
                            "Kueue admitted it through queue " + shown(text((*workload)->object, {"spec", "queueName"}))
                                + "; started again, it goes back to the queue and may wait"});
    return workload;
}

Result<void> Surroundings::addAutoscalers(const Subject &subject, const std::string &butOf, const std::stop_token &stop)
{
    const std::size_t before = cautions.size();
    const auto listed = forEach(
        "autoscaling", "HorizontalPodAutoscaler",
        [&](const Json &hpa) {
            if (!scales(hpa, subject) || (!butOf.empty() && isOwnedBy(hpa, butOf)))
                return;
            const Json &least = at(hpa, {"spec", "minReplicas"});
            managers.insert("hpa:" + shown(nameOf(hpa)));
            const std::string range = shown(nameOf(hpa)) + " scales it between "
                + (least.is_null() ? "1" : number(least)) + " and " + number(at(hpa, {"spec", "maxReplicas"}));
            if (least == Json(0))
                cautions.push_back({Caution::Kind::Other, range + ", and starts it again from 0"});
            else
                cautions.push_back({Caution::Kind::Autoscaler, range + "; it sleeps while replicas are 0"});
        },
        stop);
    GPULEDGER_TRY(listed);
    if (!*listed && cautions.size() > before) // no permission to list them: one of them may be in charge
        managers.insert("hpa:unknown");
    return {};
}

Result<void> Surroundings::addBudgets(const std::vector<HeldPod> &pods, const std::stop_token &stop)
{
    if (pods.empty())
        return {};
    const auto listed = forEach(
        "policy", "PodDisruptionBudget",
        [&](const Json &budget) {
            const Json &selector = at(budget, {"spec", "selector"});
            if (std::any_of(pods.begin(), pods.end(),
                            [&](const HeldPod &pod) { return selects(selector, pod.labels); }))
                cautions.push_back({Caution::Kind::DisruptionBudget,
                                    "the disruption budget " + shown(nameOf(budget)) + " wants it to stay up; "
                                        + number(at(budget, {"status", "disruptionsAllowed"}))
                                        + " disruptions are allowed now"});
        },
        stop);
    GPULEDGER_TRY(listed);
    return {};
}

void Surroundings::addManager(const std::string &who, const std::string &name)
{
    if (!managers.insert(name.empty() ? who : who + ':' + shown(name)).second)
        return;
    cautions.push_back({Caution::Kind::GitOps, who + (name.empty() ? std::string() : ' ' + shown(name))});
}

void Surroundings::addGitOps(const Subject &subject)
{
    struct Sign {
        const char *map, *key, *who;
    };
    static constexpr std::array<Sign, 4> kSigns{{{"annotations", "argocd.argoproj.io/tracking-id", "argo-cd"},
                                                 {"labels", "argocd.argoproj.io/instance", "argo-cd"},
                                                 {"labels", "kustomize.toolkit.fluxcd.io/name", "flux"},
                                                 {"labels", "helm.toolkit.fluxcd.io/name", "flux"}}};
    for (const Sign &sign : kSigns) {
        // A tracking id has the form APPLICATION:GROUP/KIND:NAMESPACE/NAME.
        const std::string value = text(subject.object, {"metadata", sign.map, sign.key});
        if (!value.empty())
            addManager(sign.who, value.substr(0, value.find(':')));
    }
    const Json &fields = at(subject.object, {"metadata", "managedFields"});
    for (std::size_t i = 0; fields.is_array() && i < fields.size(); ++i)
        addFieldManager(subject, fields[i]);
}

void Surroundings::addFieldManager(const Subject &subject, const Json &entry)
{
    const std::string name = textOf(entry, "manager");
    const auto isKnown = [&](const char *prefix) {
        return std::any_of(managers.begin(), managers.end(),
                           [&](const std::string &one) { return one.starts_with(prefix); });
    };
    if (name.find("argocd") != std::string::npos) {
        if (!isKnown("argo-cd"))
            addManager("argo-cd", text(subject.object, {"metadata", "labels", "app.kubernetes.io/instance"}));
    } else if (name == "kustomize-controller" || name == "helm-controller") {
        if (!isKnown("flux"))
            addManager("flux", {});
    } else if (name != "gpu-ledger" && at(entry, {"fieldsV1", "f:spec"}).contains("f:replicas")
               && (textOf(entry, "operation") == "Apply" || name.find("helm") != std::string::npos)) {
        // An apply declares the fields, by hand or not; a plain update is a one-off change.
        cautions.push_back({Caution::Kind::GitOps, "the field manager " + shown(name)});
    }
}

} // namespace gpuledger::kubernetes
