// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of Kubernetes: how they are stopped, what they request, what is waiting, what marks say.
#include "connectors/format/json.h"
#include "connectors/kubernetes/api/objects.h"
#include "connectors/kubernetes/queue/podneeds.h"
#include "connectors/kubernetes/queue/queuefacts.h"
#include "connectors/kubernetes/stop/kinds.h"
#include "connectors/kubernetes/stop/patch.h"
#include "tests/fuzz/fuzz.h"

namespace gpuledger::fuzz {

namespace {

using kubernetes::Json;

void readPlan(const kubernetes::StopPlan &plan, const Json &object)
{
    (void)plan.isStopped();
    (void)plan.fieldName();
    (void)format::parseJson(plan.value());
    kubernetes::Patch patch(object);
    for (const kubernetes::Field &field : plan.fields) {
        patch.expect(field.pointer, field.value);
        (void)patch.set(field.pointer, field.stopped);
        patch.remove(field.pointer);
    }
    (void)patch.addMark({});
    patch.removeMark();
    check(patch.operations().is_array(), "a patch is a list of operations");
}

void readObject(const Json &object)
{
    static const char *const kKinds[][2] = {{"apps", "Deployment"},
                                            {"apps", "StatefulSet"},
                                            {"batch", "Job"},
                                            {"batch", "CronJob"},
                                            {"kubeflow.org", "Notebook"},
                                            {"serving.kserve.io", "InferenceService"},
                                            {"ray.io", "RayCluster"},
                                            {"ray.io", "RayJob"},
                                            {"kubeflow.org", "PyTorchJob"},
                                            {"", "Pod"},
                                            {"apps", "DaemonSet"},
                                            {"jobset.x-k8s.io", "JobSet"},
                                            {"kueue.x-k8s.io", "Workload"},
                                            {"keda.sh", "ScaledObject"}};
    for (const auto &[group, kind] : kKinds) {
        kubernetes::Subject subject;
        subject.resource.group = group;
        subject.resource.version = "v1";
        subject.resource.kind = kind;
        subject.object = object;
        if (const auto plan = kubernetes::planOf(subject, kClock.now()))
            readPlan(*plan, object);
        (void)kubernetes::neverStopped(subject);
    }
    readPlan(kubernetes::scalePlan(object), object);
    readPlan(kubernetes::podPlan(object, true), object);
    (void)kubernetes::markOf(object);
    bool isUnclear = false;
    (void)kubernetes::ownerOf(object, isUnclear);
    (void)kubernetes::requestsGpus(object);
    (void)kubernetes::hasLocalDisk(object);
    (void)kubernetes::manifestOf(object);
    (void)kubernetes::selects(object, {{"team", "a"}});
    (void)kubernetes::selects(kubernetes::at(object, {"spec", "selector"}), {{"team", "a"}});
}

// A pod requests at least something of each resource that it names; a node may have nothing left to allocate.
void checkAmounts(const kubernetes::Amounts &amounts, std::int64_t least)
{
    for (const auto &[name, count] : amounts.gpus)
        check(count >= least && !name.empty(), "no count of GPUs is below the minimum");
    check(amounts.cpuMilli.value_or(0) >= 0 && amounts.memoryBytes.value_or(0) >= 0, "no amount is negative");
}

void readQueue(const Json &object)
{
    kubernetes::QueueFacts facts("home");
    const auto each = [&](const Json &list, auto add) {
        if (list.is_array()) {
            for (const Json &one : list)
                (void)add(one);
        } else {
            (void)add(list);
        }
    };
    each(object, [&](const Json &one) { return facts.addPod(one); });
    each(object, [&](const Json &one) { return facts.addNode(one); });
    each(object, [&](const Json &one) { return facts.addNamespace(one); });
    each(object, [&](const Json &one) { return facts.addWorkload(one); });
    each(object, [&](const Json &one) { return facts.addQueue(one); });
    (void)facts.finish({true, true, true});
    (void)facts.finish({true, false, false});
}

} // namespace

void fuzz(std::string_view bytes)
{
    const auto json = format::parseJson(bytes);
    if (!json)
        return;
    readObject(*json);
    readQueue(*json);
    if (const auto needs = kubernetes::needsOf(kubernetes::at(*json, {"spec"}), "pod"))
        checkAmounts(*needs, 1);
    if (const auto amounts = kubernetes::amountsIn(kubernetes::at(*json, {"status", "allocatable"}), "node"))
        checkAmounts(*amounts, 0);
    if (const auto n = kubernetes::quantity(*json, 1000, 1'000'000'000))
        check(*n >= 0 && *n <= 1'000'000'000, "a quantity is within its limit");
}

} // namespace gpuledger::fuzz
