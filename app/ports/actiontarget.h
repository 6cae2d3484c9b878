// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/action.h"
#include "app/ports/probereport.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ports {

// The outcome of a call that changes something.
struct WriteOutcome {
    enum class Kind {
        Done, // confirmed by the platform
        Changed, // a precondition failed (409, 422): it is not the object that was checked; nothing was done
        Refused, // refused by the platform (403, admission, quota, disruption budget); nothing was done
        Gone, // the object does not exist; nothing was done
        TryLater, // 429, or a busy platform that reported it did nothing
        Unknown, // no answer, or 5xx: only reading the object can tell. Never repeated blindly
    };
    Kind kind = Kind::Unknown;
    std::string text; // the platform's own words, plain text; empty if it was done
    std::string version; // of the object afterwards; empty: not reported
    std::string receipt; // the platform's own id of the call (Audit-Id, request id); may be empty
    std::vector<std::string> warnings; // from the platform, plain text
    std::optional<base::Seconds> retryAfter;
};

// Whether the caller is allowed to do it, according to the platform. Allowed is not a guarantee of success.
struct Permission {
    bool isAllowed = false;
    std::string missing; // verb, resource and place of the missing permission
};

// The platform's own dry run of the write that a stop would make.
struct Rehearsal {
    enum class Kind {
        Accepted,
        Refused,
        Impossible, // no dry run is possible there (a webhook with side effects); neither accepted nor refused
    };
    Kind kind = Kind::Impossible;
    std::string text; // the platform's own words
    std::vector<std::string> warnings;
};

// A platform on which workloads can be stopped and started again: a cluster, a cloud account. Every call queries the
// platform itself, never a cache, and blocks; call from a worker thread; several calls on one object may run at once. A
// stop request ends a call within 200 ms: with Cancelled if it only reads; if it writes, with WriteOutcome::Unknown if
// the call may have been sent. Errors: NotFound (no such object, or another one of the same name: the uid differs),
// Forbidden (text names verb and resource), Unauthorized, Timeout, Network, Tls, Server, RateLimited, Parse.
class ActionTarget {
public:
    virtual ~ActionTarget() = default;
    virtual const std::string &source() const = 0; // name in the configuration
    // The cluster or account whose holders it can reach; empty: any, given in each call.
    virtual std::string cluster() const = 0;
    // True for a simulated platform: nothing real is stopped. Shown wherever it acts.
    virtual bool isSimulated() const { return false; }
    // True if writes are bound to the uid and version that were checked. Otherwise those are compared right before the
    // call and afterwards (Caution::Unguarded).
    virtual bool hasPreconditions() const = 0;
    // True if a stop leaves its mark on the object in the same call: then an object that is stopped without this mark
    // was stopped by someone else. (A deletion leaves none.)
    virtual bool leavesMarks() const { return false; }

    // A connection test: whether it answers, and what the caller is allowed to do there. Changes nothing.
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;

    // The topmost object that must be stopped to end this holder, in its current state. If it cannot be stopped,
    // `obstacle` says why. A holder that no longer exists, or another one of the same name (uid), fails with NotFound;
    // a name that several objects have with Refused, so that no other platform is taken for the only one.
    [[nodiscard]] virtual base::Result<model::TargetState> find(const model::HolderKey &holder,
                                                                std::stop_token stop) = 0;
    // That very object in its current state, with its remaining holders.
    [[nodiscard]] virtual base::Result<model::TargetState> read(const model::TargetRef &target,
                                                                std::stop_token stop) = 0;
    // Like read(), for a caller that waits for it to end: what surrounds it (cautions, labels of its namespace, other
    // managers) may be left out. Makes fewer calls if the platform allows.
    [[nodiscard]] virtual base::Result<model::TargetState> standing(const model::TargetRef &target,
                                                                    std::stop_token stop)
    {
        return read(target, std::move(stop));
    }
    // Whether the caller may stop it (or, with `undo`, start it again).
    [[nodiscard]] virtual base::Result<Permission> permission(const model::TargetState &target, bool undo,
                                                              std::stop_token stop) = 0;
    // The stop as a dry run, with the same preconditions.
    [[nodiscard]] virtual base::Result<Rehearsal> rehearse(const model::TargetState &target,
                                                           const model::StopMark &mark, std::stop_token stop) = 0;
    // Stops it if it is still as in `target` (uid, version, value of the field), and leaves the mark on the object in
    // the same call if the platform can. Changes nothing but the field and the mark.
    [[nodiscard]] virtual WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                            std::stop_token stop) = 0;
    // Sets the field back to `mark.oldValue` and removes the mark, if the object is still as in `target` (just read)
    // and its field still has the value that the stop set. What was deleted is recreated from `manifest`; it then has
    // another uid, which is returned in `version`.
    [[nodiscard]] virtual WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                            const std::string &manifest, std::stop_token stop) = 0;

    // Writes onto the object that a stop is planned, or removes that note (std::nullopt), if the object is still as in
    // `target`. Changes nothing else. Refused: no permission, or the platform keeps no such notes.
    [[nodiscard]] virtual WriteOutcome
    announce(const model::TargetState & /*target*/, const std::optional<model::StopNotice> & /*notice*/,
             // NOLINTNEXTLINE(performance-unnecessary-value-param): implementations keep it
             std::stop_token /*stop*/)
    {
        return {WriteOutcome::Kind::Refused, "this platform keeps no notes about planned stops", {}, {}, {}, {}};
    }
};

} // namespace gpuledger::ports
