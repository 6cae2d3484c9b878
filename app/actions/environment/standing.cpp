// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/environment/standing.h"

#include <algorithm>

namespace gpuledger::actions {

base::Result<Standing> standingOf(const model::TargetRef &target, const std::vector<model::ActionRecord> &log,
                                  ActionEnvironment &environment, const std::stop_token &stop)
{
    const auto platform = environment.platformNamed(target.source);
    GPULEDGER_TRY(platform);
    auto now = platform->target->read(target, stop);
    if (!now && now.error().code == base::ErrorCode::NotFound)
        return Standing{};
    GPULEDGER_TRY(now);
    Standing standing;
    standing.kind = now->isStopped ? Standing::Kind::Stopped : Standing::Kind::Running;
    standing.field = now->field;
    standing.value = now->value;
    if (!now->isStopped || !now->mark) // a mark that outlived its stop means nothing
        return standing;
    standing.mark = now->mark;
    const auto ours = std::find_if(log.begin(), log.end(), [&](const model::ActionRecord &record) {
        return record.intent.kind == model::ActionKind::Stop && record.intent.key == now->mark->key;
    });
    if (ours != log.end())
        standing.action = ours->id;
    return standing;
}

} // namespace gpuledger::actions
