// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/ownoffers.h"

#include "app/ledger/pricerules.h"

#include <utility>

namespace gpuledger::services {

using savings::PriceQuote;
using savings::PurchaseOption;
using savings::RemarkText;

namespace {

bool isCommitmentOffer(const PriceQuote &quote)
{
    return quote.purchase == PurchaseOption::OneYear || quote.purchase == PurchaseOption::ThreeYears
        || quote.purchase == PurchaseOption::Commitment;
}

bool isSameOfferName(const std::string &a, const std::string &b)
{
    return ledger::lowerCase(a) == ledger::lowerCase(b);
}

savings::CommitmentOffer commitmentOf(const PriceQuote &quote)
{
    savings::CommitmentOffer offer;
    offer.termMonths = quote.termMonths.value_or(0);
    offer.payment = quote.payment;
    offer.perMachineHour = base::Rate(quote.perHour.nanos(), quote.perHour.currency());
    offer.whole = true; // a price of a machine
    offer.upfront = quote.upfront.value_or(base::Money(0, quote.perHour.currency()));
    savings::Remark source{quote.seen ? RemarkText::OwnOffer : RemarkText::OwnOfferUndated,
                           {savings::textTerm(quote.source)}};
    if (quote.seen)
        source.terms.push_back(savings::dayTerm(quote.seen->start()));
    offer.source = std::move(source);
    return offer;
}

} // namespace

bool OwnOffers::isFor(const PriceQuote &quote, const savings::CommitmentDemand &demand) const
{
    if (!isSameOfferName(quote.provider, demand.cloud)
        || (!quote.region.empty() && !isSameOfferName(quote.region, demand.region)))
        return false;
    if (!quote.machine.empty())
        return isSameOfferName(quote.machine, demand.instanceType);
    const auto *const machine = m_prices.machine(demand.instanceType);
    return machine && quote.microGpus == machine->devices * savings::kMicroOfGpu
        && (quote.gpu.model == machine->gpuModel || quote.gpuName == machine->gpuModel);
}

bool OwnOffers::addTo(savings::CommitmentDemand &demand)
{
    bool any = false;
    for (std::size_t i = 0; m_list && i < m_list->quotes.size(); ++i) {
        const PriceQuote &quote = m_list->quotes[i];
        if (!isCommitmentOffer(quote) || !isFor(quote, demand))
            continue;
        demand.offers.push_back(commitmentOf(quote));
        m_used.insert(&quote);
        any = true;
    }
    return any;
}

std::vector<savings::Remark> OwnOffers::warnings() const
{
    std::vector<savings::Remark> out;
    if (!m_list)
        return out;
    const auto warn = [&](RemarkText text, std::size_t count) {
        if (count > 0)
            out.push_back({text, {savings::countTerm(static_cast<std::int64_t>(count))}});
    };
    std::size_t unread = 0, noCommitment = 0, unmatched = 0;
    for (const auto &[why, count] : m_list->leftOut)
        unread += count;
    for (const PriceQuote &quote : m_list->quotes) {
        noCommitment += isCommitmentOffer(quote) ? 0 : 1;
        unmatched += isCommitmentOffer(quote) && !m_used.contains(&quote) ? 1 : 0;
    }
    warn(RemarkText::OwnOffersUnread, unread);
    warn(RemarkText::OwnOffersWithoutTerm, noCommitment);
    warn(RemarkText::OwnOffersUnmatched, unmatched);
    return out;
}

} // namespace gpuledger::services
