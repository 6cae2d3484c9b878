// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/phrases/waitingphrase.h"

#include <algorithm>
#include <array>

// Marks the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text

namespace gpuledger::ui {

namespace {

using insight::Blocker;
using insight::WaitingItem;
using model::WaitingWork;
using Kind = Phrase::Term::Kind;

Phrase plain(const char *pattern, std::vector<Phrase::Term> terms = {})
{
    return {pattern, nullptr, 0, std::move(terms)};
}

Phrase::Term foreign(std::string text)
{
    return {Kind::Text, std::move(text), 0, {}};
}

std::string joined(const std::vector<std::string> &names)
{
    std::string out;
    for (const std::string &name : names)
        out += (out.empty() ? "" : ", ") + name;
    return out;
}

} // namespace

Phrase nameOf(Blocker blocker)
{
    static constexpr std::array<const char *, insight::kBlockers> kNames{
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "held by idle workloads"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no quota left"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "node is tainted or cordoned"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no CPU left on the node"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no memory left on the node"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "held by protected workloads"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not enough on one node"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "MIG slices of another size"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "another kind of GPU or node"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "nothing idle would help"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no known blocker"),
        QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "size not reported")};
    return plain(kNames[static_cast<std::size_t>(blocker)]);
}

Phrase reasonOf(const WaitingItem &item)
{
    const Phrase::Term node = foreign(item.node);
    switch (item.blocker) {
    case Blocker::HeldByIdle:
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "stopping %1 on node %2 makes room for it"),
                     {foreign(serversOf(item)), node});
    case Blocker::Quota:
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "queue %1 has no quota left"),
                     {foreign(item.work.queue.empty() ? item.work.localQueue : item.work.queue)});
    case Blocker::Taint:
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                       "node %1 has idle GPUs, but it is cordoned or has a taint that the job does not "
                                       "tolerate"),
                     {node});
    case Blocker::NoCpu:
        return plain(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "node %1 has idle GPUs, but not the %2 CPU cores asked for"),
            {node, {Kind::Count, {}, static_cast<double>(item.work.cpuMilli.value_or(0)) / 1000, {}}});
    case Blocker::NoMemory:
        return plain(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "node %1 has idle GPUs, but not the %2 of memory asked for"),
            {node, {Kind::Gibibytes, {}, static_cast<double>(item.work.memoryBytes.value_or(0)) / (1 << 30), {}}});
    case Blocker::Protected:
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 on node %2 is idle, and protected"),
                     {foreign(serversOf(item)), node});
    case Blocker::Scattered:
        if (!item.work.pods.empty())
            return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                           "enough GPUs are idle, but not so that each of its pods fits on a node; %1 "
                                           "comes closest"),
                         {node});
        return plain(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "enough GPUs are idle, but not on one node; %1 comes closest"),
            {node});
    case Blocker::MigLeftovers:
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "idle on node %1 are MIG slices of another size"),
                     {node});
    case Blocker::Flavour:
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "what is idle on node %1 is not of the requested kind"),
                     {node});
    case Blocker::NoIdleGpu:
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no idle GPU of its cluster would help"));
    case Blocker::NotSeen:
        return plain(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "node %1 has free GPUs for it; nothing known blocks it"),
            {node});
    case Blocker::SizeUnknown:
        break;
    }
    return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no metric reports how many GPUs it needs"));
}

Phrase uncheckedOf(const WaitingItem &item)
{
    const auto &unchecked = item.unchecked;
    const bool tolerates = unchecked.tolerations, selects = unchecked.selector;
    if (tolerates && selects)
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "node selectors and taints were not considered"));
    if (tolerates)
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "taints were not considered"));
    if (selects)
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "node selectors were not considered"));
    if (unchecked.cpu || unchecked.memory)
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "CPU and memory were not considered"));
    if (unchecked.others)
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "its other kinds of GPU were not considered"));
    return {};
}

Phrase gapOf(const insight::WaitingList::Source &source)
{
    if (!source.reason.empty())
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 did not report waiting jobs: %2"),
                     {foreign(source.name), foreign(source.reason)});
    if (source.missing.empty())
        return {};
    if (!source.isKnown)
        return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 can't report waiting jobs: it lacks %2"),
                     {foreign(source.name), foreign(joined(source.missing))});
    return plain(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 would report more with %2"),
                 {foreign(source.name), foreign(joined(source.missing))});
}

std::string gpuKindOf(const WaitingWork &work)
{
    if (work.selector) {
        for (const char *key : {"nvidia_com_gpu_product", "cloud_google_com_gke_accelerator"}) {
            if (const auto it = work.selector->find(key); it != work.selector->end() && !it->second.empty())
                return it->second;
        }
    }
    constexpr std::string_view kVendor = "nvidia_com_", kSlice = "mig_";
    std::string kind = work.resource;
    if (kind.starts_with(kVendor)) {
        kind = kind.substr(kVendor.size());
        if (!kind.starts_with(kSlice))
            return "nvidia.com/" + kind;
        const std::size_t dot = kind.rfind('_');
        if (dot > kSlice.size())
            kind[dot] = '.'; // mig_1g_10gb
        return "nvidia.com/mig-" + kind.substr(kSlice.size());
    }
    return kind == "amd_com_gpu" ? "amd.com/gpu" : kind;
}

std::string serversOf(const WaitingItem &item)
{
    std::vector<std::string> names;
    for (const insight::IdlePart &part : item.parts) {
        if (!part.idle.empty())
            names.push_back(part.name);
    }
    return joined(names);
}

std::string workloadOf(const WaitingWork &work)
{
    if (work.kind == WaitingWork::Kind::Queue)
        return "ClusterQueue/" + work.queue;
    const char *const kind = work.kind == WaitingWork::Kind::Workload ? "Workload/" : "Pod/";
    return work.ownerKind.empty() ? kind + work.name : work.ownerKind + '/' + work.ownerName;
}

} // namespace gpuledger::ui
