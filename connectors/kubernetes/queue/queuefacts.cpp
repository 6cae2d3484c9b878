// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/queue/queuefacts.h"

#include "connectors/format/json.h"
#include "connectors/kubernetes/api/objects.h"

#include <algorithm>
#include <array>

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;
using format::textOf;
using model::WaitingFacts;
using model::WaitingWork;

namespace {

constexpr std::size_t kMostKept = 100'000; // per kind
constexpr std::int64_t kMostPods = 1'000'000, kMostGpusOfPod = 1'000'000; // per Workload; per pod
constexpr std::array<std::string_view, 3> kQuotaWords{"quota for ", "quota in ", "borrowing limit"};

tl::unexpected<base::Error> wrong(const std::string &what, const std::string &why)
{
    return base::fail(ErrorCode::Parse, shown(what + ' ' + why));
}

// "pod ml/train-0"; fails if the object has no name.
Result<std::string> titleOf(const char *kind, const Json &object)
{
    const std::string name = nameOf(object), space = text(object, {"metadata", "namespace"});
    if (name.empty())
        return wrong(kind, "has no name");
    return std::string(kind) + ' ' + (space.empty() ? "" : space + '/') + name;
}

Result<void> checkRoom(std::size_t kept, const char *what)
{
    if (kept >= kMostKept)
        return base::fail(ErrorCode::TooMuch, std::string("there are more than 100,000 ") + what);
    return {};
}

model::Labels metricLabels(const Json &object, std::initializer_list<std::string_view> path)
{
    model::Labels out;
    for (const auto &[key, value] : labelsAt(object, path))
        out.emplace(metricKey(key), value);
    return out;
}

std::set<std::string> ownersOf(const Json &object)
{
    std::set<std::string> uids;
    const Json &all = at(object, {"metadata", "ownerReferences"});
    if (!all.is_array())
        return uids;
    for (const Json &one : all)
        uids.insert(textOf(one, "uid"));
    uids.erase(std::string());
    return uids;
}

// The condition of this type; null if there is none.
Json conditionOf(const Json &object, std::string_view type)
{
    const Json &all = at(object, {"status", "conditions"});
    if (!all.is_array())
        return {};
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Json &one) { return textOf(one, "type") == type; });
    return found == all.end() ? Json() : *found;
}

bool isEnding(const Json &object)
{
    return !at(object, {"metadata", "deletionTimestamp"}).is_null();
}

Result<std::vector<model::Toleration>> tolerationsOf(const Json &podSpec, const std::string &what)
{
    std::vector<model::Toleration> out;
    const Json &all = at(podSpec, {"tolerations"});
    if (!all.is_null() && !all.is_array())
        return wrong(what, "has tolerations that are not a list");
    for (const Json &one : all)
        out.push_back({textOf(one, "key"), textOf(one, "operator"), textOf(one, "value"), textOf(one, "effect")});
    return out;
}

// Whether QuotaReserved is False because too little quota is left, rather than because the flavours do not fit or the
// queue does not exist. Kueue reports this in the message only.
bool speaksOfQuota(const Json &condition)
{
    if (textOf(condition, "status") != "False" || textOf(condition, "reason") == "Inadmissible")
        return false;
    const std::string message = textOf(condition, "message");
    return std::any_of(kQuotaWords.begin(), kQuotaWords.end(),
                       [&](std::string_view words) { return message.find(words) != std::string::npos; });
}

// One pod set of a Workload, or a single pod.
Result<WaitingWork::Pods> podsOf(const Json &podSpec, const std::string &what)
{
    const auto needs = needsOf(podSpec, what);
    GPULEDGER_TRY(needs);
    auto tolerations = tolerationsOf(podSpec, what);
    GPULEDGER_TRY(tolerations);
    WaitingWork::Pods pods;
    pods.resource = mainResource(*needs);
    pods.gpus = pods.resource.empty() ? 0 : needs->gpus.at(pods.resource);
    if (pods.gpus > kMostGpusOfPod)
        return wrong(what, "requests more than a million GPUs");
    pods.wantsOthers = needs->gpus.size() > 1;
    pods.cpuMilli = needs->cpuMilli.value_or(0);
    pods.memoryBytes = needs->memoryBytes.value_or(0);
    pods.selector = metricLabels(podSpec, {"nodeSelector"});
    pods.tolerations = std::move(*tolerations);
    return pods;
}

