// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionresult.h"
#include "app/actions/runner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// "Stop it after some hours unless someone objects": a lease of kind StopAfter, here called a mark. Only where the
// configuration says so (actions.stop_marked), and only `gpuledger-cli watch` acts on one.
namespace gpuledger::actions {

// The least time between telling and stopping, and the longest.
inline constexpr base::Seconds kShortestNotice{600};
inline constexpr base::Seconds kLongestNotice = 30 * base::kDay;
// A round of the watch that comes later than this after the one before did not watch meanwhile.
inline constexpr base::Seconds kLongestRound{900};
// How long it is tried again where nobody can tell whether it may be stopped.
inline constexpr base::Seconds kTriedFor{6 * 3600};

struct MarkQuestion {
    std::vector<std::string> holders; // ids of the idle list
    base::Seconds after{}; // from now
    std::string reason; // kept in the audit log; may be empty
};
// The plan that a stop would have now, and a mark for everything that holds GPUs through what is stoppable in it.
struct Marked {
    Plan plan;
    std::vector<model::Lease> leases;
};
// Nothing is written at the platform. Blocking; a worker thread. Fails with InvalidArgument (the time), Refused (the
// configuration does not allow it; something in it can't be brought back; so much needs its number typed), and as
// makePlan() does; then nothing is marked.
[[nodiscard]] base::Result<Marked> makeMarks(const MarkQuestion &question, ActionContext &engine, std::stop_token stop);

// Why a mark is over.
enum class MarkEnd {
    Objected, // check: a wish to keep it, a label, a rule
    Worked, // it was active since it was marked
    Left, // it is not in the idle list any more
    Stopped, // action, result
    StoppedBefore, // action, result: somebody did not wait
    Failed, // action, result
    Refused, // check
    PlatformRefused, // action, result
    Partly, // detail: what else holds GPUs through the object, unmarked
    TooMuch, // together with others that are due it is over the limits of one confirmation
    OneWay, // it can't be brought back
    GaveUp, // nobody could tell for kTriedFor; check or detail
    Last = GaveUp,
};
enum class MarkDelay { Unwatched, ClockJumped, Last = ClockJumped };

// What one round says of one mark; on disk when it is told.
struct MarkEvent {
    enum class Kind {
        Over,
        Postponed, // lease.until is the new time
        Waits, // due; tried again in the next round
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
// For the audit log, as a JSON object; without the lease and the name.
std::string dataOf(const MarkEvent &event);
// The event that the details of such an entry tell, as data or in a sentence of an earlier version (legacyresult.h);
// nothing: they tell none, such as where somebody took the mark back.
std::optional<MarkEvent> markIn(const store::AuditEvent &entry);

} // namespace gpuledger::actions
