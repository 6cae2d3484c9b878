// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/inventorysource.h"
#include "connectors/auth/keyedapi.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::auth {

// How such a service lists its machines. Of static storage.
struct KeyedMachineList {
    const char *cloud; // as the lines of its bill name the provider, in lower case
    const char *right; // for people: "GET /v2/pods"
    // Asks for all of them. Fails with the errors of KeyedApi::get, Parse and TooMuch.
    base::Result<ports::Inventory> (*read)(KeyedApi &api, const std::stop_token &stop);
};

// The machines of an account of such a service, which tells no sizes that the price book has to know. A list is no list
// if this computer's clock and the service's differ by more than ten minutes: nobody knows when it was true. Threads
// and errors: see ports::InventorySource; both calls also fail with the errors of KeyedApi::get.
class KeyedInventory final : public ports::InventorySource {
public:
    // `realClock` is compared with the service's. It and `secrets` must outlive the source.
    KeyedInventory(const model::SourceSettings &settings, const KeyedSettings &keyed, ports::SecretStore &secrets,
                   const base::Clock &realClock, std::shared_ptr<http::HttpClient> client, KeyedTuning tuning,
                   KeyedApi::Refusal refusal, const KeyedMachineList &list);

    const std::string &name() const override { return m_name; }
    std::string cloud() const override { return m_list.cloud; }
    [[nodiscard]] base::Result<ports::Inventory> read(const std::map<std::string, ports::KnownMachine> &known,
                                                      std::stop_token stop) override;
    // That the right is there is told with the bill.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    std::string m_name;
    const base::Clock &m_realClock;
    KeyedApi m_api;
    KeyedMachineList m_list;
};

} // namespace gpuledger::auth
