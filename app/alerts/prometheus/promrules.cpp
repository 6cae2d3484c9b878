// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/prometheus/promrules.h"

#include "app/alerts/prometheus/promalert.h"
#include "app/alerts/prometheus/promrecords.h"
#include "app/alerts/prometheus/promtests.h"
#include "app/alerts/prometheus/promtext.h"

namespace gpuledger::alerts {

namespace {

std::string headOf(const RulesToExport &question)
{
    return "# Alert rules of GPU Ledger for the Prometheus of the source " + prom::commented(question.source.name)
        + ".\n# Prices, owner rules and the idle threshold are as of " + base::toRfc3339(question.at)
        + ": export again when they change.\n"
          "# Holders are those that the labels of dcgm-exporter name. MIG slices and GPUs of other exporters are not "
          "counted.\n"
          "# GPU Ledger keeps an alert firing while its value is unknown; Prometheus resolves it when samples are "
          "missing.\n"
          "# How much was observed (idle.observed) is not checked: Prometheus computes with the samples that it has.\n";
}

std::string recordYaml(const prom::Record &record)
{
    std::string out = "  - record: " + record.name + "\n    expr: |-\n" + prom::indented(record.expression, 6) + '\n';
    if (record.labels.empty())
        return out;
    std::string labels;
    for (const auto &[name, value] : record.labels)
        labels += (labels.empty() ? "" : ", ") + name + ": " + prom::inQuotes(value);
    return out + "    labels: { " + labels + " }\n";
}

} // namespace

ExportedRules exportedRules(const RulesToExport &question)
{
    ExportedRules out;
    std::vector<Rule> rules;
    std::set<prom::ScopeAmount> amounts;
    for (const Rule &rule : question.rules) {
        if (std::string reason = prom::whyNot(rule, question); !reason.empty()) {
            out.notExported.push_back({rule.name, std::move(reason)});
            continue;
        }
        for (const prom::ScopeAmount &one : prom::amountsOf(rule))
            amounts.insert(one);
        rules.push_back(rule);
        out.exported.push_back(rule.name);
    }
    out.rules = headOf(question);
    for (const NotExported &one : out.notExported)
        out.rules += "# not exported: " + prom::commented(one.rule) + ": " + prom::commented(one.reason) + '\n';
    out.rules += rules.empty() ? "groups: []\n" : "groups:\n- name: gpuledger\n  interval: 1m\n  rules:\n";
    for (const prom::Record &record : prom::recordsFor(question, amounts))
        out.rules += recordYaml(record);
    for (const Rule &rule : rules)
        out.rules += prom::alertYaml(rule, question.currency);
    out.tests = prom::testsYaml(question, rules, amounts);
    return out;
}

} // namespace gpuledger::alerts
