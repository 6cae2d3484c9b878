// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/stop/targetreader.h"

namespace gpuledger::kubernetes {

// Makes the single call that a stop or its undo consists of, bound to the state that was checked. One object per query;
// one thread.
class TargetWriter {
public:
    TargetWriter(KubeApi &api, Discovery &discovery, TargetReader &reader)
        : m_api(api)
        , m_discovery(discovery)
        , m_reader(reader)
    {
    }

    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetState &target, bool undo,
                                                             const std::stop_token &stop);
    [[nodiscard]] base::Result<ports::Rehearsal> rehearse(const model::TargetState &target, const model::StopMark &mark,
                                                          const std::stop_token &stop);
    [[nodiscard]] ports::WriteOutcome stop(const model::TargetState &target, const model::StopMark &mark,
                                           const std::stop_token &stop);
    [[nodiscard]] ports::WriteOutcome undo(const model::TargetState &target, const model::StopMark &mark,
                                           const std::string &manifest, const std::stop_token &stop);
    [[nodiscard]] ports::WriteOutcome announce(const model::TargetState &target,
                                               const std::optional<model::StopNotice> &notice,
                                               const std::stop_token &stop);

private:
    // A call, and the field values that its answer must show.
    struct Prepared {
        WriteCall call;
        std::vector<std::pair<std::string, std::optional<Json>>> fields;
        bool isScale = false; // the answer is a Scale
        bool hasMark = false;
    };
    using Ready = tl::expected<Prepared, ports::WriteOutcome>;
    Ready prepareStop(const model::TargetState &target, const model::StopMark &mark, bool dryRun,
                      const std::stop_token &stop);
    Ready prepareUndo(const model::TargetState &target, const model::StopMark &mark, const std::stop_token &stop);
    // Changes the fields of the object itself, or of its scale where only that is permitted.
    Ready prepareFields(const Subject &subject, const StopPlan &plan, const std::vector<std::optional<Json>> &newValues,
                        const model::StopMark *mark, const std::stop_token &stop);
    ports::WriteOutcome send(const Prepared &prepared, const model::TargetState &target, const std::stop_token &stop);
    ports::WriteOutcome makeAgain(const model::TargetState &target, const std::string &manifest,
                                  const std::stop_token &stop);
    void takeMarkAway(const model::TargetState &target, const std::stop_token &stop);

    KubeApi &m_api;
    Discovery &m_discovery;
    TargetReader &m_reader;
};

} // namespace gpuledger::kubernetes
