// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/action.h"
#include "connectors/demo/fleet/workloadplan.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::demo {

// The users' actions on one object of the simulated platform.
struct SimulatedAction {
    struct Pause {
        base::UtcTime from{}; // when it was stopped
        std::optional<base::UtcTime> until; // when it was restored
    };
    std::vector<Pause> pauses; // ascending; the last one may be open
    std::optional<base::UtcTime> busySince; // its work has continued since then
    std::int64_t version = 1;
    std::int64_t changedAt = 0; // real time, Unix seconds: its pods take a moment to terminate
    std::string value; // current value of its field; empty: the original value
    std::optional<model::StopMark> mark;
    model::Labels annotations; // which users and announce() put on it
    std::string manager; // another controller that a user put in charge of it, such as "argo-cd:web"; empty: none

    bool isPaused() const { return !pauses.empty() && !pauses.back().until; }
};

// By object uid. Stored in a file beside the cache that any process can read; a missing file counts as empty.
using SimulatedActions = std::map<std::string, SimulatedAction>;
// Fails with StorageCorrupt or StorageReadOnly.
[[nodiscard]] base::Result<SimulatedActions> readDeeds(const std::filesystem::path &file);
// Changes one entry under the file lock; `change` returns false to leave it as it is.
template <typename Change>
[[nodiscard]] base::Result<bool> changeDeed(const std::filesystem::path &file, const std::string &uid, Change change);

// The object that owns a run's pods.
std::string objectUid(const Lane &lane, const Run &run);
// The parts of a run that remain after its pauses. After a pause, a run has different pods.
std::vector<Run> piecesOf(const Run &run, const SimulatedAction *deed);
const SimulatedAction *deedOf(const SimulatedActions &deeds, const Lane &lane, const Run &run);

// Holds the file lock during its lifetime; take() waits for other holders.
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
