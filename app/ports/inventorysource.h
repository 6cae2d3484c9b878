// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/model/settings.h"
#include "app/ports/factbatch.h"
#include "app/ports/finding.h"
#include "app/ports/pricesource.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ports {

// A machine with GPUs in a cloud's own list, and its current or last run.
struct ListedMachine {
    std::string id; // of the machine in its account; never used again for another one
    std::string hostName; // under which telemetry may know it, too; empty: not told
    std::string providerId; // as model::Node::providerId
    std::string type; // "p5.48xlarge"
    std::string region, zone;
    model::Labels tags; // as the cloud writes them
    std::string gpuName; // as the cloud or the catalogue names the model
    std::int64_t gpus = 0; // whole ones
    std::int64_t memoryMib = 0; // of one; 0: not told
    std::optional<base::UtcTime> since; // when the run began; empty: the cloud does not tell
    std::optional<base::UtcTime> until; // when it ended, at most some hours ago; empty: it goes on
    std::optional<base::Money> perHour; // what the list says that an hour of it costs; empty: it does not say
    bool isSpot = false; // the cloud may take it back, for a lower price
    bool isMember = false; // of a cluster or group, whose scheduler says who holds its GPUs
};

struct Inventory {
    std::vector<ListedMachine> machines;
    std::vector<FactBatch::Rejected> leftOut; // machines that may have GPUs
    std::vector<std::string> stoppedAndBilled{}; // ids of `machines` that are off and cost as much as before
    std::vector<std::string> warnings{}; // sentences about what could not be read beside the list
    // A service beside the list failed, as a warning says: its machines are missing, though they may still run. They
    // are not told as ended. False if the account may not read the service, or does not have it.
    bool isPartial = false;

    // Counts one more machine in `leftOut`.
    void leaveOut(std::string_view reason);
    // Notes that a service beside the list failed: a warning that begins with `remark`, and the list is partial. False
    // if the failure is not that of a service alone (Cancelled, Unauthorized, Refused, …): nothing is noted.
    [[nodiscard]] bool noteFailure(const std::string &remark, const base::Error &why);
};

class UsageSource;

// A cloud's list of the machines that exist. Blocking; call from a worker
// thread; one call at a time per object; a stop request ends them with Cancelled.
class InventorySource {
public:
    virtual ~InventorySource() = default;
    virtual const std::string &name() const = 0; // of the source
    virtual std::string cloud() const = 0; // as model::Node::cloud, and as price lists name the provider: "aws"
    // All machines with GPUs, or none of them, but for services beside the list (Inventory::isPartial). `known` are the
    // machine types of cloud() by type in lower case, for what the cloud does not tell. Fails with Forbidden,
    // Unauthorized, TooMuch (above a limit), Parse, Server, Timeout, Network, Tls, Refused (the clocks differ) or
    // Cancelled.
    [[nodiscard]] virtual base::Result<Inventory> read(const std::map<std::string, KnownMachine> &known,
                                                       std::stop_token stop) = 0;
    // What a connection test says of the list: each right that is there (FindingText::RightGiven) or missing
    // (FindingText::MachinesWithheld, and RunsUnread where only the begins of runs are not known).
    // Fails like read(), but not with Forbidden.
    [[nodiscard]] virtual base::Result<std::vector<Finding>> probe(std::stop_token stop) = 0;
    // What the cloud's own monitoring measures of these machines; null: it measures no GPUs, or the settings don't ask
    // for it. Lives as long as the source.
    virtual UsageSource *usage() { return nullptr; }
};

// Whether the settings ask for the list (kMachinesField). Fails with InvalidConfig (another word).
[[nodiscard]] base::Result<bool> wantsMachines(const model::SourceSettings &settings);

} // namespace gpuledger::ports
