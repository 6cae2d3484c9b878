// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/announced.h"
#include "app/actions/run/runner.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::actions {

// Keeps the notes about planned stops at the objects in line with the marks of rules. The caller holds the ActionLock.
// One thread; blocking. `engine` must outlive it.
class StopNotes {
public:
    StopNotes(ActionContext &engine, std::filesystem::path dataFolder, std::stop_token stop)
        : m_context(engine)
        , m_dataFolder(std::move(dataFolder))
        , m_stop(std::move(stop))
        , m_all(announcedIn(m_dataFolder))
    {
    }

    bool isEmpty() const { return m_all.empty(); }
    // The objection to a rule's mark that someone made by changing or removing the note at the object, which was just
    // read; std::nullopt if there is none. `until`: the time of the mark.
    std::optional<Check> objectionAt(const model::TargetState &target, std::optional<base::UtcTime> until) const;
    // The same for the object of a mark, which it reads. Fails if the object can't be read now.
    [[nodiscard]] base::Result<std::optional<Check>> objectionTo(const model::Lease &mark) const;
    // What became of a note; `text` is the platform's answer unless it was written or is tried again.
    struct Note {
        bool isGone = false; // the object does not exist any more
        std::string text;
    };
    // Notes a stop that is about to be marked. Fails with Storage… codes; then nothing was written.
    [[nodiscard]] base::Result<Note> write(const model::TargetState &target, const std::vector<std::string> &holders,
                                           const model::StopNotice &notice);
    // Writes what the first try missed or was postponed, and removes the notes of marks that are over. What can't be
    // reached is tried again in the next round. Fails with Storage… codes.
    [[nodiscard]] base::Result<void> tidy();

private:
    bool tidied(Announced &one, const std::vector<model::Lease> &leases);

    ActionContext &m_context;
    const std::filesystem::path m_dataFolder;
    const std::stop_token m_stop;
    std::vector<Announced> m_all;
};

// If someone changed or removed the note at the object. `all`: what is known of notes; `until`: the time of the mark,
// which the note has if an answer was lost.
std::optional<Check> objectionAtNote(const std::vector<Announced> &all, const model::TargetState &target,
                                     std::optional<base::UtcTime> until);
// The check that fails because of the note that the object has now, or does not have any more.
Check noteObjection(const model::TargetState &target);
// "alert idle-cost: …", as it is noted at an object.
std::string noteText(const model::Lease &mark);

} // namespace gpuledger::actions
