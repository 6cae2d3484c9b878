// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/notify/noticetext.h"
#include "connectors/notify/protocols.h"

#include <algorithm>
#include <array>

namespace gpuledger::notify {

namespace {

using nlohmann::json;

constexpr std::size_t kMostHeader = 150, kMostField = 2000, kMostSlackLine = 280, kMostSection = 3000,
                      kMostFallback = 600;
constexpr std::string_view kWideAt = "\xEF\xBC\xA0"; // U+FF20 looks like @ and mentions nobody

bool mentionsAll(std::string_view text)
{
    constexpr std::array<std::string_view, 3> kGroups{"channel", "here", "everyone"};
    return std::any_of(kGroups.begin(), kGroups.end(), [&](std::string_view group) {
        return text.size() >= group.size()
            && std::equal(group.begin(), group.end(), text.begin(),
                          [](char small, char c) { return small == (c >= 'A' && c <= 'Z' ? c + 32 : c); });
    });
}

// What Slack shows as `character`, which `rest` follows.
std::string_view slackPiece(std::string_view character, std::string_view rest)
{
    switch (character.front()) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '@':
        return mentionsAll(rest) ? kWideAt : character;
    default:
        return character;
    }
}

// Escaped for Slack and cut to `most` bytes, never within an escape. `text` is printable.
std::string slackText(std::string_view text, std::size_t most)
{
    constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
    std::string out;
    while (!text.empty()) {
        std::size_t bytes = 1; // with those that continue a character in UTF-8
        while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80)
            ++bytes;
        const std::string_view piece = slackPiece(text.substr(0, bytes), text.substr(bytes));
        if (out.size() + piece.size() + kEllipsis.size() > most)
            return out.append(kEllipsis);
        out += piece;
        text.remove_prefix(bytes);
    }
    return out;
}

std::string slackCode(std::string text, std::size_t most)
{
    std::replace(text.begin(), text.end(), '`', '\'');
    return '`' + slackText(text, most) + '`';
}

json mrkdwn(std::string text)
{
    return {{"type", "mrkdwn"}, {"text", std::move(text)}, {"verbatim", true}};
}

json plainText(std::string_view text, std::size_t most)
{
    return {{"type", "plain_text"}, {"text", slackText(text, most)}, {"emoji", false}};
}

json section(std::string text)
{
    return {{"type", "section"}, {"text", mrkdwn(std::move(text))}};
}

json factsSection(const std::vector<NoticeFact> &facts)
{
    json fields = json::array();
    for (const NoticeFact &fact : facts)
        fields.push_back(
            mrkdwn('*' + slackText(fact.name, kMostSlackLine) + "*\n" + slackText(fact.value, kMostField / 2)));
    return {{"type", "section"}, {"fields", std::move(fields)}};
}

std::string slackItems(const NoticeText &text)
{
    std::string lines;
    for (const std::string &item : text.items)
        lines += (lines.empty() ? "" : "\n") + slackText("\xE2\x80\xA2 " + item, kMostSlackLine);
    if (text.moreItems > 0)
        lines += (lines.empty() ? "" : "\n") + ("and " + std::to_string(text.moreItems) + " more");
    return lines;
}

// Each item with what leads to it.
void addWithWays(json &blocks, const NoticeText &text)
{
    for (std::size_t i = 0; i < text.items.size(); ++i) {
        const NoticeWay &way = text.ways[i];
        std::string words = slackText("\xE2\x80\xA2 " + text.items[i], kMostSlackLine);
        if (!way.link.empty() && !isWebLink(way.link))
            words += "\nOpen: " + slackCode(way.link, kMostField / 2);
        if (!way.command.empty())
            words += "\nCommand: " + slackCode(way.command, kMostField / 2);
        json block = section(std::move(words));
        if (isWebLink(way.link))
            block["accessory"] = {{"type", "button"},
                                  {"text", plainText("Open in GPU Ledger", 75)},
                                  {"url", way.link},
                                  {"action_id", "open-" + std::to_string(i)}};
        blocks.push_back(std::move(block));
    }
    if (text.moreItems > 0)
        blocks.push_back(section("and " + std::to_string(text.moreItems)
                                 + " more\nCommand: " + slackCode(kAllAlertsCommand, kMostField / 2)));
}

// What to do next. A button takes only a link that a browser opens.
void addWays(json &blocks, const NoticeText &text)
{
    const bool isButton = isWebLink(text.link);
    std::string words;
    if (!text.link.empty() && !isButton)
        words = "Open: " + slackCode(text.link, kMostField / 2);
    if (!text.command.empty())
        words += (words.empty() ? "" : "\n") + ("Command: " + slackCode(text.command, kMostField / 2));
    if (!words.empty())
        blocks.push_back(section(std::move(words)));
    if (!isButton)
        return;
    const json button = {
        {"type", "button"}, {"text", plainText("Open in GPU Ledger", 75)}, {"url", text.link}, {"action_id", "open"}};
    blocks.push_back({{"type", "actions"}, {"elements", json::array({button})}});
}

class Slack final : public HttpProtocol {
public:
    ports::TargetTraits traits() const override { return {true, true, base::Seconds{1}, std::nullopt}; }

    std::vector<HttpMessage> messages(const model::NoticeGroup &group, base::UtcTime) const override
    {
        const NoticeText text = noticeText(group);
        json blocks = json::array();
        blocks.push_back({{"type", "header"}, {"text", plainText(text.title, kMostHeader)}});
        if (!text.line.empty())
            blocks.push_back(section(slackText(text.line, kMostSection)));
        blocks.push_back(factsSection(text.facts));
        if (text.ways.empty()) {
            if (std::string lines = slackItems(text); !lines.empty())
                blocks.push_back(section(std::move(lines)));
            addWays(blocks, text);
        } else {
            addWithWays(blocks, text);
        }
        const std::string key = "GPU Ledger " + dedupKey(group, group.notices.front());
        blocks.push_back({{"type", "context"}, {"elements", json::array({plainText(key, kMostSlackLine)})}});
        const json body = {{"text", slackText(text.title + ": " + text.line, kMostFallback)}, {"blocks", blocks}};
        return {HttpMessage{{}, {}, jsonText(body)}};
    }

    // "ok", or {"ok":true} from a workflow.
    std::optional<std::string> objection(const http::Response &response) const override
    {
        if (base::printableLine(response.body) == "ok")
            return std::nullopt;
        const auto answer = format::parseJson(response.body);
        if (answer && answer->is_object() && answer->value("ok", json()) == json(true))
            return std::nullopt;
        return "the answer is not that of Slack";
    }
};

} // namespace

std::unique_ptr<HttpProtocol> slackProtocol()
{
    return std::make_unique<Slack>();
}

} // namespace gpuledger::notify
