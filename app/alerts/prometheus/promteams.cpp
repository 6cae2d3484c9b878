// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/prometheus/promteams.h"

#include "app/alerts/prometheus/promrecords.h"
#include "app/alerts/prometheus/promtext.h"
#include "app/model/money/mangledlabel.h"

#include <cctype>

namespace gpuledger::alerts::prom {

using model::OwnerRule;

namespace {

constexpr char kByHolder[] = "cluster, holder_namespace, holder_pod";

// Go knows named groups as (?P<team>…), as the engine's expressions do.
std::string goExpression(std::string_view expression)
{
    std::string out;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        if (expression[i] == '\\' && i + 1 < expression.size())
            out += expression[i++];
        else if (expression.substr(i).starts_with("(?<") && i + 3 < expression.size()
                 && std::isalpha(static_cast<unsigned char>(expression[i + 3])) != 0)
            out.append("(?P"), i += 2;
        out += expression[i];
    }
    return out;
}

// Of the whole value, as PromQL matches it; $1 is the value.
std::string regexOf(const OwnerRule &rule)
{
    if (rule.pattern.empty())
        return "(.+)";
    switch (rule.match) {
    case OwnerRule::Match::Exact:
        return '(' + exactly(rule.pattern) + ')';
    case OwnerRule::Match::Prefix:
        return '(' + exactly(rule.pattern) + ".*)";
    case OwnerRule::Match::Regex:
        break;
    }
    return "(.*?(?:" + goExpression(rule.pattern) + ").*)";
}

std::string teamOf(const OwnerRule &rule)
{
    if (!rule.team.empty())
        return literal(rule.team);
    const bool hasGroup = rule.match == OwnerRule::Match::Regex && regexOf(rule).find("(?P<team>") != std::string::npos;
    return hasGroup ? "${team}" : "$1";
}

std::string holders(const std::string &matchers = {})
{
    return "group by (" + std::string(kByHolder) + R"() (gpuledger:gpu_activity:avg5m{holder_pod!="")" + matchers
        + "})";
}

std::string named(const std::string &expression, const OwnerRule &rule, const std::string &label)
{
    return labelReplace(expression, "team", teamOf(rule), label, regexOf(rule));
}

std::string byLabel(const OwnerRule &rule, const ScrapedSource &source)
{
    const std::string label = "label_" + model::mangledLabel(rule.key);
    const std::string matchers = '{' + label + R"(!="",)" + label + "=~" + inQuotes(regexOf(rule)) + '}';
    if (rule.kind == OwnerRule::Kind::Label) {
        const std::string pods = withNamespace(
            copied(copied("kube_pod_labels" + matchers, "holder_pod", "pod"), "holder_pod", "exported_pod"));
        return "(group by (" + std::string(kByHolder) + ", team) (" + withCluster(named(pods, rule, label), source)
            + ")\n   and on (" + kByHolder + ") " + holders() + ')';
    }
    const std::string spaces = withNamespace("kube_namespace_labels" + matchers);
    return '(' + holders() + "\n   * on (cluster, holder_namespace) group_left (team)\n   "
        + "group by (cluster, holder_namespace, team) (" + withCluster(named(spaces, rule, label), source) + "))";
}

std::string described(const OwnerRule &rule)
{
    const std::string pattern = rule.pattern.empty() ? std::string() : ' ' + rule.pattern;
    switch (rule.kind) {
    case OwnerRule::Kind::Label:
        return "label " + rule.key + pattern;
    case OwnerRule::Kind::NamespaceLabel:
        return "namespace_label " + rule.key + pattern;
    case OwnerRule::Kind::NodePool:
        return "node_pool" + pattern;
    default:
        return "namespace" + pattern;
    }
}

// What tells nothing about a pod.
bool isOfBills(const OwnerRule &rule)
{
    return rule.kind == OwnerRule::Kind::CloudTag || rule.kind == OwnerRule::Kind::Account;
}

} // namespace

std::string teamProblem(const std::vector<OwnerRule> &rules)
{
    for (const OwnerRule &rule : rules) {
        if (isOfBills(rule))
            continue;
        if (rule.from || rule.until)
            return "the owner rule \"" + described(rule)
                + "\" applies for a limited time, which Prometheus cannot tell";
        if (rule.kind == OwnerRule::Kind::NodePool)
            return "the owner rule \"" + described(rule) + "\" goes by the machine and not by the pod";
        if (rule.kind == OwnerRule::Kind::Default)
            break;
    }
    return {};
}

std::string teamExpression(const RulesToExport &question)
{
    std::vector<std::string> parts;
    std::string rest = "unowned";
    for (const OwnerRule &rule : question.owners) {
        if (isOfBills(rule))
            continue;
        if (rule.kind == OwnerRule::Kind::Default) {
            rest = rule.team.empty() ? rest : rule.team;
            break;
        }
        if (rule.kind == OwnerRule::Kind::Namespace)
            parts.push_back(named(holders(R"(,holder_namespace!="",holder_namespace=~)" + inQuotes(regexOf(rule))),
                                  rule, "holder_namespace"));
        else
            parts.push_back(byLabel(rule, question.source));
    }
    parts.push_back(labelReplace(holders(), "team", literal(rest), "holder_pod", ".*"));
    return joined(parts, "or on (" + std::string(kByHolder) + ")");
}

} // namespace gpuledger::alerts::prom
