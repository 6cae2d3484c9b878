// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/series/seriesnormalizer.h"

#include "app/base/text/text.h"
#include "app/model/money/mangledlabel.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::prometheus {

namespace {

using Labels = std::span<const format::Label>;

std::string_view firstOf(Labels labels, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names) {
        if (const std::string_view value = labelValue(labels, name); !value.empty())
            return value;
    }
    return {};
}

// Each label is resolved on its own, because honor_labels renames only those that collide.
std::vector<SubjectCandidate> subjectsOf(const ExporterMapping &exporter, Labels labels)
{
    std::vector<SubjectCandidate> out;
    const std::string_view space =
        firstOf(labels, {"exported_namespace", "namespace", "pod_namespace", "kube_namespace"});
    const auto add = [&](std::string_view pod, std::string_view nameSpace, bool exported) {
        if (!pod.empty())
            out.push_back({model::SubjectKind::Pod, std::string(nameSpace), std::string(pod), exported});
    };
    if (const std::string_view own = firstLabel(labels, exporter.pod); !own.empty()) {
        const std::string_view ownSpace = firstLabel(labels, exporter.nameSpace);
        add(own, ownSpace.empty() ? space : ownSpace, true);
    }
    if (out.empty())
        add(labelValue(labels, "exported_pod"), space, true);
    if (out.empty())
        add(labelValue(labels, "pod"), space, false);
    add(labelValue(labels, "pod_name"), firstOf(labels, {"pod_namespace", "exported_namespace", "namespace"}), false);
    add(labelValue(labels, "kube_pod"), firstOf(labels, {"kube_namespace", "namespace"}), false);
    if (const std::string_view job = firstLabel(labels, exporter.slurmJob); !job.empty())
        out.push_back({model::SubjectKind::SlurmJob, {}, std::string(job), true});
    else if (const std::string_view slurm = firstOf(labels, {"slurmjobid"}); !slurm.empty())
        out.push_back({model::SubjectKind::SlurmJob, {}, std::string(slurm), true});
    if (const std::string_view machine = firstLabel(labels, exporter.machine); out.empty() && !machine.empty())
        out.push_back({model::SubjectKind::Machine, {}, std::string(machine), true});
    return out;
}

constexpr std::array<std::string_view, 7> kScrapeLabels{"__name__",           "instance", "job",        "prometheus",
                                                        "prometheus_replica", "replica",  "__replica__"};

// Labels with a special meaning describe the device, its slice, its process or the scrape.
model::Labels machineLabels(const ExporterMapping &exporter, const ClusterNaming &clusters, Labels labels)
{
    const auto &e = exporter;
    const std::array known{&e.uuid,     &e.instanceId, &e.profile, &e.modelName, &e.index,     &e.node,     &e.podUid,
                           &e.slurmJob, &e.partition,  &e.machine, &e.pod,       &e.nameSpace, &e.container};
    const auto isKnown = [&](const std::string_view name) {
        return name == clusters.label
            || std::find(kScrapeLabels.begin(), kScrapeLabels.end(), name) != kScrapeLabels.end()
            || std::any_of(known.begin(), known.end(), [&](const std::vector<std::string> *names) {
                   return std::find(names->begin(), names->end(), name) != names->end();
               });
    };
    model::Labels out;
    for (const format::Label &label : labels) {
        if (!label.value.empty() && !isKnown(label.name))
            out.emplace(model::mangledLabel(label.name), label.value);
    }
    return out;
}

std::string deviceKey(const ExporterMapping &exporter, Labels labels, SeriesIdentity &out)
{
    for (const std::string &name : exporter.uuid) {
        const std::string_view value = labelValue(labels, name);
        if (value.empty())
            continue;
        out.uuidLabel = name;
        out.uuidText = std::string(value);
        const bool hasPrefix =
            exporter.uuidPrefix.empty() || value.starts_with(exporter.uuidPrefix) || value.starts_with("MIG-");
        return hasPrefix ? out.uuidText : exporter.uuidPrefix + out.uuidText;
    }
    return {};
}

} // namespace

