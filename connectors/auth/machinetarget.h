// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/actiontarget.h"
#include "connectors/http/retrypolicy.h"

#include <memory>
#include <string>

namespace gpuledger::auth {

// The machines of a cloud that has neither preconditions nor a dry run and keeps no notes: a machine is compared right
// before a change, a change is sent once, and without a clear answer its outcome is unknown until the machine is read.
// A machine is stopped and started as a whole. Derived classes say how the cloud is asked. Threads and errors: see
// ports::ActionTarget.
class MachineTarget : public ports::ActionTarget {
public:
    const std::string &source() const final { return m_source; }
    std::string cluster() const final { return m_cluster; }
    bool hasPreconditions() const final { return false; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) final;
    [[nodiscard]] base::Result<model::TargetState> find(const model::HolderKey &holder, std::stop_token stop) final;
    [[nodiscard]] base::Result<model::TargetState> read(const model::TargetRef &target, std::stop_token stop) final;
    [[nodiscard]] base::Result<model::TargetState> standing(const model::TargetRef &target, std::stop_token stop) final;
    [[nodiscard]] base::Result<ports::Rehearsal> rehearse(const model::TargetState &target, const model::StopMark &mark,
                                                          std::stop_token stop) final;
    [[nodiscard]] ports::WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                           std::stop_token stop) final;
    [[nodiscard]] ports::WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                           const std::string &manifest, std::stop_token stop) final;

protected:
    // `product`: of the cloud, for people. `clock` must return the real time and outlive it.
    MachineTarget(const model::SourceSettings &settings, std::string product, const base::Clock &clock,
                  std::shared_ptr<http::Pause> pause);

    enum class Detail {
        Whole,
        Standing, // without what surrounds it (locks); the version is the same
    };
    // The right that the list of machines needs, and whether it may be read: its first page.
    virtual std::string listRight() const = 0;
    [[nodiscard]] virtual base::Result<void> askList(const std::stop_token &stop) = 0;
    // The one machine that has this name; name space and name are what fullNameOf() joins, the uid is left to
    // describe(). Fails with NotFound, and with Refused if several have it.
    [[nodiscard]] virtual base::Result<model::TargetRef> named(const std::string &name,
                                                               const std::stop_token &stop) = 0;
    // All but `ref.source`, the holders and `readAt`. The uid of `target` is not looked at.
    [[nodiscard]] virtual base::Result<model::TargetState> describe(const model::TargetRef &target, Detail detail,
                                                                    const std::stop_token &stop) = 0;
    // Sends the change, once. Of the outcome, the version is added.
    [[nodiscard]] virtual ports::WriteOutcome change(const model::TargetState &target, bool starts,
                                                     const std::stop_token &stop) = 0;

private:
    base::Result<model::TargetState> look(const model::TargetRef &target, Detail detail, const std::stop_token &stop);
    base::Result<model::TargetState> lookAtSame(const model::TargetRef &target, Detail detail,
                                                const std::stop_token &stop);
    // The outcome of a change that is not sent, because the machine is not as in `target` any more, or can't be read
    // quickly enough to be sure; std::nullopt: it is.
    std::optional<ports::WriteOutcome> hindrance(const model::TargetState &target, const std::stop_token &stop);
    ports::WriteOutcome send(const model::TargetState &target, bool starts, const std::stop_token &stop);

    std::string m_source, m_cluster, m_product;
    bool m_mayStop;
    const base::Clock &m_clock;
    std::shared_ptr<http::Pause> m_pause;
};

inline constexpr std::string_view kRunningState = "\"running\""; // a value that a stop may be undone to

} // namespace gpuledger::auth
