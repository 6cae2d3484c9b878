// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/rules/ownerrules.h"

#include "app/base/remedy.h"
#include "app/model/money/mangledlabel.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace gpuledger::ledger {

using model::OwnerRule;

struct OwnerRules::Private {
    std::vector<OwnerRule> rules;
    std::vector<std::string> keys; // mangled label keys, parallel to rules
    std::vector<std::unique_ptr<RE2>> expressions; // parallel; null where none
    std::vector<base::UtcTime> boundaries;
};

std::vector<std::string> nodePools(const model::Node &node)
{
    static constexpr std::array<std::string_view, 8> kPoolLabels{"node_pool",
                                                                 "nodepool",
                                                                 "cloud_google_com_gke_nodepool",
                                                                 "eks_amazonaws_com_nodegroup",
                                                                 "karpenter_sh_nodepool",
                                                                 "kubernetes_azure_com_agentpool",
                                                                 "agentpool",
                                                                 "pool"};
    std::vector<std::string> pools;
    for (const std::string_view label : kPoolLabels) {
        const auto it = node.labels.find(std::string(label));
        if (it != node.labels.end() && !it->second.empty())
            pools.push_back(it->second);
    }
    return pools;
}

namespace {

std::vector<OwnerRule> defaultRules()
{
    std::vector<OwnerRule> rules;
    for (const OwnerRule::Kind kind : {OwnerRule::Kind::Label, OwnerRule::Kind::NamespaceLabel}) {
        for (const char *key : {"team", "owner", "cost-center"}) {
            OwnerRule rule;
            rule.kind = kind;
            rule.key = key;
            rules.push_back(rule);
        }
    }
    OwnerRule byNamespace;
    byNamespace.kind = OwnerRule::Kind::Namespace;
    rules.push_back(byNamespace);
    return rules;
}

bool speaks(const OwnerRule &rule, base::UtcTime at)
{
    return (!rule.from || *rule.from <= at) && (!rule.until || at < *rule.until);
}

std::string valueOf(const model::Labels &labels, const std::string &key)
{
    const auto it = labels.find(key);
    return it == labels.end() ? std::string() : it->second;
}

RE2::Options expressionOptions()
{
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(1 << 20);
    return options;
}

// Users write named groups as (?<team>...), which RE2 knows as (?P<team>...).
std::string withEngineNames(std::string_view expression)
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

// The team that a rule yields for a value, or std::nullopt if the value does not match.
std::optional<std::string> teamFor(const OwnerRule &rule, const RE2 *expression, const std::string &value)
{
    if (value.empty())
        return std::nullopt;
    if (expression) {
        const auto &groups = expression->NamedCapturingGroups();
        const auto group = groups.find("team");
        const int count = expression->NumberOfCapturingGroups();
        std::vector<re2::StringPiece> found(static_cast<std::size_t>(count) + 1);
        if (!expression->Match(value, 0, value.size(), RE2::UNANCHORED, found.data(), count + 1))
            return std::nullopt;
        if (!rule.team.empty())
            return rule.team;
        if (group == groups.end())
            return value;
        const std::string team(found[static_cast<std::size_t>(group->second)]);
        return team.empty() ? std::nullopt : std::optional(team);
    }
    const bool matches = rule.pattern.empty()
        || (rule.match == OwnerRule::Match::Prefix ? value.starts_with(rule.pattern) : value == rule.pattern);
    if (!matches)
        return std::nullopt;
    return rule.team.empty() ? value : rule.team;
}

} // namespace

base::Result<OwnerRules> OwnerRules::create(std::vector<OwnerRule> rules)
{
    auto d = std::make_unique<Private>();
    d->rules = rules.empty() ? defaultRules() : std::move(rules);
    for (const OwnerRule &rule : d->rules) {
        d->keys.push_back(model::mangledLabel(rule.key));
        std::unique_ptr<RE2> expression;
        if (rule.match == OwnerRule::Match::Regex) {
            expression = std::make_unique<RE2>(withEngineNames(rule.pattern), expressionOptions());
            if (!expression->ok())
                return base::fail(base::ErrorCode::InvalidConfig,
                                  "owner rule \"" + describe(rule) + "\": " + expression->error(),
                                  base::Remedy::WriteOwnerExpression);
        }
        d->expressions.push_back(std::move(expression));
        for (const auto &edge : {rule.from, rule.until}) {
            if (edge)
                d->boundaries.push_back(*edge);
        }
    }
    std::sort(d->boundaries.begin(), d->boundaries.end());
    d->boundaries.erase(std::unique(d->boundaries.begin(), d->boundaries.end()), d->boundaries.end());
    return OwnerRules(std::move(d));
}

OwnerRules::OwnerRules(std::unique_ptr<Private> p)
    : d(std::move(p))
{
}
OwnerRules::~OwnerRules() = default;
OwnerRules::OwnerRules(OwnerRules &&) noexcept = default;
OwnerRules &OwnerRules::operator=(OwnerRules &&) noexcept = default;