std::string_view labelValue(Labels labels, std::string_view name)
{
    const auto it = std::lower_bound(labels.begin(), labels.end(), name,
                                     [](const format::Label &l, std::string_view n) { return l.name < n; });
    return it != labels.end() && it->name == name ? it->value : std::string_view();
}

std::string_view firstLabel(Labels labels, std::span<const std::string> names)
{
    for (const std::string &name : names) {
        if (const std::string_view value = labelValue(labels, name); !value.empty())
            return value;
    }
    return {};
}

std::string_view exportedOr(Labels labels, std::string_view exported, std::string_view plain)
{
    const std::string_view value = labelValue(labels, exported);
    return value.empty() ? labelValue(labels, plain) : value;
}

std::string seriesKey(Labels labels)
{
    std::string key;
    for (const format::Label &label : labels) {
        key += label.name;
        key += '\0';
        key += label.value;
        key += '\0';
    }
    return key;
}

std::string hostOfInstance(std::string_view instance)
{
    if (instance.starts_with('[')) {
        const std::size_t end = instance.find(']');
        return std::string(instance.substr(1, end == std::string_view::npos ? end : end - 1));
    }
    return std::string(instance.substr(0, instance.rfind(':')));
}

std::string ClusterNaming::of(Labels labels) const
{
    if (!fixed.empty())
        return fixed;
    const std::string_view value = label.empty() ? std::string_view() : labelValue(labels, label);
    return value.empty() ? otherwise : std::string(value);
}

std::optional<SeriesIdentity> identify(const ExporterMapping &exporter, const ClusterNaming &clusters, Labels labels,
                                       std::string_view &reason)
{
    SeriesIdentity out;
    out.uuid = deviceKey(exporter, labels, out);
    if (out.uuid.empty()) {
        reason = "a series has no label that identifies a device";
        return std::nullopt;
    }
    if (const std::string_view part = firstLabel(labels, exporter.partition); !part.empty() && part != "0") {
        reason = {}; // a partition repeats its device, so no data is lost
        return std::nullopt;
    }
    out.cluster = clusters.of(labels);
    out.gpuInstance = std::string(firstLabel(labels, exporter.instanceId));
    out.profile = std::string(firstLabel(labels, exporter.profile));
    out.modelName = std::string(firstLabel(labels, exporter.modelName));
    out.index = static_cast<int>(
        std::clamp<std::int64_t>(base::parseInt(firstLabel(labels, exporter.index)).value_or(-1), -1, 1'000'000));
    for (const std::string &name : exporter.node) {
        if (const std::string_view value = labelValue(labels, name); !value.empty())
            out.nodes.emplace_back(value);
    }
    out.instance = std::string(labelValue(labels, "instance"));
    out.address = hostOfInstance(out.instance);
    if (exporter.nodeFromInstance && out.nodes.empty() && !out.address.empty())
        out.nodes.push_back(out.address);
    out.subjects = subjectsOf(exporter, labels);
    if (!out.subjects.empty() && out.subjects.front().kind == model::SubjectKind::Machine)
        out.machineLabels = machineLabels(exporter, clusters, labels);
    out.podUid = std::string(firstLabel(labels, exporter.podUid));
    out.container = std::string(firstLabel(labels, exporter.container));
    if (out.container.empty())
        out.container = std::string(firstOf(labels, {"exported_container", "container", "container_name"}));
    out.claim = !labelValue(labels, "dra_claim_name").empty();
    out.job = std::string(labelValue(labels, "job"));
    out.replica = std::string(firstOf(labels, {"prometheus_replica", "replica", "__replica__", "prometheus"}));
    return out;
}

model::Fraction migFraction(std::string_view profile, std::string_view modelName)
{
    const std::size_t g = profile.find('g');
    const std::int64_t part = g == std::string_view::npos ? 0 : base::parseInt(profile.substr(0, g)).value_or(0);
    if (part < 1 || part > 8)
        return {1, 1};
    const bool a30 =
        modelName.find("A30") != std::string_view::npos && modelName.find("A300") == std::string_view::npos;
    const std::int64_t of = a30 ? 4 : 7;
    return part >= of ? model::Fraction{1, 1} : model::Fraction{part, of};
}

} // namespace gpuledger::prometheus
