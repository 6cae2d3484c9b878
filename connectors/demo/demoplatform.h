// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/actiontarget.h"
#include "connectors/demo/activity/simulatedactions.h"
#include "connectors/demo/activity/simulation.h"

#include <filesystem>
#include <memory>

namespace gpuledger::demo {

// The simulated platform of the demo fleet: nothing real is stopped. It behaves like a cluster: objects have a uid and
// a version, a write to an outdated version is refused, and pods take a moment to terminate. Changes are stored in the
// file named by the source's `path`, so that other processes and the fleet's telemetry see them too. Any thread.
class DemoPlatform final : public ports::ActionTarget {
public:
    // Fails with InvalidConfig, and with Unsupported if the source has no path. The clock must outlive it.
    [[nodiscard]] static base::Result<std::unique_ptr<ports::ActionTarget>>
    create(const model::SourceSettings &settings, const base::Clock &clock);

    DemoPlatform(std::string source, const Options &options, std::filesystem::path file, const base::Clock &clock);

    const std::string &source() const override { return m_source; }
    std::string cluster() const override { return {}; }
    bool isSimulated() const override { return true; }
    bool hasPreconditions() const override { return true; }
    bool leavesMarks() const override { return true; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<model::TargetState> find(const model::HolderKey &holder, std::stop_token stop) override;
    [[nodiscard]] base::Result<model::TargetState> read(const model::TargetRef &target, std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                                             std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::Rehearsal> rehearse(const model::TargetState &target, const model::StopMark &mark,
                                                          std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                           std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                           const std::string &manifest, std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome announce(const model::TargetState &target,
                                               const std::optional<model::StopNotice> &notice,
                                               std::stop_token stop) override;

private:
    struct Found {
        const Lane *lane = nullptr;
        Run run;
    };
    // The run whose object, or one of whose pods, `matches` accepts.
    template <typename Matches>
    std::optional<Found> findRun(base::TimeRange range, const SimulatedActions &deeds, const Matches &matches) const;
    model::TargetState stateOf(const Found &found, const SimulatedActions &deeds) const;

    const std::string m_source;
    const std::filesystem::path m_file;
    const base::Clock &m_clock;
    const std::int64_t m_ending; // seconds of real time that pods take to terminate
    const Simulation m_simulation;
};

} // namespace gpuledger::demo
