// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"
#include "connectors/nebius/instancelist.h"
#include "connectors/nebius/projectcalls.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gpuledger::nebius {

// The instances with GPUs of a project, and what Nebius' calculator says that an hour of them costs; without its
// answer, that is not known. A list is no list if this computer's clock and the service's differ by more than ten
// minutes: nobody knows when it was true. Threads and errors: see ports::InventorySource; calls also fail with the
// errors of NebiusToken::get.
class MachineInventory final : public ports::InventorySource {
public:
    // `realClock` must outlive it.
    MachineInventory(std::string name, std::unique_ptr<ProjectCalls> calls, const base::Clock &realClock);

    const std::string &name() const override { return m_name; }
    std::string cloud() const override { return "nebius"; }
    [[nodiscard]] base::Result<ports::Inventory> read(const std::map<std::string, ports::KnownMachine> &known,
                                                      std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    base::Result<ports::Inventory> listed(const std::vector<InstanceFacts> &all, const InstanceTypes &types,
                                          const std::string &region, const std::stop_token &stop);

    std::string m_name;
    std::unique_ptr<ProjectCalls> m_calls;
    const base::Clock &m_realClock;
};

// For the catalogue. Fails with InvalidConfig (no project, a wrong url, no token, or a word for machines that is none).
[[nodiscard]] base::Result<std::unique_ptr<ports::InventorySource>>
makeMachineInventory(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                     std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::nebius
