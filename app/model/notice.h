// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::model {

enum class NoticeState { Firing, Resolved, Test };
std::string_view toString(NoticeState state); // "firing", "resolved", "test"
std::optional<NoticeState> noticeStateFromString(std::string_view text);

// One resource that an alert is about, the most expensive first.
struct NoticeItem {
    std::string id; // as `act` takes it
    std::string name, owner; // untrusted; owner is empty if unknown
    double gpus = 0;
    std::optional<base::UtcTime> since;
    std::optional<base::Money> perMonth; // if left as it is; std::nullopt: unknown
    bool operator==(const NoticeItem &) const = default;
};

// What a target is told about one alert. A value; texts that come from facts (scope, items) are untrusted, and each
// target escapes and cuts them as its protocol needs. English, because receivers and scripts share it.
struct Notice {
    NoticeState state = NoticeState::Firing;
    std::string key; // alerts::alertKey(): the same for firing and resolved
    std::string rule; // its name
    std::string metric; // "idle-cost" …
    std::string per; // "team", "cluster", "pool", "all"
    std::string scope; // of which team, cluster or pool; "all"; empty: of none
    std::string severity; // "info", "warning", "critical"
    base::UtcTime startedAt{};
    std::optional<base::UtcTime> endedAt; // Resolved
    std::string value, threshold; // with their units: "312.40 USD/day", "200 USD/day"; value is empty if unknown
    std::string summary; // one sentence, without its scope escaped
    std::optional<base::Money> costSoFar; // since the condition began to hold; std::nullopt: unknown or not money
    std::optional<base::Money> perMonth; // if left as it is
    std::string link; // gpuledger://…, opens the page and the selection
    std::string command; // does the same
    std::string consequence; // what follows unless somebody objects, in one sentence; empty: nothing
    std::vector<NoticeItem> items;
    std::size_t moreItems = 0; // that are not listed
    bool operator==(const Notice &) const = default;
};

// What is sent at once: notices of one rule and state, so that a broken node gives one message and not forty. Never
// empty. A target that identifies each alert by its key (PagerDuty, Alertmanager, Opsgenie) gets one notice a message
// or a list.
struct NoticeGroup {
    std::string id; // of the message: stable over its retries
    std::vector<Notice> notices; // by scope
    base::UtcTime at{}; // when it was made
    std::size_t unlisted = 0; // alerts of the same rule and state that it does not list
    bool operator==(const NoticeGroup &) const = default;
};

} // namespace gpuledger::model
