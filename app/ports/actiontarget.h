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

// What became of a call that changes something.
struct WriteOutcome {
    enum class Kind {
        Done, // the platform said so
        Changed, // a precondition failed (409, 422): it is not the object that was checked; nothing was done
        Refused, // the platform said no (403, admission, quota, disruption budget); nothing was done
        Gone, // the object is not there; nothing was done
        TryLater, // 429, or a busy platform that said it did nothing
        Unknown, // no answer, or 5xx: only reading the object tells. Never repeated blindly
    };
    Kind kind = Kind::Unknown;
    std::string text; // the platform's own words, plain text; empty where it was done
    std::string version; // of the object afterwards; empty: not told
    std::string receipt; // the platform's own id of the call (Audit-Id, request id); may be empty
    std::vector<std::string> warnings; // the platform's, plain text
    std::optional<base::Seconds> retryAfter;
};

// Whether the caller may do it, as the platform says. Allowed is no promise.
struct Permission {
    bool isAllowed = false;
    std::string missing; // verb, resource and place of the right that is missing
};

// The platform's own rehearsal of the write that a stop would be.
struct Rehearsal {
    enum class Kind {
        Accepted,
        Refused,
        Impossible, // it can't be rehearsed there (a webhook with side effects); neither accepted nor refused
    };
    Kind kind = Kind::Impossible;
    std::string text; // the platform's own words
    std::vector<std::string> warnings;
};

// A platform on which things can be stopped and started again: a cluster, an account of a cloud. Every call asks the
// platform itself, never a cache, and blocks; worker threads; several calls of one object may run at once. A request to
// stop ends a call within 200 ms: with Cancelled where it only reads; where it writes, with WriteOutcome::Unknown if
// the call may have left. Errors: NotFound (no such object, or another one under its name: the uid differs),
// Forbidden (text names verb and resource), Unauthorized, Timeout, Network, Tls, Server, RateLimited, Parse.
class ActionTarget {
public:
    virtual ~ActionTarget() = default;
    virtual const std::string &source() const = 0; // name in the configuration
    // The cluster or account whose holders it can reach; empty: any, each call tells.
    virtual std::string cluster() const = 0;
    // A made-up platform: nothing real is stopped. Shown wherever it acts.
    virtual bool isSimulated() const { return false; }
    // Whether writes are bound to the uid and version that were checked. Without that they are compared right before
    // the call and afterwards (Caution::Unguarded).
    virtual bool hasPreconditions() const = 0;
    // Whether a stop leaves its mark at the object in the same call: then an object that is stopped without this mark
    // was stopped by somebody else. (A deletion leaves none.)
    virtual bool leavesMarks() const { return false; }

    // A connection test: whether it answers, and what may be done there. Changes nothing.
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;

    // The topmost object that must be stopped so that this holder ends, as it is now. Where it can't be stopped,
    // `obstacle` says why. A holder that is there no more, or another one under its name (uid), fails with NotFound.
    [[nodiscard]] virtual base::Result<model::TargetState> find(const model::HolderKey &holder,
                                                                std::stop_token stop) = 0;
    // That very object as it is now, with the holders that it still has.
    [[nodiscard]] virtual base::Result<model::TargetState> read(const model::TargetRef &target,
                                                                std::stop_token stop) = 0;
    // As read(), for who waits for it to end: what surrounds it (cautions, labels of its namespace, who else manages
    // it) may be left out. Fewer calls where the platform can.
    [[nodiscard]] virtual base::Result<model::TargetState> standing(const model::TargetRef &target,
                                                                    std::stop_token stop)
    {
        return read(target, std::move(stop));
    }
    // May we stop it (or, `undo`, start it again)?
    [[nodiscard]] virtual base::Result<Permission> permission(const model::TargetState &target, bool undo,
                                                              std::stop_token stop) = 0;
    // The stop as a dry run, with the same preconditions.
    [[nodiscard]] virtual base::Result<Rehearsal> rehearse(const model::TargetState &target,
                                                           const model::StopMark &mark, std::stop_token stop) = 0;
    // Stops it if it still is as `target` says (uid, version, value of the field), and leaves the mark at the object in
    // the same call where the platform can. Changes nothing but the field and the mark.
    [[nodiscard]] virtual WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                            std::stop_token stop) = 0;
    // Sets the field back to `mark.oldValue` and takes the mark away, if the object is still as `target` says (just
    // read) and its field still has what the stop set. What was deleted is made again from `manifest`; it then has
    // another uid, which is in `version`.
    [[nodiscard]] virtual WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                            const std::string &manifest, std::stop_token stop) = 0;
};

} // namespace gpuledger::ports
