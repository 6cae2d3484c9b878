// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/kubernetes/kubetarget.h"
#include "connectors/kubernetes/queue/kubequeue.h"

namespace gpuledger::kubernetes {

namespace {

using ports::Capability;
using ports::SourceField;
using ports::SourceRight;

constexpr std::string_view kReadPolicy = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: gpu-ledger-reader }
rules:
  - { apiGroups: [""], resources: [pods, nodes, namespaces], verbs: [get, list] }
  - { apiGroups: [apps], resources: [deployments, replicasets, statefulsets, daemonsets], verbs: [get, list] }
  - { apiGroups: [batch], resources: [jobs, cronjobs], verbs: [get, list] }
  - { apiGroups: [policy], resources: [poddisruptionbudgets], verbs: [get, list] }
  - { apiGroups: [autoscaling], resources: [horizontalpodautoscalers], verbs: [get, list] }
  - { apiGroups: [keda.sh], resources: [scaledobjects], verbs: [get, list] }   # where KEDA is installed
  - { apiGroups: [kueue.x-k8s.io], resources: [workloads, localqueues], verbs: [get, list] }
)";
constexpr std::string_view kStopPolicy = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: gpu-ledger-stopper }
rules:
  - { apiGroups: [apps], resources: [deployments, statefulsets, replicasets], verbs: [patch] }   # leaves who stopped it, and when it will be
  - { apiGroups: [apps], resources: [deployments/scale, statefulsets/scale, replicasets/scale], verbs: [get, patch] }
  - { apiGroups: [batch], resources: [jobs], verbs: [patch] }
  - { apiGroups: [""], resources: [pods], verbs: [create, delete] }   # bare pods, only where that is permitted
  - { apiGroups: [""], resources: [pods/eviction], verbs: [create] }
)";

base::Result<std::vector<ports::CredentialCommand>> logins(const model::SourceSettings &settings)
{
    std::vector<ports::CredentialCommand> all;
    auto command = kubeLoginCommand(settings);
    GPULEDGER_TRY(command);
    if (*command)
        all.push_back(std::move(**command));
    return all;
}

} // namespace

std::vector<connectors::ConnectorDescriptor> connectors()
{
    ports::SourceKind kind{
        .kind = "kubernetes",
        .title = "Kubernetes",
        .can = {Capability::Stops, Capability::Waiting},
        .fields = {{.key = "kubeconfig",
                    .type = SourceField::Type::Kubeconfig,
                    .title = "Kubeconfig",
                    .help = "File with the cluster's address and how to log in there",
                    .fallback = "$KUBECONFIG, else ~/.kube/config",
                    .example = "~/.kube/config"},
                   {.key = "context",
                    .type = SourceField::Type::KubeContext,
                    .title = "Context",
                    .help = "The context of the file that belongs to this cluster",
                    .fallback = "the file's current one",
                    .example = "prod"}},
        .rights = {{.what = SourceRight::For::Reading,
                    .words = "May get and list pods, what owns them, nodes and namespaces, and, where it is installed, "
                             "the queues of Kueue",
                    .policy = kReadPolicy},
                   {.what = SourceRight::For::Stopping,
                    .words = "May patch each kind that is to be stopped: its scale, or the object itself",
                    .policy = kStopPolicy}},
        .use = "Kubernetes (stop and bring back)"};
    return {{.kind = std::move(kind),
             .actions =
                 [](const auto &settings, const auto &context) {
                     return makeKubeTarget(settings, context.secrets, context.clock, context.http.get());
                 },
             .queue =
                 [](const auto &settings, const auto &context) {
                     return makeKubeQueue(settings, context.secrets, context.realClock, context.http.get());
                 },
             .logins = logins}};
}

} // namespace gpuledger::kubernetes
