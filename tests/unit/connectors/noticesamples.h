// SPDX-License-Identifier: GPL-3.0-or-later
// Notices, and a receiver for them that records what it gets.
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/secretstore.h"
#include "connectors/http/httpclient.h"
#include "connectors/notify/noticetargets.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::tests {

inline constexpr char kNoticeSecret[] = "s3cret-Value/0123456789";
inline const base::FrozenClock kNoticeClock{base::fromUnix(1'790'000'000)};

// Every reference is to the same secret, or to the address that it is part of.
class TargetSecret final : public ports::SecretStore {
public:
    base::Result<base::Secret> read(const model::SecretRef &ref) override
    {
        if (ref.value == "missing")
            return base::fail(base::ErrorCode::NotFound, "the variable missing is not set");
        return base::Secret(ref.value == "address" ? std::string("https://hooks.example.org/services/") + kNoticeSecret
                                : ref.value == "key" ? kNoticeSecret
                                                     : ref.value);
    }
};

// Answers every request alike.
class Receiver final : public http::HttpClient {
public:
    http::Response answer;
    std::optional<base::Error> error;
    std::vector<http::Request> requests;

    void submit(http::Request request, std::stop_token, Completion done) override
    {
        requests.push_back(std::move(request));
        done(error ? base::Result<http::Response>(base::fail(*error)) : base::Result<http::Response>(answer));
    }
};

inline model::SecretRef referenceTo(std::string value)
{
    return {model::SecretRef::Kind::Environment, std::move(value), {}};
}

inline model::AlertTarget noticeTarget(const std::string &kind)
{
    model::AlertTarget target;
    target.name = "oncall";
    target.kind = kind;
    if (kind == "alertmanager")
        target.url = "http://127.0.0.1:9093/am/";
    else
        target.secret = referenceTo(kind == "pagerduty" || kind == "opsgenie" ? "key" : "address");
    return target;
}

inline model::Notice sampleNotice(const std::string &scope = "research")
{
    model::Notice notice;
    notice.key = std::string(60, 'a') + "0123";
    notice.rule = "idle-cost";
    notice.metric = "idle-cost";
    notice.per = "team";
    notice.scope = scope;
    notice.severity = "critical";
    notice.startedAt = base::fromUnix(1'789'990'000);
    notice.value = "312.40 USD/day";
    notice.threshold = "200 USD/day";
    notice.summary = "Idle GPUs of " + scope + " cost 312.40 USD/day.";
    notice.costSoFar = base::Money(36'120'000'000, base::Currency::usd());
    notice.perMonth = base::Money(9'500'125'000'000, base::Currency::usd());
    notice.link = "gpuledger://idle?team=research";
    notice.command = "gpuledger-cli idle --team research";
    notice.items.push_back({"c/ns/pod", "trainer-0", "ann", 8, base::fromUnix(1'789'980'000),
                            base::Money(4'000'000'000'000, base::Currency::usd())});
    return notice;
}

inline model::NoticeGroup groupOf(std::vector<model::Notice> notices,
                                  model::NoticeState state = model::NoticeState::Firing)
{
    for (model::Notice &one : notices) {
        one.state = state;
        if (state == model::NoticeState::Resolved)
            one.endedAt = base::fromUnix(1'789'995'000);
    }
    return {"6e2f", std::move(notices), kNoticeClock.now()};
}

// What clusters may contain, in every field that comes from them.
inline const std::string kHostile =
    "<!channel> @channel @Here <b>&amp;</b> [x](http://evil.example)\r\nX-Evil: 1\x1b[31m\x7f \xff\xfe `"
    + std::string(10'000, '<');

inline model::Notice hostileNotice()
{
    model::Notice notice = sampleNotice(kHostile);
    notice.value = notice.summary = notice.command = notice.per = notice.metric = notice.rule = kHostile;
    notice.link = "gpuledger://" + kHostile;
    notice.items.assign(50, {kHostile, kHostile, kHostile, 1.0 / 7, std::nullopt, std::nullopt});
    return notice;
}

// What is sent for a group to a target that answers as Slack does.
inline std::vector<http::Request> sentTo(const model::AlertTarget &target, const model::NoticeGroup &group)
{
    TargetSecret secrets;
    const auto receiver = std::make_shared<Receiver>();
    receiver->answer.status = 200;
    receiver->answer.body = "ok";
    const auto targets = notify::targets([&] { return receiver; }, secrets, kNoticeClock);
    const auto made = targets->create(target);
    if (!made || (*made)->send(group, {}).outcome != ports::DeliveryOutcome::Delivered)
        return {};
    return receiver->requests;
}

inline std::vector<nlohmann::json> bodiesFor(const std::string &kind, const model::NoticeGroup &group)
{
    std::vector<nlohmann::json> all;
    for (const http::Request &one : sentTo(noticeTarget(kind), group))
        all.push_back(nlohmann::json::parse(one.body, nullptr, false));
    return all;
}

} // namespace gpuledger::tests
