// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/inventorysource.h"
#include "connectors/demo/clouds/cloudaccounts.h"

#include <memory>
#include <string>

namespace gpuledger::demo {

// The machines that an account of the demo company lists. Threads and errors: see ports::InventorySource.
class CloudMachines final : public ports::InventorySource {
public:
    // Fails with InvalidConfig. The clock must outlive the source.
    [[nodiscard]] static base::Result<std::unique_ptr<ports::InventorySource>>
    create(const model::SourceSettings &settings, const base::Clock &clock);

    CloudMachines(std::string name, const CloudAccount &account, const Options &options, const base::Clock &clock);

    const std::string &name() const override { return m_name; }
    std::string cloud() const override { return std::string(m_account.cloud); }
    [[nodiscard]] base::Result<ports::Inventory> read(const std::map<std::string, ports::KnownMachine> &known,
                                                      std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    std::string m_name;
    const CloudAccount &m_account; // one of a constant table
    Options m_options;
    const base::Clock &m_clock;
};

} // namespace gpuledger::demo
