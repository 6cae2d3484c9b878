// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/rules/ownerrules.h"
#include "app/services/config/confignode.h"

#include <array>

namespace gpuledger::services {

namespace {

using model::OwnerRule;

constexpr std::array<std::pair<std::string_view, OwnerRule::Kind>, 7> kOwnerKinds{{
    {"label", OwnerRule::Kind::Label},
    {"namespace_label", OwnerRule::Kind::NamespaceLabel},
    {"namespace", OwnerRule::Kind::Namespace},
    {"node_pool", OwnerRule::Kind::NodePool},
    {"cloud_tag", OwnerRule::Kind::CloudTag},
    {"account", OwnerRule::Kind::Account},
    {"default", OwnerRule::Kind::Default},
}};

// "label: team" uses the label's value as the team; "label: { app: shop }" requires a value.
void readSubject(const ConfigValue &value, OwnerRule &rule)
{
    const bool named = rule.kind == OwnerRule::Kind::Label || rule.kind == OwnerRule::Kind::NamespaceLabel
        || rule.kind == OwnerRule::Kind::CloudTag;
    if (named && value.node.IsMap()) {
        const auto labels = value.labels("{ app: shop }");
        if (labels && labels->size() == 1) {
            rule.key = labels->begin()->first;
            rule.pattern = labels->begin()->second;
        } else if (labels) {
            value.problem("must be a single label, for example { app: shop }");
        }
        return;
    }
    const auto text = value.text(named ? "team" : "research");
    if (!text)
        return;
    if (rule.kind == OwnerRule::Kind::Default)
        rule.team = *text;
    else
        (named ? rule.key : rule.pattern) = *text;
}

void readMatch(ConfigMap &map, OwnerRule &rule)
{
    const auto regex = map.take("regex");
    const auto prefix = map.take("prefix");
    const bool isRegex = regex && regex->boolean().value_or(false);
    const bool isPrefix = prefix && prefix->boolean().value_or(false);
    if (isRegex && isPrefix)
        prefix->problem("can't be combined with regex: true; keep one of the two");
    rule.match = isRegex ? OwnerRule::Match::Regex : isPrefix ? OwnerRule::Match::Prefix : OwnerRule::Match::Exact;
    const ConfigValue &whole = map.value();
    if (rule.match != OwnerRule::Match::Exact && rule.pattern.empty()) {
        whole.problem("needs a pattern; write, for example, label: { app: \"^ml-\" }");
    } else if (isRegex) {
        if (const auto checked = ledger::OwnerRules::create({rule}); !checked)
            regex->problem(checked.error().text + (checked.error().hint.empty() ? "" : "; " + checked.error().hint));
    }
}

} // namespace

OwnerRule readOwner(const ConfigValue &value, const std::vector<model::AlertTarget> &targets)
{
    OwnerRule rule;
    ConfigMap map(value, "{ label: team }");
    if (!map.valid())
        return rule;
    int subjects = 0;
    for (const auto &[key, kind] : kOwnerKinds) {
        if (const auto subject = map.take(key)) {
            rule.kind = kind;
            if (++subjects == 1)
                readSubject(*subject, rule);
        }
    }
    std::vector<std::string> names;
    for (const auto &[key, kind] : kOwnerKinds)
        names.emplace_back(key);
    if (subjects > 1)
        value.problem("has more than one of " + joined(names) + "; write one rule for each");
    if (const auto team = map.take("team"))
        rule.team = team->text("research").value_or("");
    readMatch(map, rule);
    if (const auto from = map.take("from"))
        rule.from = from->time();
    if (const auto until = map.take("until")) {
        rule.until = until->time();
        if (rule.from && rule.until && *rule.until <= *rule.from)
            until->problem("must be after from");
    }
    if (const auto send = map.take("send")) {
        rule.send = readSend(*send, targets);
        if (rule.team.empty())
            send->problem("goes only with team, whose alerts these targets get; for other teams, write routes");
        else if (rule.send.empty())
            send->problem("must name a target, such as [oncall]");
    }
    map.finish();
    // After finish(), so that a misspelt "labl" is reported first.
    if (subjects == 0)
        value.problem("must have one of " + joined(names));
    const bool fixed = rule.kind == OwnerRule::Kind::NodePool || rule.kind == OwnerRule::Kind::Account;
    if (subjects == 1 && fixed && rule.team.empty())
        value.problem("needs the team that owns the workloads, for example team: research");
    return rule;
}

namespace {

void readWhere(ConfigMap &map, model::Labels &labels, std::string &nameSpace)
{
    if (const auto label = map.take("label"))
        labels = label->labels("{ app.kubernetes.io/component: notebook }").value_or(model::Labels{});
    if (const auto space = map.take("namespace"))
        nameSpace = space->text("kube-system").value_or("");
    if (!map.has("label") && !map.has("namespace"))
        map.value().problem("must say what it applies to: label: { NAME: VALUE } or namespace: NAME");
}

std::vector<std::string> workloadNames()
{
    std::vector<std::string> names;
    for (const auto kind :
         {model::WorkloadKind::Notebook, model::WorkloadKind::Development, model::WorkloadKind::Training,
          model::WorkloadKind::Batch, model::WorkloadKind::Inference, model::WorkloadKind::Unknown})
        names.emplace_back(model::toString(kind));
    return names;
}

} // namespace

model::WorkloadRule readWorkload(const ConfigValue &value)
{
    model::WorkloadRule rule;
    ConfigMap map(value, "{ label: { app.kubernetes.io/component: notebook }, kind: notebook }");
    if (!map.valid())
        return rule;
    readWhere(map, rule.labels, rule.nameSpace);
    if (const auto kind = map.require("kind", "kind: notebook")) {
        if (const auto name = kind->choice(workloadNames()))
            rule.kind = model::workloadKindFromString(*name).value_or(model::WorkloadKind::Unknown);
    }
    map.finish();
    return rule;
}

void readIdle(const ConfigValue &value, model::IdleSettings &idle)
{
    ConfigMap map(value, "{ threshold: 0.05 }");
    if (!map.valid())
        return;
    if (const auto threshold = map.take("threshold"))
        idle.threshold = threshold->number(0, 1).value_or(idle.threshold);
    if (const auto observed = map.take("observed"))
        idle.observed = observed->number(0, 1).value_or(idle.observed);
    if (const auto grace = map.take("grace")) {
        ConfigMap windows(*grace, "{ notebook: 1h }");
        for (const std::string &name : workloadNames()) {
            const auto window = windows.take(name);
            const auto length = window ? window->duration() : std::nullopt;
            if (length && (*length < base::kBucket || *length > 90 * base::kDay))
                window->problem("must be from 5m to 90d");
            else if (length) {
                const model::WorkloadKind kind = *model::workloadKindFromString(name);
                idle.grace[kind] = *length;
                idle.graceMeasured.erase(kind);
            }
        }
        windows.finish();
    }
    if (const auto protect = map.take("protect")) {
        for (const ConfigValue &one : protect->list("[ { namespace: kube-system } ]")) {
            model::ProtectRule rule;
            ConfigMap fields(one, "{ namespace: kube-system }");
            if (!fields.valid())
                continue;
            readWhere(fields, rule.labels, rule.nameSpace);
            fields.finish();
            idle.protect.push_back(rule);
        }
    }
    map.finish();
}

} // namespace gpuledger::services
