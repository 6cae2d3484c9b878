// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/prices/pricebook.h"
#include "app/savings/commitments/commitments.h"
#include "app/savings/prices/pricequote.h"
#include "app/services/prices/listedprices.h"

#include <set>
#include <vector>

namespace gpuledger::services {

// The user's own offers of commitments, for the machine types that ran on demand: those of files that were given with
// the question (`list`; null: none), then those of the configuration, as a sync has stored them. One object per
// question; one thread. `list` and `prices` must outlive it.
class OwnOffers {
public:
    OwnOffers(const savings::QuoteList *list, const ledger::PriceBook &prices)
        : m_list(list)
        , m_prices(prices)
    {
    }

    // Before addTo(). Their age is that at the end of the day `until`.
    void setConfigured(ListedPrices configured, base::Day until);

    // Adds the offers of the demand's cloud for its machine type, or for a machine with as many GPUs of its model where
    // the offer names no machine. One with a region is for that region alone; a zone is not compared. Returns whether
    // there are any. An offer in another currency is added too: the engine says that it can't be compared. One of the
    // configuration that is also in a file, with the same price, term and payment, is added once.
    bool addTo(savings::CommitmentDemand &demand);

    // What was not used, once all demands were asked about: rows of files that can't be read, their offers that are no
    // commitments, and commitments that are for none of the demands; also lists of the configuration whose offers are
    // missing or old. A list of the configuration may have other offers: other commands use them.
    std::vector<savings::Remark> warnings() const;

private:
    bool isFor(const savings::PriceQuote &quote, const savings::CommitmentDemand &demand) const;

    const savings::QuoteList *m_list;
    ListedPrices m_configured;
    base::Day m_until;
    const ledger::PriceBook &m_prices;
    std::set<const savings::PriceQuote *> m_used;
};

} // namespace gpuledger::services
