// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/actionenvironment.h"
#include "tests/support/fakes/fakeplatform.h"

#include <functional>
#include <map>
#include <string>

namespace gpuledger::tests {

// A clock that a test advances.
class SteppedClock final : public base::Clock {
public:
    base::UtcTime now() const override { return time; }
    base::UtcTime time = base::parseTime("2026-10-04T09:00:00Z").value();
};

// Everything that the safety chain queries, as set by a test. Waiting takes no time.
class FakeEnvironment final : public actions::ActionEnvironment {
public:
    FakeEnvironment(FakePlatform &platform, std::string actor);

    SteppedClock wall;
    std::chrono::steady_clock::time_point monotonic{std::chrono::hours(1)};
    insight::IdleList idle;
    std::map<std::string, actions::Liveness::Kind> live; // Quiet if not listed
    std::optional<base::UtcTime> newestSample; // if unset, now
    std::map<std::string, double> held{{"vision", 100}};
    std::optional<double> writes;
    model::Settings config;
    bool mayStop = true, isDead = false, isBlind = false; // telemetry cannot be queried
    FakePlatform *elsewhere = nullptr; // another region of the same cloud
    std::function<void()> onLook; // called before the activity is answered

    // Adds the object's holders to the idle list, with one GPU each.
    void addIdle(const FakeObject &object, const std::string &owner = "vision");
    // Advances both clocks.
    void pass(base::Seconds time);

    const base::Clock &clock() const override { return wall; }
    std::chrono::steady_clock::time_point steady() const override { return monotonic; }
    bool wait(std::chrono::milliseconds time, std::stop_token stop) const override;
    base::Result<insight::IdleList> idleNow(std::stop_token stop) override;
    base::Result<actions::Liveness> liveness(const std::vector<insight::IdleItem> &items,
                                             const actions::LiveQuestion &question, std::stop_token stop) override;
    std::optional<double> writesOf(const insight::IdleItem &, std::stop_token) override { return writes; }
    base::Result<std::map<std::string, double>> heldGpus() override { return held; }
    base::Result<std::vector<actions::Platform>> platformsOf(const model::HolderKey &holder) override;
    base::Result<actions::Platform> platformNamed(const std::string &source) override;
    const model::Settings &settings() const override { return config; }
    std::string actor() const override { return m_actor; }

private:
    FakePlatform &m_platform;
    std::string m_actor;
};

} // namespace gpuledger::tests
