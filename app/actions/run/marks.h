// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/actionresult.h"
#include "app/actions/run/runner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Delayed stops that anyone can object to: a lease of kind StopAfter, here called a mark. Marks exist only if the
// configuration sets actions.stop_marked, and only `gpuledger-cli watch` acts on them.
namespace gpuledger::actions {

// The shortest and the longest allowed time between giving notice and stopping.
inline constexpr base::Seconds kShortestNotice{600};
inline constexpr base::Seconds kLongestNotice = 30 * base::kDay;
// If two rounds are further apart than this, the watch counts as not running in between.
inline constexpr base::Seconds kLongestRound{900};
// How long a mark is retried while it can't be determined whether the workload may be stopped.
inline constexpr base::Seconds kTriedFor{6 * 3600};

struct MarkQuestion {
    std::vector<std::string> holders; // ids of the idle list
    base::Seconds after{}; // from now
    std::string reason; // kept in the audit log; may be empty
};
// The plan of an immediate stop, and a mark for everything that holds GPUs through its stoppable objects.
struct Marked {
    Plan plan;
    std::vector<model::Lease> leases;
};
// Creates marks without writing anything to the platform. Blocking; call on a worker thread. Fails with InvalidArgument
// (the time), with Refused (the configuration does not allow it, something can't be restored, or the number of objects
// would have to be typed), and as makePlan() does; then nothing is marked.
[[nodiscard]] base::Result<Marked> makeMarks(const MarkQuestion &question, ActionContext &engine, std::stop_token stop);

// Why a mark ended.
enum class MarkEnd {
    Objected, // check: a lease, a label or a rule
    Worked, // it has been active since it was marked
    Left, // it is no longer in the idle list
    Stopped, // action, result
    StoppedBefore, // action, result: it was stopped before the mark was due
    Failed, // action, result
    Refused, // check
    PlatformRefused, // action, result
    Changed, // action, result: between the checks and the call
    Partly, // detail: what else holds GPUs through the object without a mark
    TooMuch, // the marks due with it exceed the limits of one confirmation
    OneWay, // it can't be restored
    GaveUp, // it could not be judged for kTriedFor; check or detail
    Resolved, // the alert whose rule made it no longer fires
    Last = Resolved,
};
enum class MarkDelay { Unwatched, ClockJumped, Last = ClockJumped };

// What one round decided about one mark. Already on disk when it is reported.
struct MarkEvent {
    enum class Kind {
        Over,
        Postponed, // lease.until is the new due time
        Waits, // due; retried in the next round
    };
    Kind kind = Kind::Waits;
    model::Lease lease;
    std::string name; // of the workload; foreign text
    MarkEnd end{}; // Over
    MarkDelay delay{}; // Postponed
    std::optional<Check> check;
    std::int64_t action = 0;
    ActionResult result; // of that action
    std::string detail; // foreign text
};
using MarkProgress = std::function<void(const MarkEvent &)>;

std::string_view toString(MarkEnd end); // "objected", …
std::string_view toString(MarkDelay delay);
std::optional<MarkEnd> markEndFrom(std::string_view text);
std::optional<MarkDelay> markDelayFrom(std::string_view text);
// Serializes for the audit log as a JSON object, without the lease and the name.
std::string dataOf(const MarkEvent &event);
// The event in the details of such an entry, as data or as a sentence of an earlier version (legacyresult.h);
// std::nullopt if they contain none, such as when a mark was removed by hand.
std::optional<MarkEvent> markIn(const store::AuditEvent &entry);

} // namespace gpuledger::actions
