// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/savings/savingschoices.h"
#include "ui/viewmodels/savings/savingssnapshot.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// Proposals made by hand, and a desk that answers with them, for tests of the Savings page. Any thread.
namespace gpuledger::tests {

inline constexpr std::int64_t kSampleNow = 1'790'000'100; // 2026-09-21

inline base::Money usd(std::int64_t units)
{
    return {units * base::Money::kNanosPerUnit, base::Currency::usd()};
}

inline savings::Proposal sampleProposal(savings::Kind kind, const std::string &target, std::int64_t perMonth)
{
    savings::Proposal one;
    one.kind = kind;
    one.target = target;
    one.id = std::string(savings::toString(kind)) + ':' + target;
    one.owner = "vision";
    one.currency = "USD";
    one.perMonth = savings::MoneyBand{usd(perMonth / 2), usd(perMonth), usd(2 * perMonth)};
    one.avoidable = usd(4 * perMonth);
    one.assumptions = {{"scale-down-delay", "1h"}};
    one.how = "kubectl scale --replicas=0 deploy/" + target;
    one.resources = {target + "-device"};
    return one;
}

// Two lines over two hours.
inline savings::ProposalCurve sampleCurve()
{
    savings::ProposalCurve curve;
    curve.shape = savings::ProposalCurve::Shape::Hours;
    curve.title = {savings::RemarkText::CurveOfNodes, {}};
    curve.xAxis = {{savings::RemarkText::CurveTime, {}}, savings::CurveUnit::Time, {}};
    curve.yAxis = {{savings::RemarkText::CurveNodes, {}}, savings::CurveUnit::Nodes, {}};
    curve.x = {static_cast<double>(kSampleNow) - 7200, static_cast<double>(kSampleNow) - 3600};
    curve.lines = {{{savings::RemarkText::CurvePresent, {}}, {4, 4}},
                   {{savings::RemarkText::CurveSufficed, {}}, {3, 1}}};
    return curve;
}

// Two that count, of two teams, and one whose resource is counted already.
inline savings::SavingsList sampleList()
{
    std::vector<savings::Proposal> all{sampleProposal(savings::Kind::Capacity, "pool-a", 1000),
                                       sampleProposal(savings::Kind::Schedule, "notebook-7", 300),
                                       sampleProposal(savings::Kind::RightSize, "train-b", 200)};
    all[1].owner = "research";
    all[2].resources = all[0].resources;
    const base::UtcTime end = base::fromUnix(kSampleNow / 3600 * 3600);
    return savings::withoutDoubleCounting({end - 28 * base::kDay, end}, std::move(all)); // a pure function
}

// What the page was asked, and what it is answered. The desk shares it.
struct SampleAnswers {
    std::mutex mutex; // of what follows
    savings::SavingsList list = sampleList();
    std::vector<savings::Choice> choices;
    std::vector<savings::Realized> realized;
    std::optional<base::Error> error; // of the list
    std::optional<base::Error> refusal; // of a choice
    bool isReadOnly = false, isEmpty = false;
    std::map<std::string, savings::ProposalCurve> curves; // by proposal; the others have none
    std::optional<base::Error> curveError;
    std::vector<savings::Scenario> scenarios;
    std::vector<services::SavingsQuery> asked, askedCurves;
    std::vector<savings::ChoiceDraft> drafts;
    std::atomic<bool> holds{false}; // answers wait until it is false
    std::atomic<bool> holdsCurves{false};
};

// As the service does it: what was dismissed or put off leaves its resources to others.
inline savings::SavingsList answeredList(const SampleAnswers &answers)
{
    std::vector<savings::Proposal> items = answers.list.items;
    for (savings::Proposal &one : items) {
        if (one.excludedBy && one.excludedBy->text == savings::RemarkText::CountedAlready)
            one.excludedBy.reset();
    }
    services::excludeChosen(items, answers.choices, base::dayOf(base::fromUnix(kSampleNow)));
    return savings::withoutDoubleCounting(answers.list.range, std::move(items));
}

inline ui::SavingsDesk sampleDesk(const std::shared_ptr<SampleAnswers> &answers)
{
    ui::SavingsDesk desk;
    desk.frame = [answers](const ui::TimeChoice &) -> base::Result<ui::SavingsFrame> {
        const std::lock_guard lock(answers->mutex);
        ui::SavingsFrame frame;
        if (!answers->isEmpty)
            frame.covered = frame.range = answers->list.range;
        frame.asked = base::fromUnix(kSampleNow);
        frame.sources = {"prometheus"};
        frame.isReadOnly = answers->isReadOnly;
        return frame;
    };
    desk.savings = [answers](const services::SavingsQuery &query,
                             const std::stop_token &stop) -> base::Result<savings::SavingsList> {
        {
            const std::lock_guard lock(answers->mutex);
            answers->asked.push_back(query);
        }
        while (answers->holds && !stop.stop_requested())
            std::this_thread::yield();
        const std::lock_guard lock(answers->mutex);
        if (answers->error)
            return base::fail(*answers->error);
        return answeredList(*answers);
    };
    desk.curve = [answers](const services::SavingsQuery &query, const std::string &proposal,
                           const std::stop_token &stop) -> base::Result<std::optional<savings::ProposalCurve>> {
        while (answers->holdsCurves && !stop.stop_requested())
            std::this_thread::yield();
        const std::lock_guard lock(answers->mutex);
        answers->askedCurves.push_back(query);
        if (answers->curveError)
            return base::fail(*answers->curveError);
        const auto found = answers->curves.find(proposal);
        return found == answers->curves.end() ? std::optional<savings::ProposalCurve>() : std::optional(found->second);
    };
    desk.choices = [answers]() -> base::Result<std::vector<savings::Choice>> {
        const std::lock_guard lock(answers->mutex);
        return answers->choices;
    };
    desk.realized = [answers](model::CostView,
                              const std::stop_token &) -> base::Result<std::vector<savings::Realized>> {
        const std::lock_guard lock(answers->mutex);
        return answers->realized;
    };
    desk.scenarios = [answers]() -> base::Result<std::vector<savings::Scenario>> {
        const std::lock_guard lock(answers->mutex);
        return answers->scenarios;
    };
    desk.saveScenario = [answers](const std::string &name,
                                  const savings::Assumptions &values) -> base::Result<savings::Scenario> {
        const auto kept = savings::scenarioName(name);
        GPULEDGER_TRY(kept);
        const std::lock_guard lock(answers->mutex);
        std::erase_if(answers->scenarios, [&](const savings::Scenario &one) { return one.name == *kept; });
        return answers->scenarios.emplace_back(savings::Scenario{*kept, values, {}});
    };
    desk.removeScenario = [answers](const std::string &name) -> base::Result<void> {
        const std::lock_guard lock(answers->mutex);
        if (std::erase_if(answers->scenarios, [&](const savings::Scenario &one) { return one.name == name; }) == 0)
            return base::fail(base::ErrorCode::NotFound, "there is no such scenario", "see the list");
        return {};
    };
    desk.choose = [answers](const savings::ChoiceDraft &draft,
                            const savings::SavingsList &list) -> base::Result<savings::Choice> {
        const std::lock_guard lock(answers->mutex);
        answers->drafts.push_back(draft);
        if (answers->refusal)
            return base::fail(*answers->refusal);
        savings::Choice choice;
        choice.id = static_cast<std::int64_t>(answers->choices.size()) + 1;
        choice.draft = draft;
        for (const savings::Proposal &one : list.items) {
            if (one.id == draft.proposal) {
                choice.target = one.target;
                choice.projected = one.perMonth;
            }
        }
        std::erase_if(answers->choices,
                      [&](const savings::Choice &old) { return old.draft.proposal == draft.proposal; });
        answers->choices.push_back(choice);
        return choice;
    };
    return desk;
}

} // namespace gpuledger::tests
