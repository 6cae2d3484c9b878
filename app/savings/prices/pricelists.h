// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/prices/pricequote.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

// Reads the price book and the user's own offers as quotes. Pure; any thread.
namespace gpuledger::savings {

// The list prices of resources/prices/instances.csv: on demand, in USD, each with its date or that on which its list
// was read. Machines without a price are not in the answer: the book has them for their shape. Fails with Parse.
[[nodiscard]] base::Result<QuoteList> readPriceBook(std::string_view csv, const ledger::GpuCatalog &catalog);

// Models by provider and instance type, from the same list. Fails with Parse.
[[nodiscard]] base::Result<KnownMachines> readKnownMachines(std::string_view csv);

// What a machine has, from the same list, by provider and instance type, both in lower case.
struct MachineSize {
    std::string gpuModel; // as the list names it
    std::int64_t microGpus = 0; // 1e-6 GPUs
    std::int64_t milliVcpus = 0, milliGib = 0; // 1e-3 of its processors and of its memory; 0: not in the list
};
using MachineSizes = std::map<std::pair<std::string, std::string>, MachineSize>;
// Fails with Parse.
[[nodiscard]] base::Result<MachineSizes> readMachineSizes(std::string_view csv);

// What is paid once for a term, as the price of an hour: amount / (months x 730), rounded half up.
base::Money perHourOfTerm(const base::Money &amount, std::int64_t months);

// Offers as a CSV file with the columns provider, gpu_model, gpus, currency and per_hour (of the machine); also region,
// zone, machine, gpu_memory_gib (of one GPU), purchase (on-demand if empty and without a term), seen (YYYY-MM-DD) and
// source (`name` if empty). Of commitments: term_months (1 to 120), payment (none, partial, all) and upfront (for the
// machine, in the same currency), which is spread over the term; with it per_hour may be 0. Fails with Parse: no
// header, or a column is missing. A row that can't be read or contradicts itself is counted.
[[nodiscard]] base::Result<QuoteList> readOwnOffers(std::string_view csv, const std::string &name,
                                                    const ledger::GpuCatalog &catalog);

} // namespace gpuledger::savings