void describe(WaitingWork &work, const WaitingWork::Pods &pods)
{
    work.resource = pods.resource;
    work.gpus = pods.gpus;
    work.wantsOthers = pods.wantsOthers;
    work.cpuMilli = pods.cpuMilli;
    work.memoryBytes = pods.memoryBytes;
    work.selector = pods.selector;
    work.tolerations = pods.tolerations;
}

// With several pods: their total for the resource that is requested most.
void describe(WaitingWork &work, std::vector<WaitingWork::Pods> groups)
{
    std::map<std::string, std::int64_t> totals;
    bool wantsOthers = false;
    for (const WaitingWork::Pods &group : groups) {
        totals[group.resource] = plus(totals[group.resource], group.gpus * group.count);
        wantsOthers = wantsOthers || group.wantsOthers;
    }
    const auto most = std::max_element(totals.begin(), totals.end(),
                                       [](const auto &a, const auto &b) { return a.second < b.second; });
    describe(work, *std::find_if(groups.begin(), groups.end(), [&](const auto &group) {
                 return group.resource == most->first;
             }));
    work.gpus = most->second;
    work.wantsOthers = wantsOthers || totals.size() > 1;
    work.pods = std::move(groups);
}

Result<std::int64_t> countOf(const Json &podSet, const std::string &what)
{
    const Json &count = at(podSet, {"count"});
    if (count.is_null())
        return 1;
    const auto number = quantity(count.is_number_integer() ? count : Json("none"), 1, kMostPods);
    if (!number)
        return wrong(what, "has " + count.dump().substr(0, 80) + " pods in a pod set");
    return *number;
}

} // namespace

WaitingWork QueueFacts::workOf(const Json &object) const
{
    WaitingWork work;
    work.cluster = m_cluster;
    work.nameSpace = text(object, {"metadata", "namespace"});
    work.name = nameOf(object);
    work.uid = uidOf(object);
    bool isUnclear = false;
    if (const auto owner = ownerOf(object, isUnclear)) {
        work.ownerKind = owner->kind;
        work.ownerName = owner->name;
    }
    work.labels = metricLabels(object, {"metadata", "labels"});
    if (const auto created = base::parseTime(text(object, {"metadata", "creationTimestamp"})))
        work.since = *created;
    return work;
}

Result<void> QueueFacts::addPod(const Json &pod)
{
    const auto what = titleOf("pod", pod);
    GPULEDGER_TRY(what);
    const std::string phase = text(pod, {"status", "phase"});
    if (phase.empty())
        return wrong(*what, "has no phase");
    if (isOver(pod))
        return {};
    const Json &spec = at(pod, {"spec"}), &node = at(spec, {"nodeName"});
    const auto needs = needsOf(spec, *what);
    GPULEDGER_TRY(needs);
    if (!node.is_null() && !node.is_string())
        return wrong(*what, "has a nodeName that is not a string");
    if (const std::string on = text(spec, {"nodeName"}); !on.empty()) {
        Amounts &used = m_pods.used[on];
        for (const auto &[resource, count] : needs->gpus)
            used.gpus[resource] = plus(used.gpus[resource], count);
        used.cpuMilli = plus(used.cpuMilli.value_or(0), needs->cpuMilli.value_or(0));
        used.memoryBytes = plus(used.memoryBytes.value_or(0), needs->memoryBytes.value_or(0));
        if (needs->gpus.empty())
            return {};
        GPULEDGER_TRY(checkRoom(m_pods.holders.size(), "pods that hold GPUs"));
        m_pods.holders.push_back({m_cluster, text(pod, {"metadata", "namespace"}), nameOf(pod), uidOf(pod), on,
                                  needs->gpus, needs->cpuMilli.value_or(0), needs->memoryBytes.value_or(0)});
        return {};
    }
    if (phase != "Pending" || needs->gpus.empty() || isEnding(pod))
        return {};
    GPULEDGER_TRY(checkRoom(m_pods.waiting.size(), "pods that wait"));
    const auto pods = podsOf(spec, *what);
    GPULEDGER_TRY(pods);
    WaitingWork work = workOf(pod);
    describe(work, *pods);
    work.message = shown(textOf(conditionOf(pod, "PodScheduled"), "message"));
    m_pods.waiting.push_back({std::move(work), ownersOf(pod)});
    return {};
}

