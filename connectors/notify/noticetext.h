// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/notice.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// What a message to people says about notices, before a target escapes it. Texts from facts are made printable and cut
// here: no control characters, no line breaks, valid UTF-8. Pure; any thread; no errors.
namespace gpuledger::notify {

inline constexpr std::size_t kShownItems = 10;
inline constexpr char kAllAlertsCommand[] = "gpuledger-cli alerts evaluate"; // shows those that are not listed

struct NoticeFact {
    std::string name, value;
};

// What leads to an alert. Empty if there is none, or if it is too long to be shown whole.
struct NoticeWay {
    std::string link, command;
};

struct NoticeText {
    std::string title; // "Firing: idle-cost (team research)"
    std::string line; // one sentence
    std::vector<NoticeFact> facts; // at most 8
    std::vector<std::string> items; // resources, or scopes if there are several notices; at most kShownItems
    std::vector<NoticeWay> ways; // of each of `items` if there are several notices; otherwise empty
    std::size_t moreItems = 0; // that are not in `items`
    std::string link, command; // of the first notice; may be empty
};
NoticeText noticeText(const model::NoticeGroup &group);

// One printable line of at most `maxBytes` bytes, with an ellipsis if something was cut.
std::string cleaned(std::string_view text, std::size_t maxBytes);
// "312.40 USD", rounded to the minor unit of the currency.
std::string moneyText(const base::Money &amount);
// By which a receiver recognizes the alert: the key of the notice; of a test "test-" and the id of the message. At most
// 200 letters, digits, dots, dashes and underscores.
std::string dedupKey(const model::NoticeGroup &group, const model::Notice &notice);
// Only these open in a browser; other links are shown as text.
bool isWebLink(std::string_view link);

} // namespace gpuledger::notify
