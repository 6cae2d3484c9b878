// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/prometheus/promrecords.h"

#include "app/alerts/prometheus/promalert.h"
#include "app/alerts/prometheus/promteams.h"
#include "app/alerts/prometheus/promtext.h"

#include <array>
#include <charconv>
#include <iterator>

namespace gpuledger::alerts::prom {

namespace {

constexpr char kSignal[] = "gpuledger:gpu_signal:avg5m", kActivity[] = "gpuledger:gpu_activity:avg5m",
               kShare[] = "gpuledger:gpu_share", kTeams[] = "gpuledger:holder_team", kPools[] = "gpuledger:node_pool",
               kPrice[] = "gpuledger:gpu_hour_price";

// By preference, as the engine takes them (contracts: telemetry.md, 2.1).
struct SignalName {
    std::string_view name;
    bool isPercent = false;
};
constexpr std::array<SignalName, 6> kSignals{{{"DCGM_FI_PROF_SM_ACTIVE"},
                                              {"DCGM_FI_PROF_SM_UTIL_RATIO"},
                                              {"DCGM_FI_PROF_GR_ENGINE_ACTIVE"},
                                              {"DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO"},
                                              {"DCGM_FI_DEV_GPU_UTIL", true},
                                              {"DCGM_FI_DEV_GPU_UTIL_RATIO"}}};

// As ledger::nodePools(), by preference.
constexpr std::array<std::string_view, 8> kPoolLabels{"node_pool",
                                                      "nodepool",
                                                      "cloud_google_com_gke_nodepool",
                                                      "eks_amazonaws_com_nodegroup",
                                                      "karpenter_sh_nodepool",
                                                      "kubernetes_azure_com_agentpool",
                                                      "agentpool",
                                                      "pool"};

std::string plain(double value)
{
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// The samples of [t - 5 min, t), as the engine's buckets have them.
std::string signalExpression()
{
    std::vector<std::string> parts;
    parts.reserve(std::size(kSignals));
    for (const SignalName &signal : kSignals)
        parts.push_back("avg_over_time(" + std::string(signal.name)
                        + R"({GPU_I_ID="",gpu_i_id="",gpu_instance_id=""}[5m] offset 1ms))"
                        + (signal.isPercent ? " * 0.01" : ""));
    return joined(parts, "or");
}

bool isLabelName(const std::string &text)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (text.empty() || !isLetter(text.front()))
        return false;
    for (const char c : text) {
        if (!isLetter(c) && (c < '0' || c > '9'))
            return false;
    }
    return true;
}

// The label `pod` names the holder with honor_labels, and otherwise the exporter itself, as `up` of the target tells.
std::string activityExpression(const ScrapedSource &source)
{
    const auto series = [](const std::string &matchers) { return kSignal + ('{' + matchers + '}'); };
    const std::string cluster = isLabelName(source.clusterLabel) ? ", " + source.clusterLabel : std::string();
    const std::string target = "on (job, instance, namespace, pod" + cluster + ") max_over_time(up[5m] offset 1ms)";
    const std::string plainPod = series(R"(exported_pod="",hpc_job="",pod!="")");
    const std::vector<std::string> parts{
        copied(withNamespace(series(R"(exported_pod!="")")), "holder_pod", "exported_pod"),
        labelReplace(series(R"(exported_pod="",hpc_job!="")"), "holder_pod", "slurm:$1", "hpc_job", "(.+)"),
        copied(withNamespace('(' + plainPod + " unless " + target + ')'), "holder_pod", "pod"),
        '(' + plainPod + " and " + target + ')', series(R"(exported_pod="",hpc_job="",pod="")")};
    std::string labelled = '(' + joined(parts, "or") + ')';
    for (const auto &[to, from] : {std::pair{"node", "hostname"},
                                   {"node", "Hostname"},
                                   {"gpu_uuid", "uuid"},
                                   {"gpu_uuid", "UUID"},
                                   {"gpu_model", "model_name"},
                                   {"gpu_model", "modelName"}})
        labelled = copied(labelled, to, from);
    return "max by (cluster, node, gpu_uuid, gpu_model, holder_namespace, holder_pod) (\n"
        + withCluster(labelled, source) + "\n)";
}

// A GPU whose holder changed within the five minutes counts for each in equal parts.
std::string shareExpression()
{
    const std::string activity = kActivity;
    return '(' + activity + " * 0 + 1) / on (cluster, gpu_uuid) group_left () count by (cluster, gpu_uuid) (" + activity
        + ')';
}

std::string poolExpression(const ScrapedSource &source)
{
    std::vector<std::string> parts;
    for (const std::string_view label : kPoolLabels) {
        const std::string name = "label_" + std::string(label);
        const std::string nodes = copied("kube_node_labels{" + name + R"(!=""})", "node", "exported_node");
        parts.push_back("group by (cluster, node, pool) (" + withCluster(copied(nodes, "pool", name), source) + ')');
    }
    parts.push_back("group by (cluster, node) (" + std::string(kActivity) + ')'); // of no pool
    return joined(parts, "or on (cluster, node)");
}

std::string held()
{
    return kShare + std::string(R"({holder_pod!=""})");
}

// One series for each GPU and holder, with its part of a GPU.
std::string gpusOf(Amount amount, double threshold)
{
    const std::string activity = kActivity + std::string(R"({holder_pod!=""})");
    switch (amount) {
    case Amount::Held:
        return held();
    case Amount::Busy:
        return '(' + activity + " * " + held() + ')';
    case Amount::Idle:
    case Amount::IdleCost:
        return '(' + held() + " and " + activity + " < " + plain(threshold) + ')';
    case Amount::Free:
    case Amount::FreeCost:
        break;
    }
    return kShare + std::string(R"({holder_pod=""})");
}

std::string amountExpression(const ScopeAmount &what, double threshold)
{
    std::string gpus = gpusOf(what.second, threshold);
    if (isCost(what.second))
        gpus += "\n* on (cluster, gpu_model) group_left () " + std::string(kPrice);
    switch (what.first) {
    case RuleScope::Team:
        gpus += "\n* on (cluster, holder_namespace, holder_pod) group_left (team) " + std::string(kTeams);
        break;
    case RuleScope::Pool:
        gpus += "\n* on (cluster, node) group_left (pool) " + std::string(kPools);
        break;
    default:
        break;
    }
    std::string labels;
    for (const std::string &label : scopeLabels(what.first))
        labels += (labels.empty() ? "" : ", ") + label;
    return (labels.empty() ? "sum (\n" : "sum by (" + labels + ") (\n") + gpus + "\n)";
}

bool needs(const std::set<ScopeAmount> &amounts, RuleScope scope)
{
    for (const ScopeAmount &one : amounts) {
        if (one.first == scope)
            return true;
    }
    return false;
}

} // namespace

bool isCost(Amount amount)
{
    return amount == Amount::IdleCost || amount == Amount::FreeCost;
}

std::vector<std::string> scopeLabels(RuleScope scope)
{
    if (scope == RuleScope::All)
        return {};
    std::vector<std::string> out{std::string(toString(scope))};
    if (scope == RuleScope::Pool) // clusters may have pools of the same name
        out.insert(out.begin(), std::string(toString(RuleScope::Cluster)));
    return out;
}

std::string recordName(const ScopeAmount &what)
{
    static constexpr std::array<std::string_view, 6> kNames{"held_gpus", "busy_gpus",          "idle_gpus",
                                                            "free_gpus", "idle_cost_per_hour", "free_cost_per_hour"};
    return "gpuledger:" + std::string(toString(what.first)) + ':'
        + std::string(kNames[static_cast<std::size_t>(what.second)]);
}

std::vector<ScopeAmount> amountsOf(const Rule &rule)
{
    const RuleScope scope = rule.scope;
    if (rule.metric == RuleMetric::IdleCost)
        return {{scope, Amount::IdleCost}};
    if (rule.metric == RuleMetric::IdleHours)
        return {{scope, Amount::Idle}};
    if (rule.metric == RuleMetric::Utilization)
        return {{scope, Amount::Busy}, {scope, Amount::Held}};
    if (rule.metric == RuleMetric::AllocationWithoutUse)
        return {{scope, Amount::Idle}, {scope, Amount::Held}};
    if (rule.metric == RuleMetric::Unallocated)
        return {{scope, rule.bound.unit == RuleUnit::Gpus ? Amount::Free : Amount::FreeCost}};
    return {};
}

std::string withCluster(const std::string &expression, const ScrapedSource &source)
{
    if (!source.cluster.empty())
        return labelReplace(expression, "cluster", literal(source.cluster), "cluster", ".*");
    if (source.clusterLabel.empty())
        return labelReplace(expression, "cluster", literal(source.name), "cluster", ".*");
    return labelReplace(labelReplace(expression, "cluster", "$1", source.clusterLabel, "(.*)"), "cluster",
                        literal(source.name), "cluster", "");
}

std::string withNamespace(const std::string &expression)
{
    return copied(copied(expression, "holder_namespace", "namespace"), "holder_namespace", "exported_namespace");
}

std::vector<Record> recordsFor(const RulesToExport &question, const std::set<ScopeAmount> &amounts)
{
    std::vector<Record> out;
    if (amounts.empty())
        return out;
    const ScrapedSource &source = question.source;
    bool hasCost = false;
    for (const ScopeAmount &one : amounts)
        hasCost = hasCost || isCost(one.second);
    for (const ModelPrice &price : hasCost ? question.prices : std::vector<ModelPrice>())
        out.push_back({kPrice,
                       "vector(" + decimal(price.nanosPerHour) + ')',
                       {{"cluster", price.cluster},
                        {"gpu_model", price.gpuModel},
                        {"currency", std::string(question.currency.code())}}});
    out.push_back({kSignal, signalExpression(), {}});
    out.push_back({kActivity, activityExpression(source), {}});
    out.push_back({kShare, shareExpression(), {}});
    if (needs(amounts, RuleScope::Team))
        out.push_back({kTeams, teamExpression(question), {}});
    if (needs(amounts, RuleScope::Pool))
        out.push_back({kPools, poolExpression(source), {}});
    for (const ScopeAmount &one : amounts)
        out.push_back({recordName(one), amountExpression(one, question.threshold), {}});
    return out;
}

} // namespace gpuledger::alerts::prom
