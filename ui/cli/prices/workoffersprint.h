// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/workoffers.h"
#include "ui/cli/program/output.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Prints what a piece of work would cost on each machine that is offered, for `estimate`. Pure; any thread.
namespace gpuledger::cli {

struct WorkOffersAnswer {
    savings::WorkOffers found;
    savings::WorkQuestion question;
    std::map<savings::LeftOut, std::size_t> leftOut; // of the price lists
    std::vector<std::string> notes; // sentences about price lists that could not be read
    std::optional<base::Money> maxCost;
    // The p90 of the cost of the cheapest suitable offer is above maxCost, or no offer in its currency is suitable.
    bool tooExpensive() const;
};

Json workOffersHead(const WorkOffersAnswer &answer); // all but the offers
Json workOfferJson(const savings::WorkOffer &offer);
std::string workOffersCsv(const WorkOffersAnswer &answer);
std::string workOffersText(const WorkOffersAnswer &answer, bool bold); // at most 30 rows

} // namespace gpuledger::cli
