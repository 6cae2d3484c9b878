// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/notice.h"

#include <string>
#include <utility>

namespace gpuledger::tests {

// An alert about idle GPUs of a team, with one workload.
inline model::Notice idleNotice(std::string scope, model::NoticeState state = model::NoticeState::Firing)
{
    model::Notice notice;
    notice.state = state;
    notice.key = "key-" + std::to_string(scope.size());
    notice.rule = "idle-cost";
    notice.metric = "idle-cost";
    notice.per = "team";
    notice.scope = std::move(scope);
    notice.severity = "warning";
    notice.startedAt = base::fromUnix(1742983200); // 2025-03-26T10:00:00Z
    notice.value = "312.40 USD/day";
    notice.threshold = "200 USD/day";
    notice.summary = "Idle GPUs cost more than the bound.";
    notice.costSoFar = base::Money(26'033'333'333, base::Currency::usd());
    notice.link = "gpuledger://idle?item=1&team=x";
    notice.command = "gpuledger-cli idle --team 'x'";
    notice.items = {{"w1", "notebook", "ann", 8, base::fromUnix(1742983200),
                     base::Money(9'372'000'000'000, base::Currency::usd())}};
    return notice;
}

inline model::NoticeGroup noticeGroup(std::vector<model::Notice> notices)
{
    return {"group-1", std::move(notices), base::fromUnix(1742990400)}; // 2025-03-26T12:00:00Z
}

} // namespace gpuledger::tests
