// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "connectors/azure/costs/costrows.h"
#include "connectors/azure/resourcemanager.h"

#include <string>

namespace gpuledger::azure {

// The settings of a source in its own terms. Value type.
struct CostSettings {
    std::string scope; // "/subscriptions/…", as typed
    std::string tag; // key; empty: none
    ResourceManager manager;
    base::Seconds refresh{86400}; // days that are not final are asked for at most this often

    // Of a subscription or a resource group: only there are resources told apart.
    bool hasResources() const;
    MachineGroups machineGroups() const;
    // The number of the subscription; empty: the scope is wider.
    std::string subscription() const;
    // Days that were asked with other settings do not belong together.
    std::string identity() const;

    // Fails with InvalidConfig.
    [[nodiscard]] static base::Result<CostSettings> of(const model::SourceSettings &settings);
};

} // namespace gpuledger::azure
