// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/actions/markphrase.h"

#include "app/model/fleet/kindname.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/actions/resultphrase.h"
#include "ui/format/phrases/figures.h"

#include <algorithm>

// Mark the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text

namespace gpuledger::ui {

using actions::MarkEnd;
using actions::MarkEvent;
using Term = Phrase::Term;

namespace {

using phrases::say;
using phrases::word;

Term why(const MarkEvent &event)
{
    if (event.check)
        return {Term::Kind::Phrase, {}, 0, {textOf(*event.check)}};
    if (event.result.code != actions::ResultCode::None)
        return {Term::Kind::Phrase, {}, 0, {textOf(event.result)}};
    return word(event.detail);
}

Phrase overText(const MarkEvent &event)
{
    const Term action = word(std::to_string(event.action));
    switch (event.end) {
    case MarkEnd::Objected:
    case MarkEnd::Refused:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not stopped: %1"), {why(event)});
    case MarkEnd::Worked:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not stopped: it has been active since it was marked"));
    case MarkEnd::Left:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not stopped: it is no longer in the idle list"));
    case MarkEnd::Stopped:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "stopped by action %1"), {action});
    case MarkEnd::StoppedBefore:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "someone stopped it before, by action %1"), {action});
    case MarkEnd::Failed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "action %1 failed: %2"), {action, why(event)});
    case MarkEnd::PlatformRefused:
    case MarkEnd::Changed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not stopped by action %1: %2"), {action, why(event)});
    case MarkEnd::Partly:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "not stopped: %1 holds GPUs through the same object and is not marked"),
                   {why(event)});
    case MarkEnd::TooMuch:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "not stopped: with everything else due, it exceeds the limits of one stop"));
    case MarkEnd::OneWay:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not stopped: it can't be brought back"));
    case MarkEnd::GaveUp:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not stopped: for six hours it could not be checked: %1"),
                   {why(event)});
    case MarkEnd::Resolved:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not stopped: the alert has resolved"));
    }
    return {};
}

// A command that can be pasted into a shell; empty if a name is not valid in Kubernetes.
std::string annotateCommand(const model::TargetRef &target)
{
    const auto isPlain = [](const std::string &name) {
        return !name.empty() && name.front() != '-'
            && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")
            == std::string::npos;
    };
    if (target.apiVersion.empty() || !isPlain(target.kind) || !isPlain(target.nameSpace) || !isPlain(target.name))
        return {};
    return "kubectl -n " + target.nameSpace + " annotate " + target.kind + '/' + target.name
        + " gpu-ledger.io/protect=true";
}

std::string gpusText(double gpus)
{
    return fixed(gpus, gpus == static_cast<int>(gpus) ? 0 : 2);
}

std::string numbers(const std::vector<std::int64_t> &leases)
{
    std::string text;
    for (const std::int64_t lease : leases)
        text += (text.empty() ? "" : ", ") + std::to_string(lease);
    return text;
}

MarkNotice noticeOf(const actions::PlannedStop &planned, const std::vector<const model::Lease *> &leases)
{
    const model::Lease &first = *leases.front();
    MarkNotice notice;
    notice.owner = planned.owner;
    for (const model::Lease *lease : leases)
        notice.leases.push_back(lease->id);
    base::UtcTime since = planned.items.front().since;
    for (const insight::IdleItem &item : planned.items)
        since = std::max(since, item.since);
    notice.sentences.push_back(
        say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 in %2 (GPUs: %3) has been idle since %4."),
            {word(targetText(planned.target.ref)), word(planned.target.ref.cluster), word(gpusText(planned.gpus)),
             word(minuteText(since))}));
    notice.sentences.push_back(
        say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "It will be stopped after %1 unless someone objects or it becomes active again."),
            {word(minuteText(*first.until))}));
    notice.sentences.push_back(
        first.reason.empty() ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Requested by %1."), {word(first.actor)})
                             : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Requested by %1: %2"),
                                   {word(first.actor), word(first.reason)}));
    const std::string command = annotateCommand(planned.target.ref);
    notice.sentences.push_back(
        command.empty() ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                                "To object: set its label or tag gpu-ledger.io/protect to true."))
                        : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "To object: %1"), {word(command)}));
    notice.sentences.push_back(
        say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Or ask %1 to withdraw mark %2 (gpuledger-cli act release)."),
            {word(first.actor), word(numbers(notice.leases))}));
    return notice;
}

} // namespace

Phrase textOf(const MarkEvent &event)
{
    switch (event.kind) {
    case MarkEvent::Kind::Over:
        return overText(event);
    case MarkEvent::Kind::Postponed:
        return event.delay == actions::MarkDelay::ClockJumped
            ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "its notice starts again: the computer's clock jumped"))
            : say(
                QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "its notice starts again: no watch was running meanwhile"));
    case MarkEvent::Kind::Waits:
        break;
    }
    return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it will be tried again: %1"), {why(event)});
}

std::string MarkNotice::english() const
{
    std::string text;
    for (const Phrase &sentence : sentences)
        text += sentence.english() + '\n';
    return text;
}

std::vector<MarkNotice> noticesOf(const actions::Marked &marked)
{
    std::vector<MarkNotice> notices;
    for (const actions::PlannedStop &planned : marked.plan.stops) {
        std::vector<const model::Lease *> leases;
        for (const insight::IdleItem &item : planned.items) {
            for (const model::Lease &lease : marked.leases) {
                if (lease.holder == item.id)
                    leases.push_back(&lease);
            }
        }
        if (!leases.empty())
            notices.push_back(noticeOf(planned, leases));
    }
    return notices;
}

std::vector<Phrase> ownerMessageOf(const insight::IdleItem &item)
{
    const bool isPod = item.kind == model::SubjectKind::Pod;
    const std::string place = item.nameSpace.empty() ? item.cluster : item.cluster + '/' + item.nameSpace;
    std::vector<Phrase> sentences{
        say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 in %2 (GPUs: %3) has been idle since %4."),
            {word(model::shownName(item.kind, item.name)), word(place), word(gpusText(item.gpus)),
             word(minuteText(item.since))})};
    if (item.perMonth)
        sentences.push_back(
            say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "It costs %1 a month."),
                {word(fixed(item.perMonth->toDouble(), 0) + ' ' + std::string(item.perMonth->currency().code()))}));
    sentences.push_back(say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Please stop it if it is no longer needed.")));
    model::TargetRef pod;
    pod.apiVersion = "v1";
    pod.kind = "pod";
    pod.nameSpace = item.nameSpace;
    pod.name = item.name;
    const std::string command = isPod ? annotateCommand(pod) : std::string();
    sentences.push_back(command.empty()
                            ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                                    "To keep it: set its label or tag gpu-ledger.io/protect to true."))
                            : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "To keep it: %1"), {word(command)}));
    return sentences;
}

std::string minuteText(base::UtcTime at)
{
    std::string text = base::toRfc3339(at).substr(0, 16);
    text[10] = ' ';
    return text + " UTC";
}

} // namespace gpuledger::ui
