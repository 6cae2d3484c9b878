// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/survey/tagsurvey.h"

#include "app/ledger/attribution/cubebuilder.h"
#include "app/ledger/rules/ownerrules.h"
#include "app/model/fleet/kindname.h"
#include "app/model/money/mangledlabel.h"
#include "app/store/values/billed.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace gpuledger::ledger {

using base::Money;
using base::Result;

namespace {

constexpr int kNoMachine = -1;

Result<void> addNanos(Money &sum, std::int64_t nanos)
{
    const auto all = sum.plus(Money(nanos, sum.currency()));
    GPULEDGER_TRY(all);
    sum = *all;
    return {};
}

} // namespace

bool tellsTeams(std::string_view mangledKey)
{
    // Words that are part of a domain ("kubeflow_org") do not count.
    static constexpr std::array<std::string_view, 13> kWords{
        "team",    "owner",  "cost",     "costcenter", "department",   "dept",      "squad",
        "project", "tenant", "business", "division",   "organization", "chargeback"};
    for (std::size_t at = 0; at <= mangledKey.size();) {
        const std::size_t end = std::min(mangledKey.find('_', at), mangledKey.size());
        if (std::find(kWords.begin(), kWords.end(), mangledKey.substr(at, end - at)) != kWords.end())
            return true;
        at = end + 1;
    }
    return false;
}

// Collects the additions to the ledger's lines that come from bills.
class TagSurvey::Taking {
public:
    Taking(TagSurvey &survey, const FleetIndex &index, std::stop_token stop)
        : m_survey(survey)
        , m_index(index)
        , m_stop(std::move(stop))
    {
        for (std::size_t i = 0; i < index.holders.size(); ++i) {
            const model::Holder &h = index.holders[i].facts;
            m_holders.try_emplace({h.cluster, h.nameSpace, model::workloadOf(h.kind, h.ownerName, h.name)}, i);
        }
    }

    Result<void> add(const LedgerPart &part)
    {
        if (m_stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        if (!part.bill || part.key->currency != m_survey.m_currency || part.amounts.effective == 0)
            return {};
        std::int64_t &sum = m_survey.m_claims[{lineOf(*part.bill->line), whoOf(part), part.day.number}];
        return store::addAmount(sum, part.amounts.effective);
    }

private:
    using Names = std::tuple<std::string, std::string, std::string>; // cluster, namespace, workload

    std::size_t lineOf(const model::BillLine &line)
    {
        model::BillLine kept;
        kept.tags = line.tags;
        kept.billingAccountId = line.billingAccountId;
        kept.billingAccountName = line.billingAccountName;
        kept.subAccountId = line.subAccountId;
        kept.subAccountName = line.subAccountName;
        const auto [at, isNew] = m_lines.try_emplace(
            {kept.tags, kept.billingAccountId, kept.billingAccountName, kept.subAccountId, kept.subAccountName},
            m_survey.m_lines.size());
        if (isNew)
            m_survey.m_lines.push_back(std::move(kept));
        return at->second;
    }

    int whoOf(const LedgerPart &part)
    {
        if (!part.node)
            return kNoMachine;
        const model::LedgerKey &key = *part.key;
        const bool isFree = key.workload.empty();
        const int node = nodeOf(part.node->node);
        // Unallocated time is identified by its node, a holder by its names: a workload runs on many nodes.
        const auto [at, isNew] =
            m_who.try_emplace({isFree ? node : -2, {part.node->cluster, key.nameSpace, key.workload}},
                              static_cast<int>(m_survey.m_who.size()));
        if (isNew)
            m_survey.m_who.push_back(isFree ? Who{true, {}, node} : holderOf(at->first.second, node));
        return at->second;
    }

    Who holderOf(const Names &names, int node) const
    {
        Who who{false, {}, node};
        if (const auto known = m_holders.find(names); known != m_holders.end()) {
            who.holder = m_index.holders[known->second].facts;
            return who;
        }
        std::tie(who.holder.cluster, who.holder.nameSpace, who.holder.name) = names; // only the exporter's labels
        const auto [kind, name] = model::fromShownName(std::get<2>(names));
        who.holder.kind = kind;
        who.holder.name = name;
        return who;
    }

    int nodeOf(const model::Node *node)
    {
        if (!node)
            return -1;
        const auto [at, isNew] = m_nodes.try_emplace(node->id.value, static_cast<int>(m_survey.m_nodes.size()));
        if (isNew)
            m_survey.m_nodes.push_back(*node);
        return at->second;
    }

    TagSurvey &m_survey;
    const FleetIndex &m_index;
    std::stop_token m_stop;
    std::map<Names, std::size_t> m_holders;
    std::map<std::tuple<model::Labels, std::string, std::string, std::string, std::string>, std::size_t> m_lines;
    std::map<std::pair<int, Names>, int> m_who;
    std::map<std::int64_t, int> m_nodes;
};

Result<std::shared_ptr<const TagSurvey>> TagSurvey::take(const CubeBuilder &ledger, store::FactReader &facts,
                                                         base::TimeRange range, base::Currency currency,
                                                         const std::stop_token &stop)
{
    auto survey = std::make_shared<TagSurvey>();
    survey->m_currency = currency;
    if (range.empty())
        return survey;
    const auto index = FleetIndex::load(facts, range);
    GPULEDGER_TRY(index);
    Taking taking(*survey, *index, stop);
    GPULEDGER_TRY(ledger.ledgerLines(
        base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}), {.workloads = true}, facts,
        [](base::Day, const model::LedgerKey &, const model::LedgerAmounts &) { return Result<void>(); },
        [&](const LedgerPart &part) { return taking.add(part); }));
    return survey;
}

