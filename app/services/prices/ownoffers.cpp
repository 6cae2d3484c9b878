// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/prices/ownoffers.h"

#include "app/base/text/text.h"
#include "app/ledger/prices/pricerules.h"

#include <algorithm>
#include <tuple>
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

// `until`: set if the age is to be said.
savings::Remark ownOfferSource(const PriceQuote &quote, std::optional<base::Day> until)
{
    const savings::RemarkTerm name = savings::textTerm(quote.source);
    if (!quote.seen)
        return {RemarkText::OwnOfferUndated, {name}};
    const savings::RemarkTerm day = savings::dayTerm(quote.seen->start());
    if (!until)
        return {RemarkText::OwnOffer, {name, day}};
    const std::int64_t age = std::max(0, until->number - quote.seen->number);
    return {RemarkText::OwnOfferAged, {name, day, savings::countTerm(age)}};
}

bool haveSameOfferTerms(const PriceQuote &a, const PriceQuote &b)
{
    const auto terms = [](const PriceQuote &one) {
        return std::tuple(one.perHour.nanos(), one.perHour.currency(), one.termMonths, one.payment,
                          one.upfront ? one.upfront->nanos() : 0);
    };
    return terms(a) == terms(b);
}

savings::CommitmentOffer commitmentOf(const PriceQuote &quote, std::optional<base::Day> until)
{
    savings::CommitmentOffer offer;
    offer.termMonths = quote.termMonths.value_or(0);
    offer.payment = quote.payment;
    offer.perMachineHour = base::Rate(quote.perHour.nanos(), quote.perHour.currency());
    offer.whole = true; // a price of a machine
    offer.upfront = quote.upfront.value_or(base::Money(0, quote.perHour.currency()));
    offer.source = ownOfferSource(quote, until);
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
    std::vector<const PriceQuote *> given;
    for (std::size_t i = 0; m_list && i < m_list->quotes.size(); ++i) {
        const PriceQuote &quote = m_list->quotes[i];
        if (!isCommitmentOffer(quote) || !isFor(quote, demand))
            continue;
        given.push_back(&quote);
        demand.offers.push_back(commitmentOf(quote, std::nullopt));
        m_used.insert(&quote);
    }
    bool any = !given.empty();
    for (const PriceQuote &quote : m_configured.list.quotes) {
        if (!isCommitmentOffer(quote) || !isFor(quote, demand))
            continue;
        m_used.insert(&quote);
        any = true;
        if (std::none_of(given.begin(), given.end(),
                         [&](const PriceQuote *one) { return haveSameOfferTerms(*one, quote); }))
            demand.offers.push_back(commitmentOf(quote, m_until));
    }
    return any;
}

void OwnOffers::setConfigured(ListedPrices configured, base::Day until)
{
    m_configured = std::move(configured);
    m_until = until;
}

std::vector<savings::Remark> OwnOffers::warnings() const
{
    std::vector<savings::Remark> out;
    const auto warn = [&](RemarkText text, std::size_t count) {
        if (count > 0)
            out.push_back({text, {savings::countTerm(static_cast<std::int64_t>(count))}});
    };
    std::size_t unread = 0, noCommitment = 0, unmatched = 0;
    for (const savings::QuoteList *list : {m_list, &m_configured.list}) {
        if (!list)
            continue;
        for (const auto &[why, count] : list->leftOut)
            unread += count;
        for (const PriceQuote &quote : list->quotes) {
            noCommitment += list == m_list && !isCommitmentOffer(quote) ? 1 : 0;
            unmatched += isCommitmentOffer(quote) && !m_used.contains(&quote) ? 1 : 0;
        }
    }
    warn(RemarkText::OwnOffersUnread, unread);
    warn(RemarkText::OwnOffersWithoutTerm, noCommitment);
    warn(RemarkText::OwnOffersUnmatched, unmatched);
    for (const UnreadList &list : m_configured.unread) {
        const savings::RemarkTerm name = savings::textTerm(base::printable(list.list, 200));
        if (list.readAt)
            out.push_back({RemarkText::OwnListOld, {name, savings::dayTerm(*list.readAt)}});
        else
            out.push_back({RemarkText::OwnListUnread, {name}});
    }
    return out;
}

} // namespace gpuledger::services
