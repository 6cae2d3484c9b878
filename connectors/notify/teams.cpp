// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/noticetext.h"
#include "connectors/notify/protocols.h"

#include <nlohmann/json.hpp>

namespace gpuledger::notify {

namespace {

using nlohmann::json;

constexpr std::size_t kMostCardSentence = 2000;

// Text runs know no Markdown and no mentions, unlike text blocks and facts.
json textRun(const std::string &text, bool isBold = false)
{
    json out = {{"type", "TextRun"}, {"text", text}};
    if (isBold)
        out["weight"] = "Bolder";
    return out;
}

json paragraph(json runs)
{
    return {{"type", "RichTextBlock"}, {"inlines", std::move(runs)}};
}

json titleBlock(const std::string &title)
{
    json words = textRun(title, true);
    words["size"] = "Medium";
    return paragraph(json::array({std::move(words)}));
}

json named(const std::string &name, const std::string &value)
{
    return paragraph(json::array({textRun(name + ": ", true), textRun(value)}));
}

json cardBody(const NoticeText &text)
{
    json body = json::array({titleBlock(text.title)});
    if (!text.line.empty())
        body.push_back(paragraph(json::array({textRun(text.line)})));
    for (const NoticeFact &fact : text.facts)
        body.push_back(named(fact.name, fact.value));
    for (std::size_t i = 0; i < text.items.size(); ++i) {
        body.push_back(paragraph(json::array({textRun("\xE2\x80\xA2 " + text.items[i])})));
        if (i >= text.ways.size())
            continue;
        if (!text.ways[i].link.empty())
            body.push_back(named("Open", text.ways[i].link));
        if (!text.ways[i].command.empty())
            body.push_back(named("Command", text.ways[i].command));
    }
    if (text.moreItems > 0)
        body.push_back(paragraph(json::array({textRun("and " + std::to_string(text.moreItems) + " more")})));
    if (!text.ways.empty()) {
        if (text.moreItems > 0)
            body.push_back(named("Command", kAllAlertsCommand));
        return body;
    }
    if (!text.link.empty() && !isWebLink(text.link))
        body.push_back(named("Open", text.link));
    if (!text.command.empty())
        body.push_back(named("Command", cleaned(text.command, kMostCardSentence)));
    return body;
}

class Teams final : public HttpProtocol {
public:
    ports::TargetTraits traits() const override { return {true, true, base::Seconds{1}, std::nullopt}; }

    std::vector<HttpMessage> messages(const model::NoticeGroup &group, base::UtcTime) const override
    {
        const NoticeText text = noticeText(group);
        json card = {{"$schema", "http://adaptivecards.io/schemas/adaptive-card.json"},
                     {"type", "AdaptiveCard"},
                     {"version", "1.4"},
                     {"fallbackText", text.title},
                     {"msteams", {{"width", "Full"}}},
                     {"body", cardBody(text)}};
        if (text.ways.empty() && isWebLink(text.link))
            card["actions"] =
                json::array({json{{"type", "Action.OpenUrl"}, {"title", "Open in GPU Ledger"}, {"url", text.link}}});
        const json attachment = {{"contentType", "application/vnd.microsoft.card.adaptive"},
                                 {"contentUrl", nullptr},
                                 {"content", std::move(card)}};
        const json message = {{"type", "message"}, {"attachments", json::array({attachment})}};
        return {HttpMessage{{}, {}, jsonText(message)}};
    }

    std::string confirmation() const override
    {
        return "the workflow has accepted it; Teams does not say whether it was posted";
    }
};

} // namespace

std::unique_ptr<HttpProtocol> teamsProtocol()
{
    return std::make_unique<Teams>();
}

} // namespace gpuledger::notify
