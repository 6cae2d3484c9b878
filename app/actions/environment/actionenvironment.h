// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/insight/idle/idle.h"
#include "app/model/actionrecord.h"
#include "app/model/settings.h"
#include "app/ports/actiontarget.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::actions {

// What telemetry reports right now about the holders in the idle list.
struct Liveness {
    enum class Kind {
        Quiet, // below the threshold in every sample
        Active,
        Unseen, // no sample young enough
    };
    struct Seen {
        Kind kind = Kind::Unseen;
        // Active: time of the sample that shows the activity. Otherwise the newest sample of the device that has gone
        // unseen the longest.
        base::UtcTime at{};
        std::optional<double> share; // Active: busy share of a device; std::nullopt if a request was active
    };
    std::map<std::string, Seen> holders; // by holder id; a missing holder is Unseen
    base::UtcTime newest{}; // newest sample of any holder
    std::optional<std::chrono::steady_clock::time_point> askedAt; // for the oldest answer; std::nullopt: just now
};

struct LiveQuestion {
    base::UtcTime since{}; // end of the time that the idle list covers; only later activity counts
    std::chrono::steady_clock::time_point notBefore{}; // answers requested before this time don't count
};

// The platform on which a holder can be stopped.
struct Platform {
    ports::ActionTarget *target = nullptr; // lives as long as the ActionEnvironment
    bool mayStop = false; // the `rights` of its source include stopping
};

// Everything that the action engine needs from the rest of the program and from the outside world. Implemented by
// app/services and by tests. All calls block and are made from worker threads, several at once.
class ActionEnvironment {
public:
    virtual ~ActionEnvironment() = default;
    virtual const base::Clock &clock() const = 0;
    // Monotonic time.
    virtual std::chrono::steady_clock::time_point steady() const { return std::chrono::steady_clock::now(); }
    // Returns false early if a stop is requested.
    virtual bool wait(std::chrono::milliseconds time, std::stop_token stop) const = 0;
    // The current idle list, including what telemetry has reported since the last sync.
    [[nodiscard]] virtual base::Result<insight::IdleList> idleNow(std::stop_token stop) = 0;
    // Reads the raw samples of these items directly from the sources. Fails if a source that might know one of the
    // items can't be queried.
    [[nodiscard]] virtual base::Result<Liveness> liveness(const std::vector<insight::IdleItem> &items,
                                                          const LiveQuestion &question, std::stop_token stop) = 0;
    // Bytes per second that the item currently writes to disk and sends over the network; std::nullopt if no source can
    // say.
    virtual std::optional<double> writesOf(const insight::IdleItem &item, std::stop_token stop) = 0;
    // GPUs that each team currently holds.
    [[nodiscard]] virtual base::Result<std::map<std::string, double>> heldGpus() = 0;
    // The platforms where a holder may run: one, or one per region of a cloud. Never empty: fails with NotFound if no
    // source reaches the holder's cluster, otherwise with the platform's error.
    [[nodiscard]] virtual base::Result<std::vector<Platform>> platformsOf(const model::HolderKey &holder) = 0;
    // The platform that a stored action was sent to, by the name of its source.
    [[nodiscard]] virtual base::Result<Platform> platformNamed(const std::string &source) = 0;
    virtual const model::Settings &settings() const = 0;
    virtual std::string actor() const = 0;
};

// The holder key for an item of the idle list.
model::HolderKey keyOf(const insight::IdleItem &item);
// The id that the idle list uses for this holder.
std::string idOf(const model::HolderKey &holder);

} // namespace gpuledger::actions
