// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/outbox/noticetext.h"

#include <nlohmann/json.hpp>

namespace gpuledger::alerts {

using base::Result;
using model::Notice;
using model::NoticeItem;
using nlohmann::json;

namespace {

json timeJson(const std::optional<base::UtcTime> &time)
{
    return time ? json(base::toUnix(*time)) : json();
}

json moneyJson(const std::optional<base::Money> &money)
{
    return money ? json{{"nanos", money->nanos()}, {"currency", std::string(money->currency().code())}} : json();
}

json itemJson(const NoticeItem &item)
{
    return {{"id", item.id},
            {"name", item.name},
            {"owner", item.owner},
            {"gpus", item.gpus},
            {"since", timeJson(item.since)},
            {"per_month", moneyJson(item.perMonth)}};
}

json noticeJson(const Notice &notice)
{
    json out{{"state", std::string(model::toString(notice.state))},
             {"key", notice.key},
             {"rule", notice.rule},
             {"metric", notice.metric},
             {"per", notice.per},
             {"scope", notice.scope},
             {"severity", notice.severity},
             {"started_at", timeJson(notice.startedAt)},
             {"ended_at", timeJson(notice.endedAt)},
             {"value", notice.value},
             {"threshold", notice.threshold},
             {"summary", notice.summary},
             {"cost_so_far", moneyJson(notice.costSoFar)},
             {"per_month", moneyJson(notice.perMonth)},
             {"link", notice.link},
             {"command", notice.command},
             {"consequence", notice.consequence},
             {"items", json::array()},
             {"more_items", notice.moreItems}};
    for (const NoticeItem &item : notice.items)
        out["items"].push_back(itemJson(item));
    return out;
}

// The functions below throw json::exception.
std::optional<base::UtcTime> timeIn(const json &value)
{
    return value.is_null() ? std::nullopt : std::optional(base::fromUnix(value.get<std::int64_t>()));
}

std::optional<base::Money> moneyIn(const json &value)
{
    if (value.is_null())
        return std::nullopt;
    const auto code = value.at("currency").get<std::string>();
    const auto currency = base::Currency::parse(code);
    return base::Money(value.at("nanos").get<std::int64_t>(), currency ? *currency : base::Currency());
}

NoticeItem itemIn(const json &value)
{
    return {
        value.at("id").get<std::string>(), value.at("name").get<std::string>(), value.at("owner").get<std::string>(),
        value.at("gpus").get<double>(),    timeIn(value.at("since")),           moneyIn(value.at("per_month"))};
}

std::optional<Notice> noticeIn(const json &value)
{
    Notice out;
    const auto state = model::noticeStateFromString(value.at("state").get<std::string>());
    const auto started = timeIn(value.at("started_at"));
    if (!state || !started)
        return std::nullopt;
    out.state = *state;
    out.startedAt = *started;
    out.endedAt = timeIn(value.at("ended_at"));
    for (const auto &[name, member] :
         {std::pair("key", &Notice::key), std::pair("rule", &Notice::rule), std::pair("metric", &Notice::metric),
          std::pair("per", &Notice::per), std::pair("scope", &Notice::scope), std::pair("severity", &Notice::severity),
          std::pair("value", &Notice::value), std::pair("threshold", &Notice::threshold),
          std::pair("summary", &Notice::summary), std::pair("link", &Notice::link),
          std::pair("command", &Notice::command)})
        out.*member = value.at(name).get<std::string>();
    out.consequence = value.value("consequence", std::string()); // earlier versions had none
    out.costSoFar = moneyIn(value.at("cost_so_far"));
    out.perMonth = moneyIn(value.at("per_month"));
    for (const json &item : value.at("items"))
        out.items.push_back(itemIn(item));
    out.moreItems = value.at("more_items").get<std::size_t>();
    return out;
}

} // namespace

std::string textOf(const model::NoticeGroup &group)
{
    json out{
        {"id", group.id}, {"at", base::toUnix(group.at)}, {"notices", json::array()}, {"unlisted", group.unlisted}};
    for (const Notice &notice : group.notices)
        out["notices"].push_back(noticeJson(notice));
    return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<model::NoticeGroup> noticeGroupOf(const std::string &text)
{
    const auto refused = [] { return base::fail(base::ErrorCode::Parse, "this is not a stored notice"); };
    try {
        const json value = json::parse(text);
        model::NoticeGroup out;
        out.id = value.at("id").get<std::string>();
        out.at = base::fromUnix(value.at("at").get<std::int64_t>());
        out.unlisted = value.value("unlisted", std::size_t{0});
        for (const json &one : value.at("notices")) {
            auto notice = noticeIn(one);
            if (!notice)
                return refused();
            out.notices.push_back(std::move(*notice));
        }
        return out;
    } catch (const json::exception &) {
        return refused();
    }
}

model::NoticeGroup without(model::NoticeGroup group, const std::set<std::string> &keys)
{
    std::erase_if(group.notices, [&](const Notice &notice) { return keys.contains(notice.key); });
    return group;
}

} // namespace gpuledger::alerts
