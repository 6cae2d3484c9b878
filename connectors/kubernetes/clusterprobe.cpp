// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/clusterprobe.h"

#include "connectors/kubernetes/access.h"
#include "connectors/kubernetes/objects.h"

namespace gpuledger::kubernetes {

using base::Result;
using ports::Finding;
using ports::FindingRemedy;
using ports::FindingText;
using Level = ports::Finding::Level;

namespace {

// To look at what holds a GPU; then to stop it and bring it back, for the kinds that every cluster has.
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
    for (const AccessQuestion &question : questions()) {
        const auto may = mayI(api, question, stop);
        GPULEDGER_TRY(may);
        if (*may)
            report.findings.push_back({Level::Good, FindingText::RightGiven, {question.shownRight()}, {}, {}});
        else
            report.findings.push_back(
                {Level::Missing, FindingText::RightMissing, {question.shownRight()}, FindingRemedy::GiveRight, {}});
        canRead = canRead && (*may || changes(question));
        canChange = canChange || (*may && changes(question));
    }
    if (!mayStop)
        report.findings.push_back({Level::Missing, FindingText::ReadsOnly, {}, FindingRemedy::AllowStop, {}});
    report.usable = canRead && canChange;
    return report;
}

} // namespace gpuledger::kubernetes
