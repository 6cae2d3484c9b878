// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/stop/kinds.h"

#include "connectors/format/json.h"
#include "connectors/kubernetes/api/objects.h"

#include <algorithm>

namespace gpuledger::kubernetes {

using model::Loss;
using model::Obstacle;
using model::StopVerb;

namespace {

constexpr const char *kNotebookStopped = "/metadata/annotations/kubeflow-resource-stopped";
constexpr const char *kServiceStopped = "/metadata/annotations/serving.kserve.io~1stop";
constexpr const char *kKedaPaused = "/metadata/annotations/autoscaling.keda.sh~1paused-replicas";

struct KindRule {
    std::string_view group, kind;
    StopVerb verb;
    const char *pointer;
    Json stopped;
    std::vector<Loss> losses;
    const char *managedBy = nullptr; // pointer to the name of the controller in charge
    std::string_view ownController = {}; // the controller that belongs to the kind
};

using L = std::vector<Loss>;
const L kService{Loss::ProcessMemory, Loss::Endpoint};
const L kRun{Loss::ProcessMemory, Loss::ProgressSinceCheckpoint};
constexpr const char *kRunSuspend = "/spec/runPolicy/suspend";
constexpr const char *kRunManagedBy = "/spec/runPolicy/managedBy";
constexpr std::string_view kTraining = "kubeflow.org/training-operator";

// One row per kind.
const std::vector<KindRule> &rules()
{
    static const std::vector<KindRule> kRules{
        {"apps", "Deployment", StopVerb::ScaleToZero, "/spec/replicas", 0, kService},
        {"apps", "StatefulSet", StopVerb::ScaleToZero, "/spec/replicas", 0, kService},
        {"apps", "ReplicaSet", StopVerb::ScaleToZero, "/spec/replicas", 0, kService},
        {"argoproj.io", "Rollout", StopVerb::ScaleToZero, "/spec/replicas", 0, kService},
        {"batch", "Job", StopVerb::Suspend, "/spec/suspend", true, kRun, "/spec/managedBy",
         "kubernetes.io/job-controller"},
        {"batch", "CronJob", StopVerb::Suspend, "/spec/suspend", true, {}},
        {"kubeflow.org", "Notebook", StopVerb::Annotate, kNotebookStopped, nullptr, {Loss::ProcessMemory}},
        {"serving.kserve.io", "InferenceService", StopVerb::Annotate, kServiceStopped, "true", kService},
        {"kueue.x-k8s.io",
         "Workload",
         StopVerb::Deactivate,
         "/spec/active",
         false,
         {Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::QueuePlace}},
        {"ray.io", "RayCluster", StopVerb::Suspend, "/spec/suspend", true, kRun, "/spec/managedBy",
         "ray.io/kuberay-operator"},
        {"ray.io", "RayJob", StopVerb::Suspend, "/spec/suspend", true, kRun, "/spec/managedBy",
         "ray.io/kuberay-operator"},
        {"ray.io", "RayService", StopVerb::Suspend, "/spec/suspend", true, kService},
        {"kubeflow.org", "PyTorchJob", StopVerb::Suspend, kRunSuspend, true, kRun, kRunManagedBy, kTraining},
        {"kubeflow.org", "TFJob", StopVerb::Suspend, kRunSuspend, true, kRun, kRunManagedBy, kTraining},
        {"kubeflow.org", "XGBoostJob", StopVerb::Suspend, kRunSuspend, true, kRun, kRunManagedBy, kTraining},
        {"kubeflow.org", "PaddleJob", StopVerb::Suspend, kRunSuspend, true, kRun, kRunManagedBy, kTraining},
        {"kubeflow.org", "JAXJob", StopVerb::Suspend, kRunSuspend, true, kRun, kRunManagedBy, kTraining},
        {"kubeflow.org", "MPIJob", StopVerb::Suspend, kRunSuspend, true, kRun, kRunManagedBy,
         "kubeflow.org/mpi-operator"},
        {"jobset.x-k8s.io", "JobSet", StopVerb::Suspend, "/spec/suspend", true, kRun, "/spec/managedBy",
         "jobset.sigs.k8s.io/jobset-controller"},
        {"trainer.kubeflow.org", "TrainJob", StopVerb::Suspend, "/spec/suspend", true, kRun, "/spec/managedBy",
         "trainer.kubeflow.org/trainjob-controller"},
        {"keda.sh", "ScaledObject", StopVerb::Annotate, kKedaPaused, "0", kService},
    };
    return kRules;
}

const KindRule *ruleOf(const Resource &resource)
{
    const auto found = std::find_if(rules().begin(), rules().end(), [&](const KindRule &rule) {
        return rule.group == resource.group && rule.kind == resource.kind;
    });
    return found == rules().end() ? nullptr : &*found;
}

bool isFinished(const Subject &subject)
{
    const Json &object = subject.object;
    if (subject.resource.kind == "RayJob") {
        const std::string status = text(object, {"status", "jobDeploymentStatus"});
        return status == "Complete" || status == "Failed";
    }
    // An InferenceService or Deployment uses conditions of these names with another meaning.
    static constexpr const char *kFinal[] = {"Complete", "Completed", "Succeeded", "Failed", "Finished"};
    const bool isRun = subject.resource.group == "batch" || subject.resource.group == "kubeflow.org"
        || subject.resource.group == "jobset.x-k8s.io" || subject.resource.group == "trainer.kubeflow.org"
        || subject.resource.group == "kueue.x-k8s.io";
    return isRun
        && (!text(object, {"status", "completionTime"}).empty()
            || std::any_of(std::begin(kFinal), std::end(kFinal),
                           [&](const char *type) { return hasCondition(object, type, "True"); }));
}

std::optional<Obstacle> obstacleOf(const Subject &subject, const KindRule &rule)
{
    const Json &object = subject.object;
    if (isFinished(subject))
        return Obstacle{Obstacle::Kind::Finished, "it is finished"};
    if (rule.managedBy) {
        const auto controller = valueAt(object, rule.managedBy);
        if (controller && controller->is_string() && *controller != Json(rule.ownController))
            return Obstacle{Obstacle::Kind::ManagedElsewhere,
                            "it is managed by " + shown(controller->get<std::string>())};
    }
    if (rule.kind == "StatefulSet"
        && text(object, {"spec", "persistentVolumeClaimRetentionPolicy", "whenScaled"}) == "Delete")
        return Obstacle{Obstacle::Kind::LosesVolumes, "its volumes are deleted when it is scaled down"};
    if (rule.kind == "RayJob") {
        const Json &selector = at(object, {"spec", "clusterSelector"});
        if (!isTrue(object, {"spec", "shutdownAfterJobFinishes"}) || (selector.is_object() && !selector.empty()))
            return Obstacle{Obstacle::Kind::Other,
                            "it can be suspended only with shutdownAfterJobFinishes and without clusterSelector"};
    }
    return std::nullopt;
}

// Whether a Kueue Workload stands for bare pods.
bool isOfPods(const Json &workload)
{
    const Json &owners = at(workload, {"metadata", "ownerReferences"});
    return owners.is_array() && std::any_of(owners.begin(), owners.end(), [](const Json &one) {
               return format::textOf(one, "kind") == "Pod";
           });
}

// Before the annotation existed: scaled to zero when idle with Knative, not stopped at all otherwise.
void planOldService(const Json &object, StopPlan &plan)
{
    std::string mode = text(object, {"status", "deploymentMode"});
    if (const std::string wanted = text(object, {"metadata", "annotations", "serving.kserve.io/deploymentMode"});
        mode.empty())
        mode = wanted;
    const bool isKnative = mode == "Serverless" || mode == "Knative";
    plan.fields.clear();
    if (!isKnative) {
        plan.verb = StopVerb::None;
        plan.obstacle = Obstacle{Obstacle::Kind::TooOld,
                                 "this KServe can't stop a service (0.15.1 can), and keeps one replica of mode "
                                     + (mode.empty() ? std::string("Standard") : shown(mode))};
        return;
    }
    plan.verb = StopVerb::Suspend;
    for (const char *component : {"predictor", "transformer", "explainer"}) {
        if (!at(object, {"spec", component}).is_object())
            continue;
        const std::string pointer = std::string("/spec/") + component + "/minReplicas";
        plan.fields.push_back({pointer, valueAt(object, pointer), 0, false});
    }
}

} // namespace

std::optional<Json> valueAt(const Json &object, const std::string &pointer)
{
    const Json::json_pointer where(pointer);
    return object.contains(where) ? std::optional(object.at(where)) : std::nullopt;
}

bool StopPlan::isStopped() const
{
    return !fields.empty() && std::all_of(fields.begin(), fields.end(), [](const Field &field) {
        return field.value && (field.anyValueStops || *field.value == field.stopped);
    });
}

std::string StopPlan::fieldName() const
{
    if (fields.empty())
        return {};
    std::string name = fields.front().pointer.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    for (std::size_t at = name.find("~1"); at != std::string::npos; at = name.find("~1"))
        name.replace(at, 2, "/");
    return name;
}

std::string StopPlan::value() const
{
    if (fields.size() == 1)
        return fields.front().value.value_or(Json()).dump();
    Json all = Json::object();
    for (const Field &field : fields)
        all[field.pointer] = field.value.value_or(Json());
    return fields.empty() ? "null" : all.dump();
}

std::string StopPlan::stoppedValue() const
{
    if (fields.size() == 1)
        return fields.front().stopped.dump();
    Json all = Json::object();
    for (const Field &field : fields)
        all[field.pointer] = field.stopped;
    return fields.empty() ? "null" : all.dump();
}

std::optional<StopPlan> planOf(const Subject &subject, base::UtcTime now)
{
    const KindRule *rule = ruleOf(subject.resource);
    if (!rule)
        return std::nullopt;
    StopPlan plan;
    plan.verb = rule->verb;
    plan.losses = rule->losses;
    const bool isNotebook = rule->kind == "Notebook";
    plan.fields.push_back({rule->pointer, valueAt(subject.object, rule->pointer),
                           isNotebook ? Json(base::toRfc3339(now)) : rule->stopped, isNotebook});
    if (rule->kind == "Workload" && isOfPods(subject.object)) {
        plan.isReversible = false; // a pod can't be suspended: Kueue deletes it
        plan.losses.push_back(Loss::Manifest);
    }
    // Only a controller that knows the annotation reports that a service is not stopped.
    if (rule->kind == "InferenceService" && !plan.isStopped() && !hasCondition(subject.object, "Stopped", ""))
        planOldService(subject.object, plan);
    if (auto obstacle = obstacleOf(subject, *rule))
        plan.obstacle = std::move(obstacle);
    return plan;
}

StopPlan scalePlan(const Json &scale)
{
    StopPlan plan;
    plan.verb = StopVerb::ScaleToZero;
    plan.losses = kService;
    plan.onlyScale = true;
    // A Scale omits a count of 0.
    plan.fields.push_back({"/spec/replicas", valueAt(scale, "/spec/replicas").value_or(Json(0)), 0, false});
    return plan;
}

StopPlan podPlan(const Json &pod, bool evict)
{
    StopPlan plan;
    plan.verb = evict ? StopVerb::Evict : StopVerb::Delete;
    plan.losses = {Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::Manifest};
    plan.isReversible = false;
    if (isOver(pod))
        plan.obstacle = Obstacle{Obstacle::Kind::Finished, "it is finished"};
    else if (!text(pod, {"metadata", "deletionTimestamp"}).empty())
        plan.obstacle = Obstacle{Obstacle::Kind::AlreadyStopped, "it is ending"};
    return plan;
}

std::optional<Obstacle> neverStopped(const Subject &subject)
{
    const Resource &r = subject.resource;
    if ((r.group == "apps" && r.kind == "DaemonSet") || (r.group.empty() && r.kind == "Node"))
        return Obstacle{Obstacle::Kind::NeverStopped,
                        r.kind == "Node" ? "a static pod belongs to its node" : "a daemon belongs to every node"};
    if (r.group == "serving.knative.dev")
        return Obstacle{Obstacle::Kind::UnknownKind, "Knative itself decides when a service runs"};
    return std::nullopt;
}

} // namespace gpuledger::kubernetes
