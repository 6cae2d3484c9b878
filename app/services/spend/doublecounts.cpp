// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/spend/doublecounts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace gpuledger::services {

using base::Result;

namespace {

// Whether more than one source may have stored bills. Of a source that is no longer configured, the kind is unknown.
Result<bool> maySeveralTellBills(store::LedgerStore &cache, const Setup &setup, const ports::SourceCatalog &catalog)
{
    const auto states = cache.syncStates();
    GPULEDGER_TRY(states);
    const auto &configured = setup.settings.sources;
    const ports::SourceKinds kinds = catalog.kinds();
    const auto mayTell = [&](const store::SyncState &state) {
        const bool isOfSource = state.source.find('\n') == std::string::npos; // else of a part that tells no bill
        return isOfSource
            && std::none_of(configured.begin(), configured.end(), [&](const model::SourceSettings &source) {
                   const ports::SourceKind *const kind = ports::findKind(kinds, source.kind);
                   return source.name == state.source && kind && !kind->tellsBills();
               });
    };
    return std::count_if(states->begin(), states->end(), mayTell) > 1;
}

// Removes those whose sources have pieces of the account only. Only ids that are paths have pieces.
Result<void> removePieces(std::vector<insight::CountedTwice> &all, store::FactReader &facts)
{
    const auto mayHavePieces = [](const insight::CountedTwice &one) { return one.account.starts_with('/'); };
    std::map<base::Day, std::set<std::string>> wanted; // accounts, each on its newest day
    std::set<std::string> known;
    for (const insight::CountedTwice &one : all) { // newest first
        if (mayHavePieces(one) && known.insert(one.account).second)
            wanted[one.last].insert(one.account);
    }
    std::map<std::string, std::map<std::string, std::set<std::string>>> billing; // account, source, billing accounts
    for (const auto &[day, accounts] : wanted) {
        GPULEDGER_TRY(facts.billedOn(day, [&, &names = accounts](const store::BilledItem &item) -> Result<void> {
            const model::BillLine &line = *item.line;
            const std::string &account = line.subAccountId.empty() ? line.billingAccountId : line.subAccountId;
            if (names.count(account))
                billing[account][item.source].insert(line.billingAccountId);
            return {};
        }));
    }
    std::erase_if(all, [&](const insight::CountedTwice &one) {
        return mayHavePieces(one) && insight::arePieces(one.account, billing[one.account]);
    });
    return {};
}

} // namespace

Result<std::vector<insight::CountedTwice>> countedTwiceIn(store::LedgerStore &cache, const Setup &setup,
                                                          const ports::SourceCatalog &catalog,
                                                          const std::optional<insight::Month> &month)
{
    const auto maySeveral = maySeveralTellBills(cache, setup, catalog);
    GPULEDGER_TRY(maySeveral);
    if (!*maySeveral)
        return std::vector<insight::CountedTwice>();
    base::Day first{std::numeric_limits<std::int32_t>::min()}, last{std::numeric_limits<std::int32_t>::max()};
    if (month) {
        first = base::dayOf(month->range().start);
        last = base::dayOf(month->range().end - base::Seconds{1});
    }
    const auto lines = cache.cube();
    GPULEDGER_TRY(lines);
    insight::DoubleCounts counts;
    GPULEDGER_TRY((*lines)->ledger(first, last,
                                   [&](base::Day day, const model::LedgerKey &key,
                                       const model::LedgerAmounts &amounts) { return counts.add(day, key, amounts); }));
    auto all = counts.take();
    GPULEDGER_TRY(all);
    const auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    GPULEDGER_TRY(removePieces(*all, **facts));
    return all;
}

Result<std::vector<std::string>> accountsCountedTwice(store::LedgerStore &cache, const Setup &setup,
                                                      const ports::SourceCatalog &catalog, const insight::Month &month)
{
    const auto twice = countedTwiceIn(cache, setup, catalog, month);
    GPULEDGER_TRY(twice);
    std::vector<std::string> out;
    for (const insight::CountedTwice &one : *twice) { // in each currency
        const std::string &name = one.accountName.empty() ? one.account : one.accountName;
        if (std::find(out.begin(), out.end(), name) == out.end())
            out.push_back(name);
    }
    return out;
}

} // namespace gpuledger::services
