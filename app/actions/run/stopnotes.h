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

// Whether someone changed or removed the note at the object, which said `noted` when it was last written. `planned`:
// the time of the mark, which the note has if an answer was lost.
bool isNoteChanged(const model::TargetState &target, base::UtcTime noted, std::optional<base::UtcTime> planned);
// "alert idle-cost: …", as it is noted at an object.
std::string noteText(const model::Lease &mark);

} // namespace gpuledger::actions