Result<TagPreview> TagSurvey::preview(const OwnerRules &rules) const
{
    struct Sum {
        TagPreview::Tag tag;
        std::set<std::string> values;
    };
    const Money zero(0, m_currency);
    TagPreview out{zero, zero, std::vector<Money>(rules.rules().size() + 1, zero), {}};
    std::map<std::string, Sum> tags; // providers write the same key in several ways
    // As in LedgerDays: what a bill says applies only where no other rule names an owner.
    const auto ownerOf = [&](std::size_t line, int who, base::UtcTime at) {
        OwnerRules::Match match{std::string(kUnowned), -1};
        if (who != kNoMachine) {
            const Who &one = m_who[static_cast<std::size_t>(who)];
            const model::Node *node = one.node < 0 ? nullptr : &m_nodes[static_cast<std::size_t>(one.node)];
            match = one.isFree ? rules.ownerOfNode(node, at) : rules.ownerOf(one.holder, node, at);
            if (match.team != kUnowned && match.team != kShared)
                return match;
        }
        return rules.ownerOfBill(m_lines[line], at).value_or(match);
    };
    for (const auto &[claim, nanos] : m_claims) {
        const auto &[line, who, day] = claim;
        const OwnerRules::Match owner = ownerOf(line, who, base::Day{day}.start());
        const bool unowned = owner.team == kUnowned;
        GPULEDGER_TRY(addNanos(out.all, nanos));
        GPULEDGER_TRY(
            addNanos(owner.rule < 0 ? out.rules.back() : out.rules[static_cast<std::size_t>(owner.rule)], nanos));
        if (unowned)
            GPULEDGER_TRY(addNanos(out.unowned, nanos));
        std::set<std::string> seen;
        for (const auto &[key, value] : m_lines[line].tags) {
            const std::string mangled = model::mangledLabel(key);
            if (value.empty() || !tellsTeams(mangled) || !seen.insert(mangled).second)
                continue;
            Sum &sum = tags.try_emplace(mangled, Sum{{key, zero, zero, 0}, {}}).first->second;
            GPULEDGER_TRY(addNanos(sum.tag.carried, nanos));
            if (unowned)
                GPULEDGER_TRY(addNanos(sum.tag.unowned, nanos));
            sum.values.insert(value);
        }
    }
    for (auto &[mangled, sum] : tags) {
        sum.tag.values = sum.values.size();
        out.tags.push_back(std::move(sum.tag));
    }
    std::stable_sort(out.tags.begin(), out.tags.end(), [](const TagPreview::Tag &a, const TagPreview::Tag &b) {
        return std::pair(a.unowned.nanos(), a.carried.nanos()) > std::pair(b.unowned.nanos(), b.carried.nanos());
    });
    return out;
}

} // namespace gpuledger::ledger
