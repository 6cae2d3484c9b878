// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/api/clusterprobe.h"

#include "connectors/kubernetes/api/access.h"
#include "connectors/kubernetes/api/objects.h"

namespace gpuledger::kubernetes {

using base::Result;
using ports::Finding;
using ports::FindingRemedy;
using ports::FindingText;
using Level = ports::Finding::Level;

namespace {

// Rights to read what holds a GPU, then to stop and restore it, for the kinds that every cluster has.
const std::vector<AccessQuestion> &questions()
{
    static const std::vector<AccessQuestion> kAll{
        {"get", "", "pods", "", "", ""},
        {"list", "", "pods", "", "", ""},
        {"get", "apps", "deployments", "", "", ""},
        {"patch", "apps", "deployments", "scale", "", ""},
        {"patch", "apps", "statefulsets", "scale", "", ""},
        {"patch", "batch", "jobs", "", "", ""},
        {"delete", "", "pods", "", "", ""},
        {"create", "", "pods", "", "", ""},
    };
    return kAll;
}

// Rights to read the queue (KubeQueue); without them, less is reported.
std::vector<AccessQuestion> waitingQuestions(KubeApi &api, const std::stop_token &stop)
{
    std::vector<AccessQuestion> all{{"list", "", "nodes", "", "", ""}, {"list", "", "namespaces", "", "", ""}};
    Discovery discovery(api);
    for (const char *kind : {"Workload", "LocalQueue"}) {
        const auto resource = discovery.find("kueue.x-k8s.io", kind, stop);
        if (resource && *resource)
            all.push_back(rightOn(**resource, "list", "", "", ""));
    }
    return all;
}

bool changes(const AccessQuestion &question)
{
    return question.verb != "get" && question.verb != "list";
}

} // namespace

Result<ports::ProbeReport> probeCluster(KubeApi &api, bool mayStop, const std::stop_token &stop)
{
    const auto version = api.get("/version", stop);
    GPULEDGER_TRY(version);
    ports::ProbeReport report;
    const std::string number = shown(text(*version, {"gitVersion"}));
    report.product = number.empty() ? "Kubernetes" : "Kubernetes " + number;
    report.findings.push_back({Level::Good, FindingText::PlatformAnswers, {report.product}, {}, {}});
    bool canRead = true, canChange = false;
    const auto told = [&](const AccessQuestion &question) -> Result<bool> {
        auto may = mayI(api, question, stop);
        GPULEDGER_TRY(may);
        if (*may)
            report.findings.push_back({Level::Good, FindingText::RightGiven, {question.shownRight()}, {}, {}});
        else
            report.findings.push_back(
                {Level::Missing, FindingText::RightMissing, {question.shownRight()}, FindingRemedy::GiveRight, {}});
        return may;
    };
    for (const AccessQuestion &question : questions()) {
        const auto may = told(question);
        GPULEDGER_TRY(may);
        canRead = canRead && (*may || changes(question));
        canChange = canChange || (*may && changes(question));
    }
    for (const AccessQuestion &question : waitingQuestions(api, stop))
        GPULEDGER_TRY(told(question));
    if (!mayStop)
        report.findings.push_back({Level::Missing, FindingText::ReadsOnly, {}, FindingRemedy::AllowStop, {}});
    report.usable = canRead && (canChange || !mayStop); // reading is enough to report what is waiting
    return report;
}

} // namespace gpuledger::kubernetes
