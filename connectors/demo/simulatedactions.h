// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/action.h"
#include "connectors/demo/workloadplan.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::demo {

// What people did to one object of the made-up platform.
struct SimulatedAction {
    struct Pause {
        base::UtcTime from{}; // it was stopped
        std::optional<base::UtcTime> until; // and brought back
    };
    std::vector<Pause> pauses; // ascending; the last one may be open
    std::optional<base::UtcTime> busySince; // its work goes on since then
    std::int64_t version = 1;
    std::int64_t changedAt = 0; // real time, Unix seconds: its pods take a moment to end
    std::string value; // of its field now; empty: as it is by nature
    std::optional<model::StopMark> mark;
    std::string manager; // another controller that somebody put in charge of it, as "argo-cd:web"; empty: none

    bool isPaused() const { return !pauses.empty() && !pauses.back().until; }
};

// By uid of the object. Kept in a file beside the cache, which any tool can read; a missing one is empty.
using SimulatedActions = std::map<std::string, SimulatedAction>;
// Fails with StorageCorrupt or StorageReadOnly.
[[nodiscard]] base::Result<SimulatedActions> readDeeds(const std::filesystem::path &file);
// Changes one deed while nobody else can; `change` answers false to leave it as it is.
template <typename Change>
[[nodiscard]] base::Result<bool> changeDeed(const std::filesystem::path &file, const std::string &uid, Change change);

// The object that a run's pods belong to.
std::string objectUid(const Lane &lane, const Run &run);
// What is left of a run after its pauses. A piece after a pause has other pods.
std::vector<Run> piecesOf(const Run &run, const SimulatedAction *deed);
const SimulatedAction *deedOf(const SimulatedActions &deeds, const Lane &lane, const Run &run);

// Holds the file's lock while it lives; waits for others.
class DeedLock {
public:
    [[nodiscard]] static base::Result<DeedLock> take(const std::filesystem::path &file);
    ~DeedLock();
    DeedLock(DeedLock &&other) noexcept
        : m_fd(other.m_fd)
    {
        other.m_fd = -1;
    }
    DeedLock(const DeedLock &) = delete;
    DeedLock &operator=(const DeedLock &) = delete;
    DeedLock &operator=(DeedLock &&) = delete;

private:
    explicit DeedLock(int fd)
        : m_fd(fd)
    {
    }
    int m_fd;
};
[[nodiscard]] base::Result<void> writeDeeds(const std::filesystem::path &file, const SimulatedActions &deeds);

template <typename Change>
base::Result<bool> changeDeed(const std::filesystem::path &file, const std::string &uid, Change change)
{
    const auto lock = DeedLock::take(file);
    GPULEDGER_TRY(lock);
    auto deeds = readDeeds(file);
    GPULEDGER_TRY(deeds);
    if (!change((*deeds)[uid]))
        return false;
    GPULEDGER_TRY(writeDeeds(file, *deeds));
    return true;
}

} // namespace gpuledger::demo
