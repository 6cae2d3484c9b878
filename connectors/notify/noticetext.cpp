// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/noticetext.h"

#include "app/base/money/minorunit.h"
#include "app/base/text/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gpuledger::notify {

namespace {

using model::Notice;
using model::NoticeGroup;
using model::NoticeState;

constexpr std::size_t kLongestName = 100, kLongestValue = 60, kLongestSentence = 500, kLongestLink = 2000,
                      kLongestKey = 200, kLongestWay = 400;

// "team research"; empty if the notice has no scope of its own.
std::string scopeWords(const Notice &notice)
{
    if (notice.scope.empty() || notice.per == "all")
        return {};
    return cleaned(notice.per, kLongestValue) + ' ' + cleaned(notice.scope, kLongestName);
}

// That a rule has marked a workload to be stopped: its summary says when, or how that ended.
bool isOfMark(const Notice &notice)
{
    return notice.per == "workload";
}

std::string countWords(const NoticeGroup &group)
{
    const std::string &per = group.notices.front().per;
    const std::string unit = per.empty() || per == "all" ? "alerts" : cleaned(per, kLongestValue) + 's';
    return std::to_string(group.notices.size() + group.unlisted) + ' ' + unit;
}

std::string titleOf(const NoticeGroup &group)
{
    const Notice &first = group.notices.front();
    std::string title = first.state == NoticeState::Firing ? "Firing: "
        : first.state == NoticeState::Resolved             ? "Resolved: "
                                                           : "Test: ";
    title += first.rule.empty() ? "GPU Ledger" : cleaned(first.rule, kLongestName);
    const std::string of = group.notices.size() > 1 ? countWords(group) : scopeWords(first);
    return of.empty() ? title : title + " (" + of + ')';
}

std::string lineOf(const NoticeGroup &group)
{
    const Notice &first = group.notices.front();
    if (first.state == NoticeState::Test && first.summary.empty())
        return "This is a test message of GPU Ledger.";
    if (group.notices.size() == 1)
        return cleaned(first.summary, kLongestSentence);
    const bool isOver = first.state == NoticeState::Resolved;
    if (isOfMark(first))
        return countWords(group) + (isOver ? ": no longer marked to be stopped." : ": marked to be stopped.");
    return countWords(group) + (isOver ? ": the alert is over." : ": the alert fires.");
}

void addFact(NoticeText &text, std::string name, std::string value)
{
    if (!value.empty())
        text.facts.push_back({std::move(name), std::move(value)});
}

std::string capital(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

void addFactsOfOne(NoticeText &text, const Notice &notice)
{
    if (!scopeWords(notice).empty())
        addFact(text, capital(cleaned(notice.per, kLongestValue)), cleaned(notice.scope, kLongestName));
    addFact(text, "Since", base::toRfc3339(notice.startedAt));
    if (notice.endedAt)
        addFact(text, "Ended", base::toRfc3339(*notice.endedAt));
    const bool isUnknown = notice.value.empty() && !notice.threshold.empty();
    addFact(text, "Value", isUnknown ? "unknown" : cleaned(notice.value, kLongestValue));
    addFact(text, "Threshold", cleaned(notice.threshold, kLongestValue));
    addFact(text, "Severity", cleaned(notice.severity, kLongestValue));
    if (notice.costSoFar)
        addFact(text, "Cost so far", moneyText(*notice.costSoFar));
    if (notice.perMonth)
        addFact(text, "Per month if left", moneyText(*notice.perMonth));
    addFact(text, "Unless somebody objects", cleaned(notice.consequence, kLongestSentence));
}

// std::nullopt if one is unknown or not listed, or if they don't add up.
std::optional<base::Money> sumOf(const NoticeGroup &group, std::optional<base::Money> Notice::*amount)
{
    if (group.unlisted > 0)
        return std::nullopt;
    base::Money sum;
    for (const Notice &one : group.notices) {
        const auto &known = one.*amount;
        const auto next = known ? sum.plus(*known) : base::Result<base::Money>(sum);
        if (!known || !next)
            return std::nullopt;
        sum = *next;
    }
    return sum;
}

void addFactsOfMany(NoticeText &text, const NoticeGroup &group)
{
    const auto &all = group.notices;
    const auto earliest = std::min_element(all.begin(), all.end(),
                                           [](const Notice &a, const Notice &b) { return a.startedAt < b.startedAt; });
    addFact(text, "Since", base::toRfc3339(earliest->startedAt));
    const bool isSame =
        std::all_of(all.begin(), all.end(), [&](const Notice &one) { return one.threshold == all.front().threshold; });
    if (isSame)
        addFact(text, "Threshold", cleaned(all.front().threshold, kLongestValue));
    addFact(text, "Severity", cleaned(all.front().severity, kLongestValue));
    if (const auto sum = sumOf(group, &Notice::costSoFar))
        addFact(text, "Cost so far", moneyText(*sum));
    if (const auto sum = sumOf(group, &Notice::perMonth))
        addFact(text, "Per month if left", moneyText(*sum));
    addFact(text, "Unless somebody objects", cleaned(all.front().consequence, kLongestSentence));
}

// "7", "0.1429"
std::string numberText(double number)
{
    std::array<char, 32> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, 4);
    return error == std::errc{} ? std::string(text.data(), end) : std::string();
}

std::string itemLine(const model::NoticeItem &item)
{
    std::string line = cleaned(item.name.empty() ? item.id : item.name, kLongestName);
    if (!item.owner.empty())
        line += ", " + cleaned(item.owner, kLongestValue);
    line += ", " + numberText(item.gpus) + (item.gpus == 1 ? " GPU" : " GPUs");
    if (item.since)
        line += ", since " + base::toRfc3339(*item.since);
    if (item.perMonth)
        line += ", " + moneyText(*item.perMonth) + " a month";
    return line;
}

std::string scopeLine(const Notice &notice)
{
    if (isOfMark(notice) && !notice.summary.empty())
        return cleaned(notice.summary, kLongestSentence);
    std::string line = notice.scope.empty() ? "(none)" : cleaned(notice.scope, kLongestName);
    if (!notice.value.empty())
        line += ", " + cleaned(notice.value, kLongestValue);
    line += ", since " + base::toRfc3339(notice.startedAt);
    if (notice.costSoFar)
        line += ", " + moneyText(*notice.costSoFar) + " so far";
    return line;
}

// As it is, because a part of it would lead elsewhere.
std::string wholeOrNone(const std::string &text)
{
    std::string out = cleaned(text, kLongestWay);
    return out == text ? out : std::string();
}

template <typename Item>
void addItems(NoticeText &text, const std::vector<Item> &items, std::string (*lineOfItem)(const Item &))
{
    const std::size_t shown = std::min(items.size(), kShownItems);
    for (std::size_t i = 0; i < shown; ++i)
        text.items.push_back(lineOfItem(items[i]));
    text.moreItems += items.size() - shown;
}

} // namespace

