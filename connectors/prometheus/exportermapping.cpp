// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/exportermapping.h"

#include "app/base/text.h"
#include "connectors/format/json.h"
#include "resources/resources.h"

#include <algorithm>
#include <array>
#include <map>

namespace gpuledger::prometheus {

namespace {

using nlohmann::json;

constexpr std::string_view kFolder = "exporters/";
constexpr std::array<std::pair<std::string_view, Quantity>, 10> kQuantities{{
    {"sm_active", Quantity::SmActive},
    {"graphics_engine", Quantity::GraphicsEngine},
    {"gpu_utilization", Quantity::GpuUtilization},
    {"duty_cycle", Quantity::DutyCycle},
    {"tensor_active", Quantity::TensorActive},
    {"memory_used", Quantity::MemoryUsed},
    {"memory_free", Quantity::MemoryFree},
    {"memory_reserved", Quantity::MemoryReserved},
    {"memory_total", Quantity::MemoryTotal},
    {"power", Quantity::Power},
}};

tl::unexpected<base::Error> wrong(std::string_view mapping, std::string text)
{
    return base::fail(base::ErrorCode::InvalidConfig,
                      "exporter mapping \"" + base::printable(mapping, 64) + "\": " + std::move(text),
                      "the built-in files in resources/exporters show the form");
}

bool metricName(std::string_view name)
{
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
    };
    return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

double numberOr(const json &object, const char *key, double otherwise)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_number() ? it->get<double>() : otherwise;
}

base::Result<MetricMapping> readMetric(std::string_view mapping, const json &entry)
{
    MetricMapping metric;
    metric.name = format::textOf(entry, "name");
    if (!metricName(metric.name))
        return wrong(mapping, "a metric has no usable name");
    const std::string quantity = format::textOf(entry, "quantity");
    const auto known =
        std::find_if(kQuantities.begin(), kQuantities.end(), [&](const auto &q) { return q.first == quantity; });
    if (known == kQuantities.end())
        return wrong(mapping, metric.name + " has the unknown quantity \"" + base::printable(quantity, 64) + '"');
    metric.quantity = known->second;
    const double divisor = numberOr(entry, "divisor", 1);
    if (divisor <= 0)
        return wrong(mapping, metric.name + " has a divisor that is not positive");
    metric.factor = numberOr(entry, "factor", 1) / divisor;
    if (entry.contains("percent_above"))
        metric.percentAbove = numberOr(entry, "percent_above", 1.5);
    return metric;
}

std::vector<std::string> labelList(const json &labels, const char *key)
{
    std::vector<std::string> out;
    if (!labels.is_object() || !labels.contains(key) || !labels[key].is_array())
        return out;
    for (const json &name : labels[key]) {
        if (name.is_string() && metricName(name.get_ref<const std::string &>()))
            out.push_back(name.get<std::string>());
    }
    return out;
}

void readLabels(ExporterMapping &out, const json &labels)
{
    out.uuid = labelList(labels, "uuid");
    out.instanceId = labelList(labels, "instance_id");
    out.profile = labelList(labels, "profile");
    out.modelName = labelList(labels, "model");
    out.index = labelList(labels, "index");
    out.node = labelList(labels, "node");
    out.podUid = labelList(labels, "pod_uid");
    out.slurmJob = labelList(labels, "slurm_job");
    out.partition = labelList(labels, "partition");
    out.podUid.insert(out.podUid.begin(), "pod_uid");
}

} // namespace

base::Result<void> addMapping(Mappings &all, std::string_view name, std::string_view text)
{
    const base::Result<json> parsed = format::parseJson(text);
    if (!parsed || !parsed->is_object())
        return wrong(name, "is not a JSON object");
    const json &root = *parsed;
    if (root.contains("gpu_resources")) {
        all.kube.gpuResources = format::textOf(root, "gpu_resources");
        all.kube.sharedResources = labelList(root, "shared_resources");
        return {};
    }
    ExporterMapping out;
    out.name = std::string(name);
    out.title = root.contains("title") ? format::textOf(root, "title") : out.name;
    out.vendor = format::textOf(root, "vendor");
    out.uuidPrefix = format::textOf(root, "uuid_prefix");
    out.prefixFrom = format::textOf(root, "prefix_from");
    out.infoMetric = root.contains("info") ? format::textOf(root["info"], "name") : std::string();
    out.nodeFromInstance = root.value("node_from_instance", json(false)) == json(true);
    readLabels(out, root.value("labels", json::object()));
    if (out.uuid.empty())
        return wrong(name, "labels.uuid names no label");
    const auto metrics = root.find("metrics");
    if (metrics == root.end() || !metrics->is_array())
        return wrong(name, "metrics is missing");
    for (const json &entry : *metrics) {
        auto metric = readMetric(name, entry);
        if (!metric)
            return base::fail(std::move(metric).error());
        out.metrics.push_back(std::move(*metric));
    }
    std::erase_if(all.exporters, [&](const ExporterMapping &e) { return e.name == out.name; });
    all.exporters.push_back(std::move(out));
    return {};
}

base::Result<Mappings> loadMappings(const std::vector<model::ExporterMappingText> &own)
{
    Mappings all;
    for (const resources::Resource &file : resources::all()) {
        if (!file.name.starts_with(kFolder) || !file.name.ends_with(".json"))
            continue;
        const std::string_view name = file.name.substr(kFolder.size());
        GPULEDGER_TRY(addMapping(all, name.substr(0, name.size() - 5), file.content));
    }
    for (const model::ExporterMappingText &mapping : own)
        GPULEDGER_TRY(addMapping(all, mapping.name, mapping.json));
    return all;
}

std::vector<ExporterMapping> presentExporters(const Mappings &all, const std::set<std::string> &names)
{
    std::vector<ExporterMapping> out;
    for (ExporterMapping mapping : all.exporters) {
        std::string prefix;
        if (!mapping.prefixFrom.empty()) {
            const auto marker = std::find_if(names.begin(), names.end(),
                                             [&](const std::string &n) { return n.ends_with(mapping.prefixFrom); });
            if (marker != names.end())
                prefix = marker->substr(0, marker->size() - mapping.prefixFrom.size());
        }
        std::map<Quantity, int> seen;
        std::vector<MetricMapping> present;
        for (MetricMapping metric : mapping.metrics) {
            metric.name = prefix + metric.name;
            if (names.count(metric.name) == 0)
                continue;
            metric.ordinal = seen[metric.quantity]++;
            present.push_back(std::move(metric));
        }
        mapping.metrics = std::move(present);
        if (names.count(mapping.infoMetric) == 0)
            mapping.infoMetric.clear();
        if (mapping.describesGpus())
            out.push_back(std::move(mapping));
    }
    return out;
}

} // namespace gpuledger::prometheus
