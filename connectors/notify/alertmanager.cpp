// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/crypto/sha256.h"
#include "connectors/notify/noticetext.h"
#include "connectors/notify/protocols.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace gpuledger::notify {

namespace {

using nlohmann::json;

constexpr base::Seconds kRepeat{60}, kFiresFor = 4 * kRepeat, kTestLasts{60};
constexpr std::size_t kMostLabel = 150, kMostAnnotation = 2000, kMostAlertsAtOnce = 500;

// The labels are the identity of an alert, so two scopes must not become one by being cleaned.
std::string labelValue(const std::string &text)
{
    const std::string clean = cleaned(text, kMostLabel);
    return clean == text ? clean : clean + '~' + base::sha256Hex(text).substr(0, 8);
}

void addLabel(json &labels, const char *name, const std::string &value)
{
    if (!value.empty()) // an empty value is no label
        labels[name] = labelValue(value);
}

json labelsOf(const model::Notice &notice)
{
    json labels = json::object();
    addLabel(labels, "alertname", notice.rule.empty() ? "GpuLedgerTest" : notice.rule);
    addLabel(labels, "severity", notice.severity);
    addLabel(labels, "rule", notice.rule);
    addLabel(labels, "scope", notice.scope);
    addLabel(labels, "per", notice.per);
    if (notice.state == model::NoticeState::Test)
        labels["test"] = "true"; // never the identity of a real alert
    return labels;
}

std::string joinedLines(const std::vector<std::string> &lines, std::size_t more)
{
    std::string out;
    for (const std::string &line : lines)
        out += (out.empty() ? "" : "\n") + line;
    if (more > 0)
        out += (out.empty() ? "" : "\n") + ("and " + std::to_string(more) + " more");
    return out;
}

json annotationsOf(const model::NoticeGroup &one)
{
    const model::Notice &notice = one.notices.front();
    const NoticeText text = noticeText(one);
    json out = json::object();
    const auto add = [&](const char *name, const std::string &value) {
        if (!value.empty())
            out[name] = value;
    };
    add("summary", text.line);
    add("description", joinedLines(text.items, text.moreItems));
    add("value", cleaned(notice.value, kMostAnnotation));
    add("threshold", cleaned(notice.threshold, kMostAnnotation));
    if (notice.costSoFar)
        add("cost", moneyText(*notice.costSoFar));
    if (notice.perMonth)
        add("cost_per_month", moneyText(*notice.perMonth));
    add("link", text.link);
    add("command", text.command);
    add("consequence", cleaned(notice.consequence, kMostAnnotation));
    return out;
}

base::UtcTime beginOf(const model::Notice &notice, base::UtcTime now)
{
    return notice.state == model::NoticeState::Test ? now : std::min(notice.startedAt, now);
}

base::UtcTime endOf(const model::Notice &notice, base::UtcTime now)
{
    if (notice.state == model::NoticeState::Firing)
        return now + kFiresFor;
    if (notice.state == model::NoticeState::Test)
        return now + kTestLasts;
    // An end before the begin would be refused.
    return std::max(beginOf(notice, now), std::min(notice.endedAt.value_or(now), now));
}

json alertOf(const model::NoticeGroup &one, base::UtcTime now)
{
    const model::Notice &notice = one.notices.front();
    return {{"labels", labelsOf(notice)},
            {"annotations", annotationsOf(one)},
            {"startsAt", base::toRfc3339(beginOf(notice, now))},
            {"endsAt", base::toRfc3339(endOf(notice, now))}};
}

class Alertmanager final : public HttpProtocol {
public:
    ports::TargetTraits traits() const override { return {true, true, base::Seconds{0}, kRepeat}; }

    std::vector<HttpMessage> messages(const model::NoticeGroup &group, base::UtcTime now) const override
    {
        std::vector<HttpMessage> all;
        json alerts = json::array();
        for (const model::Notice &notice : group.notices) {
            alerts.push_back(alertOf({group.id, {notice}, group.at}, now));
            if (alerts.size() < kMostAlertsAtOnce && &notice != &group.notices.back())
                continue;
            all.push_back({"/api/v2/alerts", {}, jsonText(alerts)});
            alerts = json::array();
        }
        return all;
    }
};

} // namespace

std::unique_ptr<HttpProtocol> alertmanagerProtocol()
{
    return std::make_unique<Alertmanager>();
}

} // namespace gpuledger::notify
