// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/series/exportermapping.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/prometheus/query/promql.h"
#include "resources/resources.h"

#include <algorithm>
#include <array>
#include <limits>
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
                      base::Remedy::SeeBuiltInMappings);
}

bool metricName(std::string_view name)
{
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
    };
    return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

// A number, also if the configuration passes it as a string; NaN for anything else.
double numberOr(const json &object, const char *key, double otherwise)
{
    const auto it = object.find(key);
    if (it == object.end())
        return otherwise;
    if (it->is_number())
        return it->get<double>();
    const auto number = it->is_string() ? base::parseDouble(it->get_ref<const std::string &>()) : std::nullopt;
    return number.value_or(std::numeric_limits<double>::quiet_NaN());
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
    if (!(divisor > 0))
        return wrong(mapping, metric.name + " has a divisor that is not a positive number");
    metric.factor = numberOr(entry, "factor", 1) / divisor;
    if (!(metric.factor > 0))
        return wrong(mapping, metric.name + " has a factor that is not a positive number");
    if (entry.contains("percent_above"))
        metric.percentAbove = numberOr(entry, "percent_above", 1.5);
    return metric;
}

base::Result<SignalMetric> readSignal(std::string_view mapping, const json &entry)
{
    static constexpr std::array<std::pair<std::string_view, model::HourSignal>, 3> kSignalNames{{
        {"pcie_bytes", model::HourSignal::PcieBytes},
        {"nvlink_bytes", model::HourSignal::NvlinkBytes},
        {"memory_copies", model::HourSignal::MemoryCopies},
    }};
    SignalMetric metric;
    metric.name = format::textOf(entry, "name");
    if (!metricName(metric.name))
        return wrong(mapping, "a signal has no usable name");
    const std::string signal = format::textOf(entry, "signal");
    const auto known =
        std::find_if(kSignalNames.begin(), kSignalNames.end(), [&](const auto &s) { return s.first == signal; });
    if (known == kSignalNames.end())
        return wrong(mapping, metric.name + " is the unknown signal \"" + base::printable(signal, 64) + '"');
    metric.signal = known->second;
    metric.factor = numberOr(entry, "factor", 1);
    if (!(metric.factor > 0))
        return wrong(mapping, metric.name + " has a factor that is not a positive number");
    return metric;
}

base::Result<void> readSignals(ExporterMapping &out, std::string_view mapping, const json &root)
{
    const auto signals = root.find("signals");
    if (signals == root.end())
        return {};
    if (!signals->is_array())
        return wrong(mapping, "signals is not a list");
    for (const json &entry : *signals) {
        auto metric = readSignal(mapping, entry);
        if (!metric)
            return base::fail(std::move(metric).error());
        out.signals.push_back(std::move(*metric));
    }
    return {};
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
    out.machine = labelList(labels, "machine");
    out.partition = labelList(labels, "partition");
    out.pod = labelList(labels, "pod");
    out.nameSpace = labelList(labels, "namespace");
    out.container = labelList(labels, "container");
    out.podUid.insert(out.podUid.begin(), "pod_uid");
}

base::Result<void> addRequests(Mappings &all, std::string_view mapping, const json &requests)
{
    if (!requests.is_array())
        return wrong(mapping, "requests is not a list");
    for (const json &entry : requests) {
        RequestMetric metric{format::textOf(entry, "name"), false};
        if (!metricName(metric.name))
            return wrong(mapping, "a metric has no usable name");
        metric.isGauge = entry.value("gauge", json(false)) == json(true);
        all.requests.push_back(std::move(metric));
    }
    return {};
}

