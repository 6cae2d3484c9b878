// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/costview.h"
#include "app/savings/assumptions/assumptions.h"
#include "app/savings/assumptions/scenario.h"
#include "app/savings/prices/pricequote.h"
#include "app/savings/proposals/basis.h"
#include "app/savings/proposals/choice.h"
#include "app/savings/proposals/curve.h"
#include "app/savings/proposals/proposal.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

class ActionService;
class Engine;
class SavingsFacts;
struct ActFacts;
struct KeptCheck;
class RealizedMemo;
struct RealizedPasts;

struct SavingsQuery {
    std::optional<savings::Kind> kind; // std::nullopt: all
    std::optional<base::TimeRange> range; // std::nullopt: the last 28 days of the data; cut to the data and whole hours
    model::CostView cost = model::CostView::Effective;
    savings::Assumptions assumptions; // chosen; the defaults are always those of the configuration
    // The user's offers, of which those of commitments are used; null: none. Another object is another question.
    std::shared_ptr<const savings::QuoteList> own = nullptr;
};

// Answers what could be saved. `engine` must outlive it. Every function blocks and must be called from a worker
// thread; any thread. Fails with InvalidArgument (a range without data), Cancelled, Overflow and Storage… codes.
class SavingsService {
public:
    // `onlyFacts`: for a proof, which reads the facts of every day, not what is stored of it.
    explicit SavingsService(Engine &engine, bool onlyFacts = false);

    // The proposals of one kind, or of all kinds. Those of one kind are compared with all the others before the rest is
    // left out, so that an item says the same in both lists. What was dismissed or put off does not count. The facts of
    // the newest range are kept, so that another question about it that changes only the assumptions does not read them
    // again.
    [[nodiscard]] base::Result<savings::SavingsList> savings(const SavingsQuery &query,
                                                             const std::stop_token &stop = {});

    // Stores what savings() needs of the last 90 complete days, as it would itself, so that the next question is quick;
    // for after a sync. A day of 10,000 GPUs takes about a second, once. Ends early, without a failure, if nothing can
    // be stored: the cache is read-only, or another program writes it.
    [[nodiscard]] base::Result<void> keepDays(const std::stop_token &stop = {});

    // What the figure of the proposal with this id depends on, under the query's assumptions. std::nullopt: it has no
    // such curve, or there is no such proposal. From the facts that are kept, so quick after savings() of the same
    // range.
    [[nodiscard]] base::Result<std::optional<savings::ProposalCurve>>
    curve(const SavingsQuery &query, const std::string &proposal, const std::stop_token &stop = {});

    // The amounts that the figures of the proposal with this id were computed from, for their proof. std::nullopt:
    // there is nothing to compute them from, or no such proposal.
    [[nodiscard]] base::Result<std::optional<savings::ProposalBasis>>
    basis(const SavingsQuery &query, const std::string &proposal, const std::stop_token &stop = {});

    // Records what somebody decided about a proposal of `list` in the audit log. Fails with InvalidArgument (what is
    // wrong with it), NotFound (no such proposal) and ReadOnly codes of a report.
    [[nodiscard]] base::Result<savings::Choice> choose(const savings::ChoiceDraft &draft,
                                                       const savings::SavingsList &list);
    // The newest choice about each proposal, in the order in which they were made.
    [[nodiscard]] base::Result<std::vector<savings::Choice>> choices();
    // What each accepted proposal saved by the end of the data, in the order of choices(), then each stop that this
    // program did and that nobody accepted as a proposal (realizedstops.h).
    [[nodiscard]] base::Result<std::vector<savings::Realized>> realized(model::CostView cost,
                                                                        const std::stop_token &stop = {});

    // What that is measured from, by the end of the data or by `end`, for its proof. The newest answer is kept, and
    // given again as long as the cache, the configuration, the choices and the stops are the same.
    [[nodiscard]] base::Result<RealizedPasts> realizedPast(model::CostView cost, std::optional<base::UtcTime> end,
                                                           const std::stop_token &stop = {});

    // Compares stored days with the same made from their facts: so many of them, or all (keptcheck.h).
    [[nodiscard]] base::Result<KeptCheck> checkStoredDays(std::optional<std::size_t> most);
    // The next question makes them again. Fails with Storage… codes, also if the cache is read-only.
    [[nodiscard]] base::Result<void> dropStoredDays(const std::vector<base::Day> &days);

    // What decides which actions do something about a proposal now (proposalacts.h). In a report, and where no source
    // may stop anything, only that. Also fails as ActionService::log() does.
    [[nodiscard]] base::Result<ActFacts> actFacts(ActionService &actions);

    // Nothing chosen, with the defaults of the configuration in use: what a choice starts from. Quick.
    savings::Assumptions usual() const;

    // Named assumptions, by name: in scenarios.json of the data folder, for both programs. A report has none. Also fail
    // with Parse (the file is damaged) and InvalidConfig (it can't be read).
    [[nodiscard]] base::Result<std::vector<savings::Scenario>> scenarios();
    [[nodiscard]] base::Result<savings::Scenario> scenario(const std::string &name); // also NotFound
    // Replaces one of the same name. Completely or not at all; also fails with InvalidArgument (the name), TooMuch and
    // Refused (a report).
    [[nodiscard]] base::Result<savings::Scenario> saveScenario(const std::string &name,
                                                               const savings::Assumptions &assumptions);
    [[nodiscard]] base::Result<void> removeScenario(const std::string &name); // also NotFound and Refused

private:
    base::Result<std::vector<savings::Choice>> stopsDone(const std::vector<savings::Choice> &accepted);

    Engine &m_engine;
    const std::shared_ptr<SavingsFacts> m_facts;
    const std::shared_ptr<RealizedMemo> m_realized;
};

} // namespace gpuledger::services