Result<void> QueueFacts::addNode(const Json &node)
{
    const auto what = titleOf("node", node);
    GPULEDGER_TRY(what);
    const auto allocatable = amountsIn(at(node, {"status", "allocatable"}), *what);
    GPULEDGER_TRY(allocatable);
    model::NodeRoom room;
    room.cluster = m_cluster;
    room.name = nameOf(node);
    room.gpus = allocatable->gpus;
    if (std::all_of(room.gpus.begin(), room.gpus.end(), [](const auto &one) { return one.second == 0; }))
        return {};
    GPULEDGER_TRY(checkRoom(m_nodes.size(), "nodes"));
    room.labels = metricLabels(node, {"metadata", "labels"});
    room.cpuMilli = allocatable->cpuMilli;
    room.memoryBytes = allocatable->memoryBytes;
    const Json &taints = at(node, {"spec", "taints"}), &cordoned = at(node, {"spec", "unschedulable"});
    if ((!taints.is_null() && !taints.is_array()) || (!cordoned.is_null() && !cordoned.is_boolean()))
        return wrong(*what, "has taints that are not a list");
    for (const Json &taint : taints)
        room.taints.push_back({textOf(taint, "key"), textOf(taint, "value"), textOf(taint, "effect")});
    room.isCordoned = cordoned.is_boolean() && cordoned.get<bool>();
    m_nodes.push_back(std::move(room));
    return {};
}

Result<void> QueueFacts::addNamespace(const Json &space)
{
    GPULEDGER_TRY(titleOf("namespace", space));
    GPULEDGER_TRY(checkRoom(m_namespaces.size(), "namespaces"));
    m_namespaces[nameOf(space)] = metricLabels(space, {"metadata", "labels"});
    return {};
}

Result<void> QueueFacts::addQueue(const Json &localQueue)
{
    GPULEDGER_TRY(titleOf("queue", localQueue));
    GPULEDGER_TRY(checkRoom(m_queues.size(), "queues"));
    m_queues[{text(localQueue, {"metadata", "namespace"}), nameOf(localQueue)}] =
        text(localQueue, {"spec", "clusterQueue"});
    return {};
}

// Adds the pod sets that request GPUs.
Result<void> QueueFacts::addPods(WaitingWork &work, const Json &podSets, const std::string &what) const
{
    std::vector<WaitingWork::Pods> groups;
    std::int64_t count = 0;
    if (!podSets.is_array())
        return wrong(what, "has pod sets that are not a list");
    for (const Json &podSet : podSets) {
        const auto number = countOf(podSet, what);
        GPULEDGER_TRY(number);
        auto pods = podsOf(at(podSet, {"template", "spec"}), what);
        GPULEDGER_TRY(pods);
        if (pods->resource.empty() || *number == 0)
            continue;
        if (groups.empty()) // those of the pods to be created
            work.labels = metricLabels(podSet, {"template", "metadata", "labels"});
        pods->count = *number;
        count = plus(count, *number);
        groups.push_back(std::move(*pods));
    }
    if (count == 1)
        describe(work, groups.front());
    else if (count > 1)
        describe(work, std::move(groups));
    return {};
}

