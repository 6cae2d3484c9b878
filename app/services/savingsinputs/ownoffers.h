// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/pricebook.h"
#include "app/savings/commitments/commitments.h"
#include "app/savings/prices/pricequote.h"

#include <set>
#include <vector>

namespace gpuledger::services {

// The user's own offers of commitments, for the machine types that ran on demand. One object per question; one thread.
// `list` (null: none) and `prices` must outlive it.
class OwnOffers {
public:
    OwnOffers(const savings::QuoteList *list, const ledger::PriceBook &prices)
        : m_list(list)
        , m_prices(prices)
    {
    }

    // Adds the offers of the demand's cloud for its machine type, or for a machine with as many GPUs of its model where
    // the offer names no machine. One with a region is for that region alone; a zone is not compared. Returns whether
    // there are any. An offer in another currency is added too: the engine says that it can't be compared.
    bool addTo(savings::CommitmentDemand &demand);

    // What was not used, once all demands were asked about: rows that can't be read, offers that are no commitments,
    // and commitments that are for none of the demands.
    std::vector<savings::Remark> warnings() const;

private:
    bool isFor(const savings::PriceQuote &quote, const savings::CommitmentDemand &demand) const;

    const savings::QuoteList *m_list;
    const ledger::PriceBook &m_prices;
    std::set<const savings::PriceQuote *> m_used;
};

} // namespace gpuledger::services
