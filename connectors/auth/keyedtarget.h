// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/actiontarget.h"
#include "connectors/auth/keyedapi.h"

namespace gpuledger::auth {

// A rented machine as its service describes it. Value type.
struct KeyedMachine {
    model::TargetState state; // all but `ref.source` and the holders
    std::string notStartable; // once it is stopped: why it can't be started; empty: it can be
    std::optional<base::UtcTime> started; // its last start
};

// A service that rents machines and stops and starts each with one call, in its own terms. The functions are plain; any
// thread. The texts are literals.
struct KeyedService {
    std::string_view product; // "RunPod"
    std::string_view what; // "pod"
    std::string_view right; // what a key needs to stop and start
    bool (*isId)(const std::string &text); // an id consists of letters, digits, '-' and '_' only
    // The id in the name that telemetry has of a machine; std::nullopt: it can't be one of this service.
    std::optional<std::string> (*idIn)(const std::string &name);
    KeyedCall (*description)(const std::string &id);
    // What the answer to `description` says. Fails with NotFound (it does not exist any more) and Parse.
    base::Result<KeyedMachine> (*machineIn)(const std::string &body, const std::string &id, base::UtcTime now);
    KeyedCall (*change)(const std::string &id, bool starts);
    // What an answer to `change` with the status 200 says: Done, Refused, or Unknown with a text.
    ports::WriteOutcome (*meaning)(const http::Response &response);
    KeyedCall (*list)(); // a question that a key which reads may ask
    KeyedApi::Refusal refusal;
};

inline constexpr http::Milliseconds kFreshDescription{2'000}; // for so long it may be acted on
KeyedTuning actionTuning();

// The machines of one account of such a service. It has no preconditions, no dry run and no notes: a machine is
// compared right before a call, a call is sent once, and without a clear answer its outcome is unknown until the
// machine is read. Threads and errors: see ports::ActionTarget; calls also fail with the errors of KeyedApi.
class KeyedTarget final : public ports::ActionTarget {
public:
    // `service`, `secrets` and `clock` must outlive it; `clock` is the real time.
    KeyedTarget(const KeyedService &service, const model::SourceSettings &settings, const KeyedSettings &keyed,
                ports::SecretStore &secrets, const base::Clock &clock, std::shared_ptr<http::HttpClient> client,
                KeyedTuning tuning = actionTuning());

    const std::string &source() const override { return m_source; }
    std::string cluster() const override { return m_cluster; }
    bool hasPreconditions() const override { return false; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<model::TargetState> find(const model::HolderKey &holder, std::stop_token stop) override;
    [[nodiscard]] base::Result<model::TargetState> read(const model::TargetRef &target, std::stop_token stop) override;
    // Always: no service tells what a key may do.
    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                                             std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::Rehearsal> rehearse(const model::TargetState &target, const model::StopMark &mark,
                                                          std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                           std::stop_token stop) override;
    [[nodiscard]] ports::WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                           const std::string &manifest, std::stop_token stop) override;

private:
    enum class Try { Once, Again };
    [[nodiscard]] base::Result<KeyedMachine> describe(const std::string &id, Try how, const std::stop_token &stop);
    // The machine if it is still as in `target`, described a moment ago; otherwise the outcome of a call not sent.
    [[nodiscard]] tl::expected<KeyedMachine, ports::WriteOutcome> unchanged(const model::TargetState &target,
                                                                            const std::stop_token &stop);
    [[nodiscard]] ports::WriteOutcome send(const model::TargetState &target, bool starts, const std::stop_token &stop);
    ports::WriteOutcome outcomeOf(const base::Result<http::Response> &response) const;
    std::string words(std::string_view before, std::string_view after) const; // "the RunPod pod " + after
    model::HolderKey holderOf(const std::string &id) const;

    const KeyedService &m_service;
    std::string m_source, m_cluster;
    bool m_mayStop;
    const base::Clock &m_clock;
    std::shared_ptr<http::Pause> m_pause;
    KeyedApi m_api;
};

// For the descriptions of machines: what their values and versions have in common.
std::string runningValue(std::int64_t gpus, const std::string &model); // JSON: "running, 2 x NVIDIA H100"
std::string stateValue(std::string_view word); // JSON
bool isRunningValue(std::string_view json);
// Changes with each of the parts, whatever they contain.
std::string versionOf(const std::vector<std::string> &parts);

} // namespace gpuledger::auth
