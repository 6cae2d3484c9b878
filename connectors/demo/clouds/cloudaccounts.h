// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "connectors/demo/bills/billplan.h"
#include "connectors/demo/fleet/fleetplan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What the demo company rents beside AWS and Google Cloud. All values depend on the options alone.
namespace gpuledger::demo {

// One account at a cloud.
struct CloudAccount {
    std::string_view word; // of the option `cloud`
    std::string_view cloud; // as model::Node::cloud
    std::string_view provider, service; // as its bill names them
    std::string_view account; // id
    bool listsMachines = true; // it has an inventory, and its bill names machines
};

// A machine of an account.
struct CloudMachine {
    std::string id; // as the bill names it
    std::string providerId; // as the list does
    std::string hostName; // of one with telemetry; empty: it has none
    std::string type, region, zone;
    std::string cluster; // of one with telemetry
    std::string gpuName;
    int gpus = 0;
    std::int64_t nanosPerHour = 0;
    std::string team; // its tag; empty: none
    int sinceMonths = 0; // before telemetry
};

// The account that the option `cloud` names, and the fleet's options. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::pair<const CloudAccount *, Options>> accountOf(const model::SourceSettings &settings);

// What is rented there; those with telemetry are nodes of `plan`.
std::vector<CloudMachine> machinesAt(const CloudAccount &account, const FleetPlan &plan);

// The lines of a bill of the account; `bill.cloud` is ignored.
std::vector<model::BillLine> cloudLines(const CloudAccount &account, const std::vector<CloudMachine> &machines,
                                        const BillMonth &bill);

} // namespace gpuledger::demo
