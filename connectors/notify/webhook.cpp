// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/text.h"
#include "connectors/notify/noticetext.h"
#include "connectors/notify/protocols.h"

#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <utility>

namespace gpuledger::notify {

namespace {

using nlohmann::json;

constexpr std::size_t kMostFieldBytes = 1000;

json orNull(std::string text)
{
    return text.empty() ? json() : json(std::move(text));
}

// Escaped by JSON, so control characters stay.
json field(std::string_view text)
{
    return orNull(text.size() > kMostFieldBytes ? cleaned(text, kMostFieldBytes) : base::repairedUtf8(text));
}

json timeOrNull(const std::optional<base::UtcTime> &time)
{
    return time ? json(base::toRfc3339(*time)) : json();
}

json costOrNull(const std::optional<base::Money> &amount, const char *per)
{
    if (!amount)
        return nullptr;
    json cost = moneyJson(*amount);
    cost["per"] = per;
    return cost;
}

json itemJson(const model::NoticeItem &item)
{
    return {{"id", field(item.id)},
            {"name", field(item.name)},
            {"owner", field(item.owner)},
            {"gpus", item.gpus},
            {"since", timeOrNull(item.since)},
            {"cost_per_month", item.perMonth ? moneyJson(*item.perMonth) : json()}};
}

json resourceOf(const model::Notice &notice)
{
    const bool isWorkload = notice.per == "workload" && !notice.items.empty();
    const json owner = notice.per == "team" ? field(notice.scope)
        : isWorkload                        ? field(notice.items.front().owner)
                                            : json();
    return {{"kind", field(notice.per)},
            {"uid", field(notice.scope)},
            {"name", field(notice.scope)},
            {"cloud", nullptr},
            {"account", nullptr},
            {"region", nullptr},
            {"owner", owner}};
}

json webhookBody(const model::Notice &notice, const std::string &id, const std::string &key)
{
    json items = json::array();
    for (const model::NoticeItem &item : notice.items)
        items.push_back(itemJson(item));
    return {{"version", "1"},
            {"id", id},
            {"dedup_key", key},
            {"state", std::string(model::toString(notice.state))},
            {"rule", {{"id", field(notice.rule)}, {"name", field(notice.rule)}}},
            {"metric", field(notice.metric)},
            {"severity", field(notice.severity)},
            {"started_at", base::toRfc3339(notice.startedAt)},
            {"ended_at", timeOrNull(notice.endedAt)},
            {"value", field(notice.value)},
            {"threshold", field(notice.threshold)},
            {"summary", field(notice.summary)},
            {"resource", resourceOf(notice)},
            {"cost", costOrNull(notice.costSoFar, "total")},
            {"cost_per_month", notice.perMonth ? moneyJson(*notice.perMonth) : json()},
            {"links", {{"open", field(notice.link)}}},
            {"command", field(notice.command)},
            {"consequence", field(notice.consequence)},
            {"items", std::move(items)},
            {"more_items", notice.moreItems}};
}

// "v1=" and 64 digits
std::string signatureOf(const base::Secret &key, const std::string &timestamp, const std::string &body)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    const std::string text = "v1:" + timestamp + ':' + body;
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    HMAC(EVP_sha256(), key.reveal().data(), static_cast<int>(key.reveal().size()),
         reinterpret_cast<const unsigned char *>(text.data()), text.size(), digest.data(), &length);
    std::string out = "v1=";
    for (unsigned int i = 0; i < length; ++i) {
        out += kDigits[digest[i] >> 4];
        out += kDigits[digest[i] & 15];
    }
    return out;
}

class Webhook final : public HttpProtocol {
public:
    Webhook(base::Secret signing, base::Secret previous)
        : m_signing(std::move(signing))
        , m_previous(std::move(previous))
    {
    }
    ports::TargetTraits traits() const override { return {true, false, base::Seconds{0}, std::nullopt}; }

    std::vector<HttpMessage> messages(const model::NoticeGroup &group, base::UtcTime now) const override
    {
        const std::string timestamp = std::to_string(base::toUnix(now));
        std::vector<HttpMessage> all;
        for (const model::Notice &notice : group.notices) {
            const std::string id = cleaned(group.id, kMostFieldBytes);
            std::string body = jsonText(webhookBody(notice, id, dedupKey(group, notice)));
            http::Parameters headers{{"X-GpuLedger-Id", id}, {"X-GpuLedger-Timestamp", timestamp}};
            if (!m_signing.empty())
                headers.emplace_back("X-GpuLedger-Signature", signatures(timestamp, body));
            all.push_back({{}, std::move(headers), std::move(body)});
        }
        return all;
    }

private:
    // Of each secret, with commas between them.
    std::string signatures(const std::string &timestamp, const std::string &body) const
    {
        std::string all = signatureOf(m_signing, timestamp, body);
        if (!m_previous.empty())
            all += ',' + signatureOf(m_previous, timestamp, body);
        return all;
    }

    base::Secret m_signing, m_previous;
};

} // namespace

std::unique_ptr<HttpProtocol> webhookProtocol(base::Secret signing, base::Secret previous)
{
    return std::make_unique<Webhook>(std::move(signing), std::move(previous));
}

} // namespace gpuledger::notify
