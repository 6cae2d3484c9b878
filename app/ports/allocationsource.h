// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/allocation.h"
#include "app/ports/probereport.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace gpuledger::ports {

// One day as reported by a source.
struct AllocationAnswer {
    model::AllocationDay day;
    std::uint64_t accepted = 0; // records of machines and of pods with GPUs
    std::uint64_t rejected = 0; // records without a name, or with a name that is too long
    std::uint64_t bytes = 0; // received
    std::string warning; // from the server, printable; empty: none
};

// A source that splits the price of machines among pods (OpenCost, Kubecost). Not a bill: what it reports replaces the
// price book where there is no bill. Blocking; call from a worker thread; one call at a time per object; a stop request
// ends them with Cancelled.
class AllocationSource {
public:
    virtual ~AllocationSource() = default;
    virtual const std::string &name() const = 0;
    // The address that it is queried at; another address may be another server, which has to be queried for everything.
    // Empty: none.
    virtual std::string address() const { return {}; }
    // Reports what is available and what is missing; stores nothing. Fails like day().
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;
    // A complete UTC day in the past: all of it, or an error. A day for which the server has no data is empty. Fails
    // with Unauthorized, Forbidden, NotFound, Timeout, Network, Tls, Server, RateLimited, TooMuch, Unsupported or
    // Parse.
    [[nodiscard]] virtual base::Result<AllocationAnswer> day(base::Day day, std::stop_token stop) = 0;
};

} // namespace gpuledger::ports
