// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/marks/marktold.h"

#include "app/actions/run/rulemarks.h"
#include "app/alerts/rules/rule.h"
#include "app/alerts/rules/rulemachine.h"
#include "app/model/settings.h"
#include "app/services/alerts/noticewords.h"
#include "app/store/actions/actionstore.h"

namespace gpuledger::services {

using actions::MarkEnd;
using base::Result;
using model::Lease;
using model::Notice;

namespace {

constexpr std::string_view kMarksOf = "marks of "; // no rule has a space in its name
constexpr base::Seconds kKeptFor = 7 * base::kDay; // what the command of a message proposes
constexpr std::size_t kDateLetters = 10;

Notice bareMark(const std::string &key, const std::string &rule, const std::string &name, base::UtcTime at,
                const model::AlertRule *configured)
{
    Notice out;
    out.key = key;
    out.rule = markSubject(rule);
    out.metric = configured ? configured->metric : std::string();
    out.per = "workload";
    out.scope = name;
    out.severity = configured ? configured->severity : std::string(alerts::toString(alerts::RuleSeverity::Info));
    out.startedAt = at;
    return out;
}

std::string endWords(const std::string &name, std::optional<MarkEnd> end)
{
    if (!end)
        return name + " is no longer marked to be stopped, or at another time";
    switch (*end) {
    case MarkEnd::Stopped:
        return name + " was stopped, as announced";
    case MarkEnd::StoppedBefore:
        return name + " was stopped by somebody else before its time";
    case MarkEnd::Objected:
        return name + " is not stopped, because somebody objected";
    case MarkEnd::Worked:
        return name + " is not stopped, because it has been active since it was marked";
    case MarkEnd::Left:
        return name + " is not stopped, because it is no longer in the idle list";
    case MarkEnd::Resolved:
        return name + " is not stopped, because the alert is over";
    case MarkEnd::Failed:
    case MarkEnd::PlatformRefused:
    case MarkEnd::Changed:
        return "The stop of " + name + " failed";
    case MarkEnd::Refused:
    case MarkEnd::Partly:
    case MarkEnd::TooMuch:
    case MarkEnd::OneWay:
    case MarkEnd::GaveUp:
        break;
    }
    return name + " is not stopped, because a check did not pass";
}

} // namespace

std::string markSubject(std::string_view rule)
{
    return std::string(kMarksOf) + std::string(rule);
}

bool isOfMarks(std::string_view subject)
{
    return subject.starts_with(kMarksOf);
}

Result<std::vector<Lease>> ruleMarksOf(store::ActionStore actions, const model::Settings &settings, base::UtcTime now)
{
    if (!settings.actions.stopsMarked)
        return std::vector<Lease>();
    auto leases = actions.leases(now);
    GPULEDGER_TRY(leases);
    std::erase_if(*leases, [](const Lease &one) { return !actions::isOfRule(one); });
    return leases;
}

std::string ruleOfMark(const Lease &mark)
{
    return mark.actor.substr(actions::kAlertActor.size());
}

std::string keyOfMark(const Lease &mark)
{
    return alerts::alertKey(markSubject(ruleOfMark(mark)), mark.holder, mark.at);
}

std::string nameOfMarked(const insight::IdleItem &item)
{
    return item.nameSpace.empty() ? item.name : item.nameSpace + '/' + item.name;
}

Notice noticeOfMark(const Lease &mark, const insight::IdleItem &item, const model::AlertRule *rule)
{
    const base::UtcTime until = mark.until.value_or(mark.at);
    const std::string name = nameOfMarked(item);
    Notice out = bareMark(keyOfMark(mark), ruleOfMark(mark), name, mark.at, rule);
    out.summary = name + (item.owner.empty() ? std::string() : " of team " + item.owner)
        + " is marked to be stopped at " + base::toRfc3339(until) + ": " + mark.reason;
    out.consequence = markConsequence(until);
    out.perMonth = item.perMonth;
    out.link = markLink(item.owner, item.id);
    out.command = keepCommand(item.id, base::toRfc3339(until + kKeptFor).substr(0, kDateLetters));
    out.items.push_back({item.id, item.name, item.owner, item.gpus, item.since, item.perMonth});
    return out;
}

Notice noticeOfMarkOver(const MarkOver &over, const model::AlertRule *rule)
{
    Notice out = bareMark(over.key, over.rule, over.name, over.markedAt, rule);
    out.state = model::NoticeState::Resolved;
    out.endedAt = over.endedAt;
    out.summary = endWords(over.name, over.end);
    out.link = "gpuledger://activity";
    out.command = "gpuledger-cli act log";
    return out;
}

} // namespace gpuledger::services
