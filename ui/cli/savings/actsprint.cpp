// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/actsprint.h"

#include "app/actions/run/undo.h"
#include "app/base/text/text.h"
#include "app/base/time/time.h"
#include "ui/format/phrases/figures.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace gpuledger::cli {

namespace {

constexpr std::size_t kLongestShownId = 1000; // bytes
constexpr std::string_view kUsualNotice = "24h"; // in the command that marks

// For a POSIX shell.
std::string shellWord(const std::string &text)
{
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || std::string_view("-_./:").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), isPlain))
        return text;
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}

// Whole minutes, rounded up.
std::string noticeText(std::optional<base::Seconds> after)
{
    return after ? std::to_string((after->count() + 59) / 60) + 'm' : std::string(kUsualNotice);
}

std::string shownIds(const services::ProposalAct &act)
{
    std::string ids;
    for (const insight::IdleItem &item : act.items) {
        if (base::printable(item.id, kLongestShownId) == item.id)
            ids += ' ' + shellWord(item.id);
    }
    return ids;
}

} // namespace

Json actJson(const services::ProposalAct &act)
{
    if (act.items.empty() && act.done.empty())
        return nullptr;
    Json json{{"stop", Json::array()}, {"mark", Json::array()}, {"stopped", Json::array()}};
    for (const insight::IdleItem &item : act.items) {
        json["stop"].push_back(item.id);
        if (act.canMark)
            json["mark"].push_back(item.id);
    }
    for (const model::ActionRecord &one : act.done)
        json["stopped"].push_back({{"action", one.id}, {"at", base::toRfc3339(one.changedAt)}});
    return json;
}

std::string actText(const services::ProposalAct &act, const base::TimeZone &zone)
{
    std::string text;
    for (const model::ActionRecord &one : act.done) {
        const std::string id = std::to_string(one.id);
        text += "stopped at " + ui::timeText(one.changedAt, zone) + " (action " + id + ')';
        text += actions::undoable(one).can ? "; to bring it back:\n  gpuledger-cli act undo " + id + '\n'
                                           : std::string("; it can't be undone\n");
    }
    const std::string ids = shownIds(act);
    if (ids.empty())
        return text;
    text += "idle now, to stop it:\n  gpuledger-cli act stop" + ids + '\n';
    if (act.canMark)
        text += std::string(act.markAfter ? "to stop it when its off-hours begin" : "to stop it later")
            + ", unless someone objects:\n  gpuledger-cli act mark" + ids + " --after " + noticeText(act.markAfter)
            + '\n';
    return text;
}

} // namespace gpuledger::cli
