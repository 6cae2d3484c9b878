// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"
#include "app/model/allocation.h"
#include "app/ports/probereport.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace gpuledger::ports {

// One day as a source told it.
struct AllocationAnswer {
    model::AllocationDay day;
    std::uint64_t accepted = 0; // records of machines and of pods with GPUs
    std::uint64_t rejected = 0; // records that name nothing, or a name that is too long
    std::uint64_t bytes = 0; // received
    std::string warning; // the server's, printable; empty: none
};

// Something that splits the price of machines among pods (OpenCost, Kubecost). No bill: what it says replaces the price
// book where no bill speaks. Blocking calls for a worker thread; one call at a time an object; a request to stop ends
// them with Cancelled.
class AllocationSource {
public:
    virtual ~AllocationSource() = default;
    virtual const std::string &name() const = 0;
    // Where it is asked; another address may be another server, which has to be asked for everything. Empty: nowhere.
    virtual std::string address() const { return {}; }
    // What is there and what is missing; nothing is stored. Fails as day() does.
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;
    // A whole UTC day that is over: all of it, or an error. A day of which the server knows nothing is empty. Fails
    // with Unauthorized, Forbidden, NotFound, Timeout, Network, Tls, Server, RateLimited, TooMuch, Unsupported or
    // Parse.
    [[nodiscard]] virtual base::Result<AllocationAnswer> day(base::Day day, std::stop_token stop) = 0;
};

} // namespace gpuledger::ports
