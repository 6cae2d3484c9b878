// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/runner.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// "Stop it after some hours unless somebody objects": a lease of kind StopAfter, here called a mark. Only where the
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
[[nodiscard]] base::Result<Marked> makeMarks(const MarkQuestion &question, Engine &engine, std::stop_token stop);

// Why a mark is over.
enum class MarkEnd {
    Objected, // check: a wish to keep it, a label, a rule
    Worked, // it was active since it was marked
    Left, // it is not in the idle list any more
    Stopped, // action
    StoppedBefore, // action: somebody did not wait
    Failed, // action, detail: what became of it
    Refused, // check
    PlatformRefused, // action, detail
    Partly, // detail: what else holds GPUs through the object, unmarked
    TooMuch, // together with others that are due it is over the limits of one confirmation
    OneWay, // it can't be brought back
    GaveUp, // nobody could tell for kTriedFor; detail
};
enum class MarkDelay { Unwatched, ClockJumped };

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
    std::string detail;
};
using MarkProgress = std::function<void(const MarkEvent &)>;

std::string_view toString(MarkEnd end); // "objected", …
std::string_view toString(MarkDelay delay);
// What the audit log says of it, in English, and back; nothing: it is another sentence. The lease and the name are not
// in it.
std::string sentenceOf(const MarkEvent &event);
std::optional<MarkEvent> markInSentence(const std::string &sentence);

} // namespace gpuledger::actions
