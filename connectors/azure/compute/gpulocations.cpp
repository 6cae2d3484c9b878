// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/gpulocations.h"

#include "connectors/azure/compute/machinepage.h"
#include "connectors/azure/compute/machinesizes.h"

#include <nlohmann/json.hpp>

namespace gpuledger::azure {

using base::Result;

namespace {

constexpr std::size_t kMostLocations = 100; // Azure has about 60 regions

// Takes the locations of machines or sets of a page.
template <class Listed>
Result<void> addLocations(const Result<std::vector<Listed>> &some, const MachineSizes &sizes,
                          std::set<std::string> &out)
{
    GPULEDGER_TRY(some);
    for (const Listed &one : *some) {
        if (!sizes.of(one.size).name.empty() && !one.location.empty() && consistsOf(one.location, ""))
            out.insert(one.location);
        if (out.size() > kMostLocations)
            return base::fail(base::ErrorCode::TooMuch,
                              "the subscription has machines with GPUs in more than " + std::to_string(kMostLocations)
                                  + " locations");
    }
    return {};
}

} // namespace

Result<std::set<std::string>> gpuLocations(ComputeApi &api, const std::map<std::string, ports::KnownMachine> &known,
                                           const std::stop_token &stop)
{
    const MachineSizes sizes(known);
    std::set<std::string> out;
    GPULEDGER_TRY(api.eachPage(
        {api.urlOf("virtualMachines"), kMachinesRight},
        [&](const nlohmann::json &page) { return addLocations(machinesIn(page), sizes, out); }, stop));
    GPULEDGER_TRY(api.eachPage(
        {api.urlOf("virtualMachineScaleSets"), kScaleSetsRight},
        [&](const nlohmann::json &page) { return addLocations(scaleSetsIn(page), sizes, out); }, stop));
    return out;
}

} // namespace gpuledger::azure
