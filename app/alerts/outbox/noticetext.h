// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/notice.h"

#include <set>
#include <string>

// A message as text, for the outbox. Pure; any thread.
namespace gpuledger::alerts {

// JSON. Bytes that are not UTF-8 are replaced.
std::string textOf(const model::NoticeGroup &group);
// Fails with Parse.
[[nodiscard]] base::Result<model::NoticeGroup> noticeGroupOf(const std::string &text);
// The group without the notices of these keys.
model::NoticeGroup without(model::NoticeGroup group, const std::set<std::string> &keys);

} // namespace gpuledger::alerts
