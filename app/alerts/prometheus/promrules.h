// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rule.h"

#include <cstdint>
#include <string>
#include <vector>

// The alert rules as rules of one Prometheus, and a test of them for promtool. Their expressions return what the
// engine computes (app/services/alerts/ruleseries.h) from the samples of that server, within the error of sampling.
// What Prometheus cannot know, or what is not written in its language here, is not exported, and each rule that is not
// says why. Pure; any thread; no errors.
//
// Metrics and labels: contracts, telemetry.md, 2.1 (dcgm-exporter) and 2.6 (kube-state-metrics).
namespace gpuledger::alerts {

// A Prometheus server, and how the engine names the clusters of its series.
struct ScrapedSource {
    std::string name;
    std::string cluster; // empty: as `clusterLabel` says
    std::string clusterLabel; // empty: none; the cluster of series without it is named after the source
    bool isOnly = true; // no other source tells telemetry
};

// What a GPU costs per hour, in nanos of the currency.
struct ModelPrice {
    std::string cluster, gpuModel; // the model as the exporter names it
    std::int64_t nanosPerHour = 0;
};

struct RulesToExport {
    std::vector<Rule> rules;
    base::Currency currency = base::Currency::usd();
    double threshold = 0; // activity below this is idle
    ScrapedSource source;
    std::vector<model::OwnerRule> owners; // never empty: with the defaults, if the configuration has none
    std::string testTeam; // who owns a pod without labels in kTestNamespace
    std::vector<ModelPrice> prices;
    base::UtcTime at{}; // for which prices and owners hold
    std::string file; // the name of the file with the rules
};
inline constexpr char kTestNamespace[] = "gpuledger-test";

struct NotExported {
    std::string rule, reason; // a clause: "a budget is …"
};

struct ExportedRules {
    std::string rules, tests; // YAML
    std::vector<std::string> exported; // names
    std::vector<NotExported> notExported;
};

ExportedRules exportedRules(const RulesToExport &question);

} // namespace gpuledger::alerts
