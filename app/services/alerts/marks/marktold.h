// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/marks.h"
#include "app/base/result.h"
#include "app/insight/idle/idle.h"
#include "app/model/actionrecord.h"
#include "app/model/notice.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::model {
struct AlertRule;
struct Settings;
} // namespace gpuledger::model
namespace gpuledger::store {
class ActionStore;
}

// What the owner of a workload is told that an alert rule has marked to be stopped. In the outbox, each mark is an
// alert of its own: it begins with the mark, and is over when the mark is.
namespace gpuledger::services {

// "marks of idle-cost", which no alert rule can be called.
std::string markSubject(std::string_view rule);
bool isOfMarks(std::string_view subject);

// The marks of rules that have not ended; none if the configuration does not permit marks. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<model::Lease>> ruleMarksOf(store::ActionStore actions,
                                                                  const model::Settings &settings, base::UtcTime now);
// The name of the rule that made it, and the key of its messages. A mark that gets a new time is a new one.
std::string ruleOfMark(const model::Lease &mark);
std::string keyOfMark(const model::Lease &mark);

// "ml/train-0"
std::string nameOfMarked(const insight::IdleItem &item);

// That it is marked. `rule` is nullptr if the configuration no longer has it.
model::Notice noticeOfMark(const model::Lease &mark, const insight::IdleItem &item, const model::AlertRule *rule);

// How a mark ended.
struct MarkOver {
    std::string key, rule, name;
    base::UtcTime markedAt{}, endedAt{};
    std::optional<actions::MarkEnd> end; // std::nullopt: it was taken back, or replaced by one with another time
};
model::Notice noticeOfMarkOver(const MarkOver &over, const model::AlertRule *rule);

} // namespace gpuledger::services
