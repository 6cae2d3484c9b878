// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/actionenvironment.h"
#include "app/ports/sourcecatalog.h"
#include "app/services/actions/livesamples.h"
#include "app/services/actions/queueservice.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace gpuledger::services {

// Provides actions with the configured sources and platforms. Any thread.
class LiveEnvironment final : public actions::ActionEnvironment {
public:
    LiveEnvironment(FleetQuestions &fleet, const ports::SourceCatalog &catalog, ports::SecretStore &secrets,
                    std::string actor);
    ~LiveEnvironment() override;

    const base::Clock &clock() const override;
    // Stands still if the clock is set to a fixed time.
    std::chrono::steady_clock::time_point steady() const override;
    bool wait(std::chrono::milliseconds time, std::stop_token stop) const override;
    [[nodiscard]] base::Result<insight::IdleList> idleNow(std::stop_token stop) override;
    [[nodiscard]] base::Result<actions::Liveness> liveness(const std::vector<insight::IdleItem> &items,
                                                           const actions::LiveQuestion &question,
                                                           std::stop_token stop) override;
    std::optional<double> writesOf(const insight::IdleItem &item, std::stop_token stop) override;
    [[nodiscard]] base::Result<std::map<std::string, double>> heldGpus() override;
    [[nodiscard]] base::Result<std::vector<actions::Platform>> platformsOf(const model::HolderKey &holder) override;
    [[nodiscard]] base::Result<actions::Platform> platformNamed(const std::string &source) override;
    const model::Settings &settings() const override;
    std::string actor() const override { return m_actor; }

    // What currently waits for GPUs.
    QueueService &waiting() { return m_waiting; }

    const ports::SourceKind *kindOf(const model::SourceSettings &source) const;

private:
    bool isSetClock() const;
    std::string kindsThatStop(bool machines) const; // platforms, for a sentence: "aws or gcp"
    bool tellsTelemetry(const model::SourceSettings &source) const;
    bool listsOneOf(const model::SourceSettings &source, const std::vector<insight::IdleItem> &items) const;
    bool mayKnow(const model::SourceSettings &source, const std::vector<insight::IdleItem> &items) const;

    FleetQuestions &m_fleet;
    const ports::SourceCatalog &m_catalog;
    ports::SecretStore &m_secrets;
    const std::string m_actor;
    const ports::SourceKinds m_kinds;
    LiveSamples m_samples;
    QueueService m_waiting;
    std::mutex m_mutex;
    // Platforms are never destroyed: a call may still be running on one whose source was removed from the
    // configuration.
    struct Made {
        std::string settings; // the settings that it was created from
        std::unique_ptr<ports::ActionTarget> target;
    };
    std::multimap<std::string, Made> m_targets; // by source name
};

} // namespace gpuledger::services