NoticeText noticeText(const NoticeGroup &group)
{
    NoticeText text;
    const Notice &first = group.notices.front();
    text.title = titleOf(group);
    text.line = lineOf(group);
    if (group.notices.size() > 1) {
        addFactsOfMany(text, group);
        text.moreItems = group.unlisted;
        addItems(text, group.notices, &scopeLine);
        for (std::size_t i = 0; i < text.items.size(); ++i)
            text.ways.push_back({wholeOrNone(group.notices[i].link), wholeOrNone(group.notices[i].command)});
    } else {
        addFactsOfOne(text, first);
        text.moreItems = first.moreItems;
        addItems(text, first.items, &itemLine);
    }
    text.link = cleaned(first.link, kLongestLink);
    text.command = cleaned(first.command, kLongestSentence);
    return text;
}

std::string cleaned(std::string_view text, std::size_t maxBytes)
{
    constexpr std::size_t kEllipsisBytes = 3;
    return base::printableLine(text, maxBytes - kEllipsisBytes);
}

std::string moneyText(const base::Money &amount)
{
    const auto units = base::inMinorUnits({&amount, 1});
    const std::string number =
        units && !units->empty() ? base::minorText(units->front(), amount.currency()) : amount.toDecimal();
    return amount.currency().code().empty() ? number : number + ' ' + std::string(amount.currency().code());
}

std::string dedupKey(const NoticeGroup &group, const Notice &notice)
{
    std::string key = notice.state == NoticeState::Test ? "test-" + group.id : notice.key;
    key.resize(std::min(key.size(), kLongestKey));
    std::replace_if(
        key.begin(), key.end(),
        [](char c) {
            const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            return !isLetter && !(c >= '0' && c <= '9') && c != '.' && c != '-' && c != '_';
        },
        '-');
    return key;
}

bool isWebLink(std::string_view link)
{
    return link.starts_with("https://") || link.starts_with("http://");
}

} // namespace gpuledger::notify
