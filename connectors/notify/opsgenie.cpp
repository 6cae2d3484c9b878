// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/noticetext.h"
#include "connectors/notify/protocols.h"

#include <nlohmann/json.hpp>

namespace gpuledger::notify {

namespace {

using nlohmann::json;

// https://docs.opsgenie.com/docs/alert-api, "Create alert"
constexpr std::size_t kMostMessage = 130, kMostEntity = 512, kMostTag = 50;

const char *priorityOf(const model::Notice &notice)
{
    if (notice.state == model::NoticeState::Test || notice.severity == "info")
        return "P5";
    return notice.severity == "critical" ? "P1" : "P3";
}

std::string descriptionOf(const NoticeText &text)
{
    std::string lines = text.line;
    for (const std::string &item : text.items)
        lines += "\n- " + item;
    if (text.moreItems > 0)
        lines += "\nand " + std::to_string(text.moreItems) + " more";
    if (!text.link.empty())
        lines += "\nOpen: " + text.link;
    if (!text.command.empty())
        lines += "\nCommand: " + text.command;
    return lines; // below 15,000 characters, because each part is cut
}

json creation(const model::NoticeGroup &one)
{
    const model::Notice &notice = one.notices.front();
    const NoticeText text = noticeText(one);
    json details = json::object();
    for (const NoticeFact &fact : text.facts)
        details[fact.name] = fact.value;
    json tags = json::array({"gpuledger"});
    if (!notice.rule.empty())
        tags.push_back(cleaned(notice.rule, kMostTag));
    return {{"message", cleaned(text.title, kMostMessage)},
            {"alias", dedupKey(one, notice)},
            {"description", descriptionOf(text)},
            {"details", std::move(details)},
            {"entity", cleaned(notice.scope, kMostEntity)},
            {"source", "GPU Ledger"},
            {"tags", std::move(tags)},
            {"priority", priorityOf(notice)}};
}

class Opsgenie final : public HttpProtocol {
public:
    ports::TargetTraits traits() const override { return {true, false, base::Seconds{1}, std::nullopt}; }

    std::vector<HttpMessage> messages(const model::NoticeGroup &group, base::UtcTime) const override
    {
        std::vector<HttpMessage> all;
        for (const model::Notice &notice : group.notices) {
            const model::NoticeGroup one{group.id, {notice}, group.at};
            if (notice.state != model::NoticeState::Resolved)
                all.push_back({"/v2/alerts", {}, jsonText(creation(one))});
            if (notice.state == model::NoticeState::Firing)
                continue;
            const std::string path = "/v2/alerts/" + dedupKey(one, notice) + "/close?identifierType=alias";
            all.push_back({path, {}, jsonText({{"source", "GPU Ledger"}, {"note", noticeText(one).title}})});
        }
        return all;
    }
};

} // namespace

std::unique_ptr<HttpProtocol> opsgenieProtocol()
{
    return std::make_unique<Opsgenie>();
}

} // namespace gpuledger::notify