// The user's settings for an exporter take precedence over the built-in ones.
ExporterMapping merged(ExporterMapping known, ExporterMapping own, const json &root)
{
    using List = std::vector<std::string> ExporterMapping::*;
    for (const List list :
         {&ExporterMapping::uuid, &ExporterMapping::instanceId, &ExporterMapping::profile, &ExporterMapping::modelName,
          &ExporterMapping::index, &ExporterMapping::node, &ExporterMapping::podUid, &ExporterMapping::slurmJob,
          &ExporterMapping::machine, &ExporterMapping::partition, &ExporterMapping::pod, &ExporterMapping::nameSpace,
          &ExporterMapping::container})
        (known.*list).insert((known.*list).begin(), (own.*list).begin(), (own.*list).end());
    known.metrics.insert(known.metrics.begin(), own.metrics.begin(), own.metrics.end());
    for (const SignalMetric &metric : own.signals) {
        std::erase_if(known.signals, [&](const SignalMetric &s) { return s.name == metric.name; });
        known.signals.push_back(metric);
    }
    const auto replace = [&](const char *key, std::string ExporterMapping::*field) {
        if (root.contains(key))
            known.*field = std::move(own.*field);
    };
    replace("title", &ExporterMapping::title);
    replace("vendor", &ExporterMapping::vendor);
    replace("uuid_prefix", &ExporterMapping::uuidPrefix);
    replace("prefix_from", &ExporterMapping::prefixFrom);
    replace("info", &ExporterMapping::infoMetric);
    known.nodeFromInstance = known.nodeFromInstance || own.nodeFromInstance;
    return known;
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
        all.kube.notGpus = format::textOf(root, "not_gpus");
        all.kube.sharedResources = labelList(root, "shared_resources");
        return {};
    }
    if (root.contains("requests"))
        return addRequests(all, name, root["requests"]);
    ExporterMapping out;
    out.name = std::string(name);
    out.title = root.contains("title") ? format::textOf(root, "title") : out.name;
    out.vendor = format::textOf(root, "vendor");
    out.uuidPrefix = format::textOf(root, "uuid_prefix");
    out.prefixFrom = format::textOf(root, "prefix_from");
    out.infoMetric = root.contains("info") ? format::textOf(root["info"], "name") : std::string();
    out.nodeFromInstance = root.value("node_from_instance", json(false)) == json(true);
    readLabels(out, root.value("labels", json::object()));
    GPULEDGER_TRY(readSignals(out, name, root));
    const auto known = std::find_if(all.exporters.begin(), all.exporters.end(),
                                    [&](const ExporterMapping &e) { return e.name == out.name; });
    const bool adds = known != all.exporters.end();
    if (out.uuid.empty() && !adds)
        return wrong(name, "labels.uuid contains no label");
    const auto metrics = root.find("metrics");
    if (metrics != root.end() ? !metrics->is_array() : !adds)
        return wrong(name, "metrics is missing");
    for (const json &entry : metrics != root.end() ? *metrics : json::array()) {
        auto metric = readMetric(name, entry);
        if (!metric)
            return base::fail(std::move(metric).error());
        for (ExporterMapping &other : all.exporters)
            std::erase_if(other.metrics, [&](const MetricMapping &m) { return m.name == metric->name; });
        out.metrics.push_back(std::move(*metric));
    }
    if (adds)
        *known = merged(std::move(*known), std::move(out), root);
    else
        all.exporters.push_back(std::move(out));
    return {};
}

std::string KubeMapping::matcher() const
{
    const std::string all = "resource=~" + promql::quoted(gpuResources);
    return notGpus.empty() ? all : all + ",resource!~" + promql::quoted(notGpus);
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

// The operator may choose a prefix, which may differ from cluster to cluster.
static std::vector<std::string> prefixes(const ExporterMapping &mapping, const std::set<std::string> &names)
{
    std::vector<std::string> out;
    for (const std::string &name : names) {
        if (!mapping.prefixFrom.empty() && name.ends_with(mapping.prefixFrom))
            out.push_back(name.substr(0, name.size() - mapping.prefixFrom.size()));
    }
    return out.empty() ? std::vector<std::string>{""} : out;
}

std::vector<ExporterMapping> presentExporters(const Mappings &all, const std::set<std::string> &names)
{
    std::vector<ExporterMapping> out;
    int sets = 0;
    for (ExporterMapping mapping : all.exporters) {
        std::map<Quantity, int> seen;
        std::vector<MetricMapping> present;
        std::vector<SignalMetric> signals;
        for (const std::string &prefix : prefixes(mapping, names)) {
            ++sets;
            for (MetricMapping metric : mapping.metrics) {
                metric.name = prefix + metric.name;
                if (names.count(metric.name) == 0)
                    continue;
                metric.ordinal = seen[metric.quantity]++;
                present.push_back(std::move(metric));
            }
            for (SignalMetric metric : mapping.signals) {
                metric.name = prefix + metric.name;
                metric.set = sets;
                if (names.count(metric.name) > 0)
                    signals.push_back(std::move(metric));
            }
        }
        mapping.metrics = std::move(present);
        mapping.signals = std::move(signals);
        if (names.count(mapping.infoMetric) == 0)
            mapping.infoMetric.clear();
        if (mapping.describesGpus())
            out.push_back(std::move(mapping));
    }
    return out;
}

} // namespace gpuledger::prometheus