Result<void> QueueFacts::addWorkload(const Json &workload)
{
    const auto what = titleOf("workload", workload);
    GPULEDGER_TRY(what);
    const Json &active = at(workload, {"spec", "active"});
    if (!active.is_null() && !active.is_boolean())
        return wrong(*what, "has an active that is not true or false");
    if (active == Json(false) || isEnding(workload) || hasCondition(workload, "Finished", "True")
        || hasCondition(workload, "Admitted", "True"))
        return {};
    WaitingWork work = workOf(workload);
    work.kind = WaitingWork::Kind::Workload;
    const model::Labels own = std::move(work.labels);
    GPULEDGER_TRY(addPods(work, at(workload, {"spec", "podSets"}), *what));
    if (!work.gpus)
        return {}; // it is waiting for other resources
    work.labels.insert(own.begin(), own.end());
    work.localQueue = text(workload, {"spec", "queueName"});
    const Json quota = conditionOf(workload, "QuotaReserved");
    work.message = shown(textOf(quota, "message"));
    if (textOf(quota, "status") == "True")
        work.hasQuota = true;
    else if (speaksOfQuota(quota))
        work.hasQuota = false;
    GPULEDGER_TRY(checkRoom(m_workloads.waiting.size(), "workloads that wait"));
    m_workloads.waiting.push_back(std::move(work));
    m_workloads.owners.merge(ownersOf(workload));
    return {};
}

void QueueFacts::addWorks(WaitingFacts &facts) const
{
    for (const auto &[work, owners] : m_pods.waiting) {
        const bool isTold = m_workloads.owners.contains(work.uid)
            || std::any_of(owners.begin(), owners.end(),
                           [&](const std::string &uid) { return m_workloads.owners.contains(uid); });
        if (!isTold)
            facts.works.push_back(work);
    }
    for (const WaitingWork &work : m_workloads.waiting) {
        facts.works.push_back(work);
        if (const auto queue = m_queues.find({work.nameSpace, work.localQueue}); queue != m_queues.end())
            facts.works.back().queue = queue->second;
    }
    for (WaitingWork &work : facts.works) {
        if (const auto labels = m_namespaces.find(work.nameSpace); labels != m_namespaces.end())
            work.namespaceLabels = labels->second;
    }
}

void QueueFacts::addRooms(WaitingFacts &facts, bool areNodesRead) const
{
    for (const model::NodeRoom &one : m_nodes) {
        facts.nodes.push_back(one);
        model::NodeRoom &room = facts.nodes.back();
        room.cpuMilliUsed = room.memoryBytesUsed = 0;
        const auto used = m_pods.used.find(room.name);
        if (used == m_pods.used.end())
            continue;
        for (const auto &[resource, count] : used->second.gpus) {
            if (room.gpus.contains(resource))
                room.gpusUsed[resource] = count;
        }
        room.cpuMilliUsed = used->second.cpuMilli;
        room.memoryBytesUsed = used->second.memoryBytes;
    }
    if (areNodesRead)
        return;
    for (const auto &[name, used] : m_pods.used) {
        if (used.gpus.empty())
            continue;
        model::NodeRoom room;
        room.cluster = m_cluster;
        room.name = name;
        room.gpus = room.gpusUsed = used.gpus;
        room.areTaintsKnown = false;
        facts.nodes.push_back(std::move(room));
    }
}

WaitingFacts QueueFacts::finish(Lists read) const
{
    WaitingFacts facts;
    facts.isKnown = read.pods;
    facts.told.push_back({m_cluster, read.pods, read.pods && read.nodes, read.workloads});
    addWorks(facts);
    if (read.pods) { // otherwise the free capacity is not known
        addRooms(facts, read.nodes);
        facts.holders = m_pods.holders;
    }
    return facts;
}

} // namespace gpuledger::kubernetes
