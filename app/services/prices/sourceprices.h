// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/pricesource.h"
#include "app/savings/prices/pricequote.h"
#include "app/store/prices/pricestore.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

// Price lists that a source tells, beside those that the configuration names. Pure; any thread.
namespace gpuledger::services {

struct PriceLists;

// The name of a source's list in the store and for people: "source:lambda-prod", "source:aws-eu/spot". The names of
// other lists are paths and addresses.
std::string sourceListName(const std::string &source, const std::string &list);
bool isListOfSource(std::string_view list, const std::string &source);

// What a source told, as it is stored.
struct SourcePrices {
    savings::QuoteList quotes;
    std::vector<store::PriceStep> steps;
};
// `source`, followed by what a quote says itself, becomes that of the prices, and `provider` its provider. Names the
// models of GPUs. Quotes that can't be prices are left out and counted: no amount above zero, more than 100,000 per
// GPU, no GPU or more than 1024, a name that can't be shown or is missing; so are steps, which are not counted.
SourcePrices sourcePrices(ports::PricesTold told, const std::string &source, const std::string &provider,
                          const PriceLists &known);

// The GPU machines of a provider in the price book.
std::map<std::string, ports::KnownMachine> knownMachines(const PriceLists &known, const std::string &provider);

} // namespace gpuledger::services