OwnerRules::Match OwnerRules::ownerOf(const model::Holder &holder, const model::Node *node, base::UtcTime at) const
{
    for (std::size_t i = 0; i < d->rules.size(); ++i) {
        const OwnerRule &rule = d->rules[i];
        if (!speaks(rule, at))
            continue;
        std::optional<std::string> team;
        const RE2 *expression = d->expressions[i].get();
        switch (rule.kind) {
        case OwnerRule::Kind::Label:
            team = teamFor(rule, expression, valueOf(holder.labels, d->keys[i]));
            break;
        case OwnerRule::Kind::NamespaceLabel:
            team = teamFor(rule, expression, valueOf(holder.namespaceLabels, d->keys[i]));
            break;
        case OwnerRule::Kind::Namespace:
            team = teamFor(rule, expression, holder.nameSpace);
            break;
        case OwnerRule::Kind::NodePool:
            for (const std::string &pool : node ? nodePools(*node) : std::vector<std::string>()) {
                if (!team)
                    team = teamFor(rule, expression, pool);
            }
            break;
        case OwnerRule::Kind::CloudTag: // tags of other holders come with bills, not with telemetry
            if (holder.kind == model::SubjectKind::Machine)
                team = teamFor(rule, expression, valueOf(holder.labels, d->keys[i]));
            break;
        case OwnerRule::Kind::Account: // comes with bills
            break;
        case OwnerRule::Kind::Default:
            team = rule.team.empty() ? std::string(kUnowned) : rule.team;
            break;
        }
        if (team)
            return {*team, static_cast<int>(i)};
    }
    return {std::string(kUnowned), -1};
}

OwnerRules::Match OwnerRules::ownerOfNode(const model::Node *node, base::UtcTime at) const
{
    if (!node)
        return {std::string(kShared), -1};
    const std::vector<std::string> pools = nodePools(*node);
    for (std::size_t i = 0; i < d->rules.size(); ++i) {
        const OwnerRule &rule = d->rules[i];
        if (rule.kind != OwnerRule::Kind::NodePool || !speaks(rule, at))
            continue;
        for (const std::string &pool : pools) {
            if (const auto team = teamFor(rule, d->expressions[i].get(), pool))
                return {*team, static_cast<int>(i)};
        }
    }
    return {std::string(kShared), -1};
}

std::optional<OwnerRules::Match> OwnerRules::ownerOfBill(const model::BillLine &line, base::UtcTime at) const
{
    for (std::size_t i = 0; i < d->rules.size(); ++i) {
        const OwnerRule &rule = d->rules[i];
        if (!speaks(rule, at))
            continue;
        if (rule.kind == OwnerRule::Kind::CloudTag) {
            for (const auto &[key, value] : line.tags) {
                // Providers write the same key with different capitalization, and some with different separators.
                if (model::mangledLabel(key) != d->keys[i])
                    continue;
                if (auto team = teamFor(rule, d->expressions[i].get(), value))
                    return Match{std::move(*team), static_cast<int>(i)};
            }
        } else if (rule.kind == OwnerRule::Kind::Account) {
            for (const std::string *account :
                 {&line.subAccountId, &line.subAccountName, &line.billingAccountId, &line.billingAccountName}) {
                if (auto team = teamFor(rule, d->expressions[i].get(), *account))
                    return Match{std::move(*team), static_cast<int>(i)};
            }
        }
    }
    return std::nullopt;
}

std::optional<OwnerRules::ExpressionProblem> OwnerRules::problemOf(const std::string &expression)
{
    const RE2 engine(withEngineNames(expression), expressionOptions());
    if (engine.ok())
        return std::nullopt;
    ExpressionProblem problem{engine.error(), std::nullopt};
    const std::size_t at = expression.find(engine.error_arg());
    if (!engine.error_arg().empty() && at != std::string::npos)
        problem.offset = at;
    return problem;
}

const std::vector<OwnerRule> &OwnerRules::rules() const
{
    return d->rules;
}

const std::vector<base::UtcTime> &OwnerRules::boundaries() const
{
    return d->boundaries;
}

std::string OwnerRules::describe(const OwnerRule &rule)
{
    const std::string pattern = rule.pattern.empty() ? "" : " " + rule.pattern;
    switch (rule.kind) {
    case OwnerRule::Kind::Label:
        return "label " + rule.key + pattern;
    case OwnerRule::Kind::NamespaceLabel:
        return "namespace label " + rule.key + pattern;
    case OwnerRule::Kind::Namespace:
        return pattern.empty() ? "namespace name" : "namespace" + pattern;
    case OwnerRule::Kind::NodePool:
        return "node pool" + pattern;
    case OwnerRule::Kind::CloudTag:
        return "cloud tag " + rule.key + pattern;
    case OwnerRule::Kind::Account:
        return "account" + pattern;
    case OwnerRule::Kind::Default:
        return "default";
    }
    return "default";
}

} // namespace gpuledger::ledger
