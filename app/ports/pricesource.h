// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/placementrating.h"
#include "app/model/money/pricequote.h"
#include "app/ports/finding.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ports {

// What this program's own catalogue has of a machine type with GPUs, for servers that do not tell.
struct KnownMachine {
    std::string gpuName;
    std::int64_t microGpus = 0; // 1e-6 GPUs of the machine
    std::int64_t milliVcpus = 0, milliGib = 0; // 1e-3 of its processors and of its memory; 0: the catalogue has none
};

// What is asked of a price list.
struct PricesAsked {
    std::string list; // one of PriceSource::lists()
    base::UtcTime now{};
    std::optional<base::UtcTime> since; // when it was read last; empty: never
    std::map<std::string, KnownMachine> machines{}; // of PriceSource::provider(), by type in lower case
};

// A price and when it began, as the server remembers it.
struct PriceBegin {
    model::PriceQuote quote;
    base::UtcTime from{};
};

// Everything that a price list has now. Of a quote are set: region, zone, machine, gpuName, microGpus, purchase,
// perHour, `termMonths` of a commitment, and `gpu.memoryMib` if the server tells it; machine and gpuName are as the
// server writes them. `source` is empty, or tells offers on the same terms apart ("reservation"). Who asks adds the
// rest, and leaves out and counts those that can't be prices.
struct PricesTold {
    model::QuoteList now;
    // Of a server that keeps a history: the prices that began since the list was read last, the current ones among
    // them, in any order. Offers without one began when they were first read.
    std::vector<PriceBegin> begins{};
};

// A server that tells at which prices its machines with GPUs can be had. Blocking; call from a worker thread; one call
// at a time per object; a stop request ends them with Cancelled.
class PriceSource {
public:
    virtual ~PriceSource() = default;
    virtual const std::string &name() const = 0; // of the source
    virtual std::string provider() const = 0; // as price lists name it: "aws"
    // The lists that it tells, each of which can be read or not by itself: the words that name them, such as "spot", or
    // one empty word.
    virtual std::vector<std::string> lists() const = 0;
    // All of a list, or none of it. Fails with Forbidden (a right is missing, which the text names), Unauthorized,
    // TooMuch (above a limit), Parse, Server, Timeout, Network, Tls, Refused (the clocks differ) or Cancelled.
    [[nodiscard]] virtual base::Result<PricesTold> read(const PricesAsked &asked, std::stop_token stop) = 0;
    // Whether it rates the chance that requests for spot machines are granted.
    virtual bool ratesPlacement() const { return false; }
    // The rating of each zone of its region now; zones that the server leaves out are missing. Fails like read(), with
    // TooMuch also if the server takes no more different questions today, and with Unsupported if it has no ratings.
    [[nodiscard]] virtual base::Result<model::PlacementRating> placement(const model::PlacementQuestion &,
                                                                         base::UtcTime, std::stop_token)
    {
        return base::fail(base::ErrorCode::Unsupported, "\"" + name() + "\" has no placement ratings");
    }
    // What a connection test says of the prices: each right that is there (FindingText::RightGiven) or missing
    // (FindingText::PricesWithheld). Fails like read(), but not with Forbidden.
    [[nodiscard]] virtual base::Result<std::vector<Finding>> probe(std::stop_token stop) = 0;
};

} // namespace gpuledger::ports
