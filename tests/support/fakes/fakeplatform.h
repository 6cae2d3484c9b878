// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/actiontarget.h"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::tests {

// A platform's answer to one call. Codes are the HTTP codes that Kubernetes uses.
enum class FakeAnswer {
    Ok,
    Forbidden, // 403
    NotFound, // 404
    Conflict, // 409
    Gone, // 410
    Invalid, // 422
    TooMany, // 429
    ServerError, // 500, nothing was done
    ServerErrorDone, // 500, after it was done
    TimedOut, // no answer, nothing was done
    TimedOutDone, // no answer, but it was done
    Silent, // 200, but the field was dropped
};

// An object of the platform and its real history.
struct FakeObject {
    model::TargetRef ref;
    int version = 1;
    std::string field = "spec.replicas", value = "3", stoppedValue = "0";
    model::StopVerb verb = model::StopVerb::ScaleToZero;
    bool isReversible = true;
    std::vector<model::HolderKey> holders;
    model::Labels labels, annotations, nameSpaceLabels;
    std::optional<model::Obstacle> obstacle;
    std::vector<std::string> managers;
    std::optional<model::StopMark> mark;
    bool isGone = false;
    int lingering = 0; // reads after a stop during which its holders still exist; negative: forever
    int leftToLinger = 0;
    std::string valueBefore; // before the last stop
    int readsSinceWrite = 0; // that were answered

    bool isDeleted() const;
    bool isStopped() const { return value == stoppedValue; }
};

// A platform in memory. It answers as Kubernetes does: objects are addressed by name; a write with preconditions is
// bound to uid and version (409 or 422 if they differ: nothing is done); after 403, 404, 410 and 429 nothing was done;
// after a 5xx or a timeout only a read can show what happened. Any thread.
class FakePlatform final : public ports::ActionTarget {
public:
    explicit FakePlatform(std::string source = "fake")
        : m_source(std::move(source))
    {
    }

    enum class Call { Find, Read, Permission, Rehearse, Stop, Undo, Announce };
    static bool isWrite(Call call) { return call == Call::Stop || call == Call::Undo; }

    bool preconditions = true, marks = true;
    bool isDead = false; // every call fails and has no effect: the caller died
    // Scripted answers by call, in order; Ok when none are left.
    std::map<Call, std::deque<FakeAnswer>> script;
    // Called before and after each call, without any lock held.
    std::function<void(Call call, const std::string &name, bool after)> hook;
    // Checks a write before it is done; returns a description of a violation.
    std::function<std::string(Call call, const model::TargetState &target, const model::StopMark &mark)> judge;

    // A running object with one holder; its uid is new.
    FakeObject &add(const std::string &name, model::StopVerb verb = model::StopVerb::ScaleToZero);
    // The object that has this name now; null if there is none.
    FakeObject *named(const std::string &name);
    FakeObject *withUid(const std::string &uid);
    // Replaces it by another object with the same name.
    FakeObject &replace(const std::string &name);

    // How often a stop with this key, and its undo, had an effect.
    int stops(const std::string &key) const;
    int undos(const std::string &key) const;
    int effects() const;
    int writes() const { return m_writes; }
    int calls() const { return m_calls; }
    std::vector<std::string> violations() const;
    void violate(const std::string &what);
    // Blocks all other threads; for changes between calls.
    std::unique_lock<std::recursive_mutex> lock() { return std::unique_lock(m_mutex); }

    const std::string &source() const override { return m_source; }
    std::string cluster() const override { return "c1"; }
    bool hasPreconditions() const override { return preconditions; }
    bool leavesMarks() const override { return marks; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    base::Result<model::TargetState> find(const model::HolderKey &holder, std::stop_token stop) override;
    base::Result<model::TargetState> read(const model::TargetRef &target, std::stop_token stop) override;
    base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                               std::stop_token stop) override;
    base::Result<ports::Rehearsal> rehearse(const model::TargetState &target, const model::StopMark &mark,
                                            std::stop_token stop) override;
    ports::WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                             std::stop_token stop) override;
    ports::WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark, const std::string &manifest,
                             std::stop_token stop) override;
    // Not counted as a write: it stops nothing.
    ports::WriteOutcome announce(const model::TargetState &target, const std::optional<model::StopNotice> &notice,
                                 std::stop_token stop) override;

private:
    class Visit; // one call: its hooks and its scripted answer
    model::TargetState stateOf(FakeObject &object);
    FakeObject *target(const model::TargetRef &ref);
    ports::WriteOutcome write(Call call, const model::TargetState &target, const model::StopMark &mark);
    // std::nullopt: done.
    std::optional<ports::WriteOutcome> against(Call call, FakeObject *object, const model::TargetState &target,
                                               const model::StopMark &mark) const;
    std::string change(Call call, FakeObject &object, const model::StopMark &mark);

    const std::string m_source;
    mutable std::recursive_mutex m_mutex;
    std::deque<FakeObject> m_objects; // a deque, so that references stay valid
    std::map<std::string, int> m_stops, m_undos;
    std::vector<std::string> m_violations;
    std::atomic<int> m_writes = 0, m_calls = 0;
    int m_lastUid = 0;
};

} // namespace gpuledger::tests
