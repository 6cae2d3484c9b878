// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/proposal.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savings/savingsservice.h"
#include "app/store/prices/pricestore.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

struct Setup;

// Reads the facts of one kind of savings. After one has read what they share, others are called at the same time.
struct SavingsEngine {
    savings::Kind kind;
    std::function<base::Result<SavingsReplay>(Engine &, const SavingsQuestion &, const std::stop_token &)> read;
};
// Those of this program, in the order of savings::kKinds.
std::vector<SavingsEngine> savingsEngines();

// Proposals from facts that stay in memory as long as the range, the view of cost, the cache's state and the
// configuration are the same; each kind is replayed again only if an assumption of its own changed. Only the facts of
// the newest question are kept; before others are read, they are dropped. They take about as much memory as while they
// were read: 16 bytes for each hour of a machine and 4 for each of its shares, about 100 for each time that other work
// is the only one on a machine with little of it held, 48 for each hour of a workload that can be scheduled, 32 for
// each of its machines, 32 for each hour that a workload of the last week had machines to itself, and 56 for each other
// one for which a slice may be enough. What a proposal takes off on-demand machines has 8 bytes for each hour. Lists
// share what proposals say with what is kept of them.
//
// All functions may be called from any thread; no lock is held while facts are read or replayed. Two threads that ask
// first at the same time both read.
class SavingsFacts {
public:
    // `onlyFacts` as in SavingsQuestion.
    SavingsFacts(Engine &engine, std::vector<SavingsEngine> engines, bool onlyFacts = false);

    // The whole list; `exclude` may exclude proposals before they are compared. Fails as SavingsService::savings().
    using Exclude = std::function<void(std::vector<savings::Proposal> &)>;
    [[nodiscard]] base::Result<savings::SavingsList> list(const SavingsQuery &query, const Exclude &exclude,
                                                          const std::stop_token &stop);
    // As SavingsService::curve().
    [[nodiscard]] base::Result<std::optional<savings::ProposalCurve>>
    curve(const SavingsQuery &query, const std::string &proposal, const std::stop_token &stop);

    // As SavingsService::basis().
    [[nodiscard]] base::Result<std::optional<savings::ProposalBasis>>
    basis(const SavingsQuery &query, const std::string &proposal, const std::stop_token &stop);

    // The cache went from one generation to the next by a write that no proposal depends on: what is kept stays valid.
    void keepThrough(std::int64_t before, std::int64_t after);

private:
    struct Key { // what the facts depend on
        std::int64_t generation = 0; // of the cache
        const Setup *setup = nullptr; // the engine keeps every configuration, so each has an address of its own
        std::optional<base::TimeRange> asked;
        model::CostView cost = model::CostView::Effective;
        std::shared_ptr<const savings::QuoteList> own;
        std::vector<store::PriceListState> lists; // a sync that reads only price lists starts no generation
        bool operator==(const Key &) const = default;
    };
    using Proposals = std::shared_ptr<const std::vector<savings::Proposal>>;
    struct Part { // one kind
        savings::Kind kind;
        SavingsReplay replay;
        std::mutex mutex; // of what follows: the newest answer
        savings::Assumptions assumed;
        Proposals answer; // null: none so far
    };
    struct Past {
        Key key;
        base::TimeRange range;
        std::vector<std::unique_ptr<Part>> parts;
    };

    base::Result<std::shared_ptr<Past>> pastOfOneSetup(const SavingsQuery &query, const std::stop_token &stop);
    base::Result<std::shared_ptr<Past>> past(const Key &key, const std::stop_token &stop);
    base::Result<std::shared_ptr<Past>> read(const Key &key, const std::stop_token &stop) const;
    static base::Result<Proposals> proposals(Part &part, const savings::Assumptions &all, const std::stop_token &stop);

    Engine &m_engine;
    const std::vector<SavingsEngine> m_engines;
    const bool m_onlyFacts;
    std::mutex m_mutex;
    std::shared_ptr<Past> m_newest;
};

} // namespace gpuledger::services
