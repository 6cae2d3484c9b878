// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
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

// What telemetry says at this moment about things that the idle list names.
struct Liveness {
    enum class Kind {
        Quiet, // below the threshold in every sample
        Active,
        Unseen, // no sample young enough
    };
    struct Seen {
        Kind kind = Kind::Unseen;
        // Active: of the sample that shows it; else the newest sample of the device that was seen the longest ago.
        base::UtcTime at{};
        std::optional<double> share; // Active: of a device; nothing where a request shows it
    };
    std::map<std::string, Seen> holders; // by id; one that is missing is Unseen
    base::UtcTime newest{}; // newest sample of any of them
    std::optional<std::chrono::steady_clock::time_point> askedAt; // the oldest of its answers; nothing: just now
};

struct LiveQuestion {
    base::UtcTime since{}; // the idle list has looked until then: what came later counts
    std::chrono::steady_clock::time_point notBefore{}; // an answer that was asked for earlier does not count
};

// Where a holder can be stopped.
struct Platform {
    ports::ActionTarget *target = nullptr; // lives as long as the ActionEnvironment
    bool mayStop = false; // `rights` of its source
};

// What the engine asks of the rest of the program and of the outside; blocking, worker threads, several calls at once.
// Implemented by app/services, and by tests.
class ActionEnvironment {
public:
    virtual ~ActionEnvironment() = default;
    virtual const base::Clock &clock() const = 0;
    // Never jumps.
    virtual std::chrono::steady_clock::time_point steady() const { return std::chrono::steady_clock::now(); }
    // Ends early, with false, at a request to stop.
    virtual bool wait(std::chrono::milliseconds time, std::stop_token stop) const = 0;
    // The idle list as it is now, with what telemetry tells since the last sync.
    [[nodiscard]] virtual base::Result<insight::IdleList> idleNow(std::stop_token stop) = 0;
    // The raw samples of these items, asked of the sources directly. Fails where a source that may know one of them
    // can't be asked.
    [[nodiscard]] virtual base::Result<Liveness> liveness(const std::vector<insight::IdleItem> &items,
                                                          const LiveQuestion &question, std::stop_token stop) = 0;
    // Bytes a second that it writes to disk and sends at this moment; nothing: no source tells.
    virtual std::optional<double> writesOf(const insight::IdleItem &item, std::stop_token stop) = 0;
    // GPUs that each team holds now.
    [[nodiscard]] virtual base::Result<std::map<std::string, double>> heldGpus() = 0;
    // Where a holder may be: one, or all regions of a cloud. Never empty: fails with NotFound where no source reaches
    // its cluster; else as the platform does.
    [[nodiscard]] virtual base::Result<std::vector<Platform>> platformsOf(const model::HolderKey &holder) = 0;
    // The platform that a stored action was sent to, by the name of its source.
    [[nodiscard]] virtual base::Result<Platform> platformNamed(const std::string &source) = 0;
    virtual const model::Settings &settings() const = 0;
    virtual std::string actor() const = 0;
};

// Of the ids of the idle list: the key of a holder.
model::HolderKey keyOf(const insight::IdleItem &item);
// The id that the idle list has for this holder.
std::string idOf(const model::HolderKey &holder);

} // namespace gpuledger::actions
