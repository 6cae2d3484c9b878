// SPDX-License-Identifier: GPL-3.0-or-later
// Details of an entry: state, kind, target, and where there are any owner, day, reason, team, currency, resources and
// projected (p10, p50, p90 per month). Its object is the id of the proposal.
#include "app/services/savings/savingschoices.h"

#include "app/base/text/text.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsfacts.h"
#include "app/services/savings/savingsservice.h"
#include "app/store/months/monthstore.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using savings::Choice;
using savings::ChoiceDraft;
using savings::ChoiceState;
using savings::MoneyBand;
using savings::Proposal;
using ChoiceJson = nlohmann::ordered_json;

namespace {

std::string choiceText(const ChoiceJson &json, const char *key)
{
    const auto it = json.is_object() ? json.find(key) : json.end();
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::optional<MoneyBand> choiceBand(const ChoiceJson &json, const std::string &code)
{
    const auto currency = base::Currency::parse(code);
    const auto it = json.is_object() ? json.find("projected") : json.end();
    if (!currency || it == json.end())
        return std::nullopt;
    const auto p10 = base::Money::parse(choiceText(*it, "p10"), *currency);
    const auto p50 = base::Money::parse(choiceText(*it, "p50"), *currency);
    const auto p90 = base::Money::parse(choiceText(*it, "p90"), *currency);
    if (!p10 || !p50 || !p90)
        return std::nullopt;
    return MoneyBand{*p10, *p50, *p90};
}

std::optional<Choice> choiceOf(const store::AuditEntry &entry)
{
    const ChoiceJson json = ChoiceJson::parse(entry.event.details, nullptr, false);
    const auto state = savings::choiceStateFrom(choiceText(json, "state"));
    const auto kind = savings::kindFrom(choiceText(json, "kind"));
    const auto day = base::parseTime(choiceText(json, "day"));
    const bool needsDay = state == ChoiceState::Accepted || state == ChoiceState::Later;
    if (!state || !kind || (needsDay && !day))
        return std::nullopt;
    Choice out;
    out.id = entry.sequence;
    out.at = out.since = entry.event.at;
    out.by = entry.event.actor;
    out.draft.proposal = entry.event.object;
    out.draft.state = *state;
    out.draft.owner = choiceText(json, "owner");
    out.draft.reason = choiceText(json, "reason");
    if (needsDay)
        out.draft.day = base::dayOf(*day);
    out.kind = *kind;
    out.target = choiceText(json, "target");
    out.team = choiceText(json, "team");
    out.currency = choiceText(json, "currency");
    out.projected = choiceBand(json, out.currency);
    if (const auto list = json.find("resources"); list != json.end() && list->is_array()) {
        for (const ChoiceJson &one : *list)
            out.resources.push_back(one.is_string() ? one.get<std::string>() : std::string());
    }
    return out;
}

const Choice *choiceAbout(const std::vector<Choice> &choices, const std::string &proposal)
{
    const auto it =
        std::find_if(choices.begin(), choices.end(), [&](const Choice &one) { return one.draft.proposal == proposal; });
    return it == choices.end() ? nullptr : &*it;
}

// `now` as it follows on what was in force before it; null: nothing was.
Choice following(const Choice *earlier, Choice now)
{
    if (earlier == nullptr || earlier->draft.state != ChoiceState::Accepted || now.draft.state != ChoiceState::Accepted)
        return now;
    now.since = earlier->since;
    now.resources = earlier->resources;
    now.currency = earlier->currency;
    now.projected = earlier->projected;
    return now;
}

// Ids of devices as names; what is no id of a device stays.
Result<void> nameDevices(std::vector<std::string> &resources, store::LedgerStore &cache)
{
    const auto isId = [](const std::string &one) { return base::parseInt(one).has_value(); };
    if (std::none_of(resources.begin(), resources.end(), isId))
        return {};
    const auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    const auto devices = (*facts)->devices();
    GPULEDGER_TRY(devices);
    std::map<std::string, std::string> names;
    for (const model::Device &one : *devices)
        names.emplace(std::to_string(one.id.value), deviceResource(one));
    for (std::string &one : resources) {
        if (const auto found = names.find(one); found != names.end())
            one = found->second;
    }
    return {};
}

// What is needed of a proposal that is no longer in the list.
Proposal proposalOf(const Choice &choice)
{
    Proposal out;
    out.id = choice.draft.proposal;
    out.kind = choice.kind;
    out.target = choice.target;
    out.owner = choice.team;
    out.currency = choice.currency;
    out.resources = choice.resources;
    out.perMonth = choice.projected;
    return out;
}

Result<void> mayChoose(const ChoiceDraft &draft, base::UtcTime now, const base::TimeZone &zone)
{
    const base::Day today{zone.localDay(now)};
    if (draft.state == ChoiceState::Later && !savings::isInForce(draft, today))
        return base::fail(ErrorCode::InvalidArgument, "a proposal can be put off only until a day after today",
                          "today is " + insight::dayText(today) + " (" + zone.name() + ")");
    return {};
}

Result<Proposal> proposalToChoose(const ChoiceDraft &draft, const savings::SavingsList &list, const Choice *earlier)
{
    const auto it = std::find_if(list.items.begin(), list.items.end(),
                                 [&](const Proposal &one) { return one.id == draft.proposal; });
    const std::string quoted = '"' + base::printable(draft.proposal, 200) + '"';
    const bool isOpen = earlier == nullptr || earlier->draft.state == ChoiceState::Open;
    if (draft.state == ChoiceState::Open && isOpen)
        return base::fail(ErrorCode::NotFound, "there is no choice about " + quoted + " to take back");
    if (it != list.items.end())
        return *it;
    if (draft.state == ChoiceState::Open)
        return proposalOf(*earlier);
    return base::fail(ErrorCode::NotFound, "there is no proposal " + quoted,
                      "the list of " + std::to_string(list.items.size()) + " proposals has their ids");
}

} // namespace

std::string deviceResource(const model::Device &device)
{
    return "gpu:" + device.cluster + '/' + device.uuid;
}

store::AuditEvent choiceEvent(const ChoiceDraft &draft, const Proposal &proposal, base::UtcTime at, std::string by)
{
    ChoiceJson json{{"state", std::string(toString(draft.state))},
                    {"kind", std::string(toString(proposal.kind))},
                    {"target", proposal.target}};
    const auto add = [&](const char *key, const std::string &text) {
        if (!text.empty())
            json[key] = text;
    };
    add("owner", draft.owner);
    add("day", draft.day ? insight::dayText(*draft.day) : std::string());
    add("reason", draft.reason);
    add("team", proposal.owner);
    add("currency", proposal.currency);
    if (!proposal.resources.empty())
        json["resources"] = proposal.resources;
    const auto counts = savings::countsWith(proposal);
    if (const auto &band = counts ? counts : proposal.perMonth)
        json["projected"] = {
            {"p10", band->p10.toDecimal()}, {"p50", band->p50.toDecimal()}, {"p90", band->p90.toDecimal()}};
    return {at, std::move(by), store::kChooseSaving, proposal.id,
            json.dump(-1, ' ', false, ChoiceJson::error_handler_t::replace)};
}

std::vector<Choice> choicesOf(const std::vector<store::AuditEntry> &log)
{
    std::map<std::string, Choice> newest;
    for (const store::AuditEntry &entry : log) {
        if (entry.event.action != store::kChooseSaving)
            continue;
        if (auto choice = choiceOf(entry)) {
            const auto at = newest.find(entry.event.object);
            newest[entry.event.object] = following(at == newest.end() ? nullptr : &at->second, std::move(*choice));
        }
    }
    std::vector<Choice> out;
    out.reserve(newest.size());
    for (auto &[proposal, choice] : newest)
        out.push_back(std::move(choice));
    std::sort(out.begin(), out.end(), [](const Choice &a, const Choice &b) { return a.id < b.id; });
    return out;
}

void excludeChosen(std::vector<Proposal> &proposals, const std::vector<Choice> &choices, base::Day today)
{
    std::map<std::string_view, const Choice *> byProposal;
    for (const Choice &one : choices)
        byProposal.emplace(one.draft.proposal, &one);
    for (Proposal &proposal : proposals) {
        const auto found = byProposal.find(proposal.id);
        if (found == byProposal.end() || proposal.excludedBy)
            continue;
        const ChoiceDraft &draft = found->second->draft;
        if (!savings::isInForce(draft, today))
            continue;
        if (draft.state == ChoiceState::Dismissed)
            proposal.excludedBy = savings::Remark{savings::RemarkText::Dismissed, {savings::textTerm(draft.reason)}};
        else if (draft.state == ChoiceState::Later)
            proposal.excludedBy = savings::Remark{savings::RemarkText::PutOff, {savings::dayTerm(draft.day->start())}};
    }
}

Result<Choice> SavingsService::choose(const ChoiceDraft &draft, const savings::SavingsList &list)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    const auto kept = savings::checked(draft);
    GPULEDGER_TRY(kept);
    const base::UtcTime now = m_engine.clock().now();
    GPULEDGER_TRY(mayChoose(*kept, now, m_engine.setup().zone));
    const auto earlier = choices();
    GPULEDGER_TRY(earlier);
    const Choice *const before = choiceAbout(*earlier, kept->proposal);
    auto proposal = proposalToChoose(*kept, list, before);
    GPULEDGER_TRY(proposal);
    GPULEDGER_TRY(nameDevices(proposal->resources, m_engine.cache()));
    const auto generation = m_engine.cache().generation();
    GPULEDGER_TRY(generation);
    const auto entry = m_engine.cache().months().note(choiceEvent(*kept, *proposal, now, m_engine.actor()),
                                                      [](const auto &) { return true; });
    GPULEDGER_TRY(entry);
    // Every write that counts raises it by one, so if it rose by one, this entry was the only write.
    if (const auto risen = m_engine.cache().generation(); risen && *risen == *generation + 1)
        m_facts->keepThrough(*generation, *risen);
    const auto made = *entry ? choiceOf(**entry) : std::nullopt;
    if (!made)
        return base::fail(ErrorCode::Internal, "the choice was recorded, but can't be read back");
    return following(before, *made);
}

Result<std::vector<Choice>> SavingsService::choices()
{
    const auto log = m_engine.cache().months().audit();
    GPULEDGER_TRY(log);
    return choicesOf(*log);
}

} // namespace gpuledger::services
