// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/noticetext.h"
#include "connectors/notify/protocols.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace gpuledger::notify {

namespace {

using nlohmann::json;

constexpr std::size_t kMostSummary = 1024, kMostEventBytes = 512'000, kMostEventName = 200;

json detailsOf(const model::NoticeGroup &one)
{
    const NoticeText text = noticeText(one);
    json details = json::object();
    for (const NoticeFact &fact : text.facts)
        details[fact.name] = fact.value;
    if (!text.items.empty())
        details["Items"] = text.items;
    if (text.moreItems > 0)
        details["More items"] = text.moreItems;
    if (!text.link.empty())
        details["Open"] = text.link;
    if (!text.command.empty())
        details["Command"] = text.command;
    return details;
}

class PagerDuty final : public HttpProtocol {
public:
    explicit PagerDuty(base::Secret routingKey)
        : m_routingKey(std::move(routingKey))
    {
    }
    ports::TargetTraits traits() const override { return {true, false, base::Seconds{1}, std::nullopt}; }

    std::vector<HttpMessage> messages(const model::NoticeGroup &group, base::UtcTime) const override
    {
        std::vector<HttpMessage> all;
        for (const model::Notice &notice : group.notices) {
            const model::NoticeGroup one{group.id, {notice}, group.at};
            if (notice.state != model::NoticeState::Resolved)
                all.push_back(message(trigger(one)));
            if (notice.state != model::NoticeState::Firing)
                all.push_back(message(event("resolve", one)));
        }
        return all;
    }

private:
    json event(const char *action, const model::NoticeGroup &one) const
    {
        return {{"routing_key", std::string(m_routingKey.reveal())},
                {"event_action", action},
                {"dedup_key", dedupKey(one, one.notices.front())}};
    }

    json trigger(const model::NoticeGroup &one) const
    {
        const model::Notice &notice = one.notices.front();
        const NoticeText text = noticeText(one);
        const bool isKnown = notice.severity == "critical" || notice.severity == "info";
        json payload = {{"summary", cleaned(text.title + ": " + text.line, kMostSummary)},
                        {"source", "GPU Ledger"},
                        {"severity",
                         notice.state == model::NoticeState::Test ? "info"
                             : isKnown                            ? notice.severity.c_str()
                                                                  : "warning"},
                        {"timestamp", base::toRfc3339(notice.startedAt)},
                        {"custom_details", detailsOf(one)}};
        if (!notice.scope.empty())
            payload["component"] = cleaned(notice.scope, kMostEventName);
        if (!notice.per.empty())
            payload["group"] = cleaned(notice.per, kMostEventName);
        if (!notice.metric.empty())
            payload["class"] = cleaned(notice.metric, kMostEventName);
        json out = event("trigger", one);
        out["client"] = "GPU Ledger";
        out["payload"] = std::move(payload);
        if (isWebLink(text.link)) {
            out["client_url"] = text.link;
            out["links"] = json::array({json{{"href", text.link}, {"text", "Open in GPU Ledger"}}});
        }
        return out;
    }

    static HttpMessage message(json event)
    {
        std::string body = jsonText(event);
        if (body.size() > kMostEventBytes) {
            event["payload"].erase("custom_details");
            body = jsonText(event);
        }
        return {"/v2/enqueue", {}, std::move(body)};
    }

    base::Secret m_routingKey;
};

} // namespace

std::unique_ptr<HttpProtocol> pagerdutyProtocol(base::Secret routingKey)
{
    return std::make_unique<PagerDuty>(std::move(routingKey));
}

} // namespace gpuledger::notify
