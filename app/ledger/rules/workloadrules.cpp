// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/rules/workloadrules.h"

#include "app/model/money/mangledlabel.h"

#include <array>
#include <utility>

namespace gpuledger::ledger {

using model::WorkloadKind;

namespace {

model::Labels mangled(const model::Labels &labels)
{
    model::Labels out;
    for (const auto &[key, value] : labels)
        out[model::mangledLabel(key)] = value;
    return out;
}

bool hasAll(const model::Labels &have, const model::Labels &want)
{
    for (const auto &[key, value] : want) {
        const auto it = have.find(key);
        if (it == have.end() || it->second != value)
            return false;
    }
    return true;
}

// Label keys (as kube-state-metrics writes them) that only one kind of workload carries.
constexpr std::array<std::pair<std::string_view, WorkloadKind>, 10> kTellingLabels{{
    {"notebook_name", WorkloadKind::Notebook}, // Kubeflow notebooks
    {"hub_jupyter_org_username", WorkloadKind::Notebook}, // JupyterHub
    {"serving_kserve_io_inferenceservice", WorkloadKind::Inference}, // KServe
    {"serving_knative_dev_service", WorkloadKind::Inference}, // Knative
    {"seldon_deployment_id", WorkloadKind::Inference}, // Seldon
    {"training_kubeflow_org_job_name", WorkloadKind::Training}, // Kubeflow training operator
    {"jobset_sigs_k8s_io_jobset_name", WorkloadKind::Training}, // JobSet
    {"volcano_sh_job_name", WorkloadKind::Training}, // Volcano
    {"leaderworkerset_sigs_k8s_io_name", WorkloadKind::Inference}, // LeaderWorkerSet
    {"workflows_argoproj_io_workflow", WorkloadKind::Batch}, // Argo Workflows
}};

constexpr std::array<std::pair<std::string_view, WorkloadKind>, 16> kControllers{{
    {"Notebook", WorkloadKind::Notebook},
    {"InferenceService", WorkloadKind::Inference},
    {"Deployment", WorkloadKind::Inference},
    {"ReplicaSet", WorkloadKind::Inference},
    {"LeaderWorkerSet", WorkloadKind::Inference},
    {"RayService", WorkloadKind::Inference},
    {"Job", WorkloadKind::Training},
    {"PyTorchJob", WorkloadKind::Training},
    {"MPIJob", WorkloadKind::Training},
    {"TFJob", WorkloadKind::Training},
    {"XGBoostJob", WorkloadKind::Training},
    {"JAXJob", WorkloadKind::Training},
    {"JobSet", WorkloadKind::Training},
    {"CronJob", WorkloadKind::Batch},
    {"Workflow", WorkloadKind::Batch},
    {"StatefulSet", WorkloadKind::Development},
}};

} // namespace

WorkloadRules::WorkloadRules(const model::Settings &settings)
{
    for (const model::WorkloadRule &rule : settings.workloads)
        m_rules.push_back({mangled(rule.labels), rule.nameSpace, rule.kind});
    for (const model::ProtectRule &rule : settings.idle.protect)
        m_protect.push_back({mangled(rule.labels), rule.nameSpace});
    if (m_protect.empty())
        m_protect = {{{{"gpuledger_io_protect", "true"}}, ""}, {{}, "kube-system"}};
    if (settings.environmentLabel.empty())
        m_environmentLabels = {"env", "environment"};
    else
        m_environmentLabels = {model::mangledLabel(settings.environmentLabel)};
}

WorkloadKind WorkloadRules::kindOf(const model::Holder &holder) const
{
    for (const model::WorkloadRule &rule : m_rules) {
        if (hasAll(holder.labels, rule.labels) && (rule.nameSpace.empty() || rule.nameSpace == holder.nameSpace))
            return rule.kind;
    }
    // A label that names the kind outright is the clearest statement a user can make.
    for (const char *key : {"workload_kind", "workload_type", "gpuledger_io_workload", "app_kubernetes_io_component"}) {
        const auto it = holder.labels.find(key);
        if (it == holder.labels.end())
            continue;
        if (const auto kind = model::workloadKindFromString(it->second))
            return *kind;
    }
    for (const auto &[key, kind] : kTellingLabels) {
        if (holder.labels.contains(std::string(key)))
            return kind;
    }
    for (const auto &[controller, kind] : kControllers) {
        if (holder.ownerKind == controller)
            return kind;
    }
    return holder.kind == model::SubjectKind::SlurmJob ? WorkloadKind::Training : WorkloadKind::Unknown;
}

std::string WorkloadRules::environmentOf(const model::Holder &holder) const
{
    for (const std::string &key : m_environmentLabels) {
        for (const model::Labels *labels : {&holder.labels, &holder.namespaceLabels}) {
            const auto it = labels->find(key);
            if (it != labels->end() && !it->second.empty())
                return it->second;
        }
    }
    return {};
}

std::string WorkloadRules::protectionOf(const model::Holder &holder) const
{
    for (const model::ProtectRule &rule : m_protect) {
        const bool byNamespace = !rule.nameSpace.empty() && rule.nameSpace == holder.nameSpace;
        const bool byLabel = !rule.labels.empty() && hasAll(holder.labels, rule.labels);
        if (!rule.nameSpace.empty() && byNamespace && (rule.labels.empty() || byLabel))
            return "namespace " + rule.nameSpace;
        if (rule.nameSpace.empty() && byLabel)
            return "label " + rule.labels.begin()->first + "=" + rule.labels.begin()->second;
    }
    return {};
}

} // namespace gpuledger::ledger
