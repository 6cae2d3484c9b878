// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/actions/actionphrase.h"

// Mark the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text
#define QT_TRANSLATE_N_NOOP(context, text) text

namespace gpuledger::ui {

namespace {

using phrases::say;
using phrases::word;

using actions::Check;
using actions::CheckName;
using actions::Outcome;
using actions::Why;
using Term = Phrase::Term;

Term instant(base::UtcTime at)
{
    return {Term::Kind::Instant, {}, static_cast<double>(base::toUnix(at)), {}};
}

Phrase passedText(const Check &check)
{
    switch (check.name) {
    case CheckName::SameObject:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it is the same object"));
    case CheckName::StillIdle:
        return check.sampleAt ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "still idle, by samples of %1"),
                                    {instant(*check.sampleAt)})
                              : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "still idle"));
    case CheckName::SameOwner:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "still owned by the same team"));
    case CheckName::NotProtected:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it is not protected"));
    case CheckName::Stoppable:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "its kind can be stopped"));
    case CheckName::Allowed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the platform allows it"));
    case CheckName::DryRun:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the platform's dry run passed"));
    case CheckName::NoWrites:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "nothing is being written"));
    case CheckName::Clock:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the clock is steady"));
    }
    return {};
}

Phrase aboutActivity(const Check &check)
{
    const Term subject = word(check.subject);
    if (!check.sampleAt)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is active again"), {subject});
    const Term at = instant(*check.sampleAt);
    if (!check.share)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 served a request at %2"), {subject, at});
    return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is active again: %2 at %3"),
               {subject, {Term::Kind::Share, {}, *check.share, {}}, at});
}

Phrase aboutTelemetry(const Check &check)
{
    const Term subject = word(check.subject);
    switch (check.why) {
    case Why::Active:
        return aboutActivity(check);
    case Why::TooLittleSeen:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "too little was seen of %1 to call it idle"), {subject});
    case Why::PartlyIdle:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "%1 works on some of its GPUs: only what is idle on all of them is stopped"),
                   {subject});
    case Why::Stale:
        if (check.sampleAt)
            return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the newest sample of %1 is too old: %2"),
                       {subject, instant(*check.sampleAt)});
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "there is no recent sample of %1"), {subject});
    case Why::NotInList:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is not in the idle list: only what is idle is stopped"),
            {subject});
    case Why::Writing:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it writes %1 bytes a second: a checkpoint may be under way"),
            {subject});
    case Why::NoSignal:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not known: no source reports what it writes"));
    case Why::Jumped:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the clock jumped by %1 s: wait for two fresh samples"),
                   {subject});
    default:
        return {};
    }
}

Phrase aboutPlatform(const Check &check)
{
    const Term subject = word(check.subject);
    switch (check.why) {
    case Why::Gone:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it no longer exists"));
    case Why::AnotherObject:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "another object has its name now"));
    case Why::Changed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "someone changed it in the meantime: it is now %1"),
                   {subject});
    case Why::Obstacle:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it can't be stopped: %1"), {subject});
    case Why::Managed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "it is managed by %1, which may start it again: it is stopped only when that is "
                                     "named (act stop --despite)"),
                   {subject});
    case Why::Irreversible:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "it can't be brought back, and the configuration does not permit that "
                                     "(actions: { irreversible: typed_name }): %1"),
                   {subject});
    case Why::NoPlatform:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no source reaches cluster %1 to stop anything there"),
                   {subject});
    case Why::Ambiguous:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it is ambiguous: %1 have one of its name"), {subject});
    case Why::NoRight:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the rights of source %1 do not include \"stop\""),
                   {subject});
    case Why::Forbidden:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "you lack a permission there: %1"), {subject});
    case Why::Rejected:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the platform's dry run refused it: %1"), {subject});
    case Why::NoRehearsal:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "a dry run is not possible there: %1"), {subject});
    case Why::Unreachable:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it can't be queried: %1"), {subject});
    case Why::Unmarked:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "someone objected: the mark of %1 was withdrawn"),
                   {subject});
    case Why::Unsettled:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "action %1 on it is not settled yet"), {subject});
    default:
        return aboutTelemetry(check);
    }
}

} // namespace

Phrase nameOf(CheckName name)
{
    switch (name) {
    case CheckName::SameObject:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Same object"));
    case CheckName::StillIdle:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Still idle"));
    case CheckName::SameOwner:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Same owner"));
    case CheckName::NotProtected:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Not protected"));
    case CheckName::Stoppable:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Can be stopped"));
    case CheckName::Allowed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Allowed"));
    case CheckName::DryRun:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Dry run"));
    case CheckName::NoWrites:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Writes nothing"));
    case CheckName::Clock:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "Clock"));
    }
    return {};
}

Phrase textOf(const Check &check)
{
    const Term subject = word(check.subject);
    switch (check.why) {
    case Why::None:
        return check.outcome == Outcome::Passed ? passedText(check)
                                                : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not checked"));
    case Why::OwnerChanged:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it belongs to %1 as well"), {subject});
    case Why::Rule:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "protected by the configuration: %1"), {subject});
    case Why::Label:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "protected by a label of %1"), {subject});
    case Why::Annotation:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "protected by an annotation of %1"), {subject});
    case Why::Tag:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "protected by a tag of %1"), {subject});
    case Why::Lease:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "someone asked to keep it: %1"), {subject});
    default:
        return aboutPlatform(check);
    }
}

Phrase textOf(model::Loss loss)
{
    switch (loss) {
    case model::Loss::ProcessMemory:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "what its processes hold in memory"));
    case model::Loss::ProgressSinceCheckpoint:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "progress since the last checkpoint"));
    case model::Loss::LocalDisk:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "files on the machine's own disk"));
    case model::Loss::QueuePlace:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "its place in the queue: it is queued again and may wait"));
    case model::Loss::Endpoint:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "its endpoint: requests go unanswered meanwhile"));
    case model::Loss::Capacity:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "its capacity: a start may fail where the cloud has none"));
    case model::Loss::Manifest:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the object itself"));
    }
    return {};
}

Phrase textOf(const model::Caution &caution)
{
    const Term subject = word(caution.text);
    using Kind = model::Caution::Kind;
    switch (caution.kind) {
    case Kind::Autoscaler:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "an autoscaler is inactive while it is at 0: %1"),
                   {subject});
    case Kind::Keda:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "KEDA would scale it back: %1"), {subject});
    case Kind::GitOps:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it may be reset by %1"), {subject});
    case Kind::Queue:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it is stopped through its queue: %1"), {subject});
    case Kind::DisruptionBudget:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "a disruption budget wants it to stay up: %1"),
                   {subject});
    case Kind::FutureRuns:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "a schedule starts the next run: %1"), {subject});
    case Kind::Unguarded:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the platform can't guard the call: %1"), {subject});
    case Kind::StaysBilled:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "still billed: %1"), {subject});
    case Kind::Other:
        break;
    }
    return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "note: %1"), {subject});
}

Phrase textOf(model::ActionState state)
{
    using S = model::ActionState;
    switch (state) {
    case S::Proposed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "proposed"));
    case S::Checked:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "checked"));
    case S::Confirmed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "confirmed"));
    case S::Executing:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "under way"));
    case S::Executed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "done, being verified"));
    case S::Verified:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "verified"));
    case S::Refused:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "refused"));
    case S::Failed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "failed"));
    case S::Unknown:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not known yet"));
    case S::Undone:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "undone"));
    }
    return {};
}

Phrase effectOf(const model::TargetState &target)
{
    if (target.verb == model::StopVerb::Delete || target.verb == model::StopVerb::Evict)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "deletes it"));
    if (target.verb == model::StopVerb::Annotate)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "asks its controller to stop it (%1)"),
                   {word(target.field)});
    return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "sets %1 from %2 to %3"),
               {word(target.field), word(target.value), word(target.stoppedValue)});
}

Phrase undoOf(const model::TargetState &target)
{
    if (target.verb == model::StopVerb::None)
        return {};
    if (!target.isReversible && target.verb == model::StopVerb::StopInstance)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "starts it again, if the cloud has room; what was on its own disks is gone"));
    if (!target.isReversible)
        return target.manifest.empty()
            ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "can't be brought back"))
            : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "only by recreating it from what was saved"));
    if (target.verb == model::StopVerb::Annotate)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "removes the mark; it starts again"));
    return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "sets %1 back to %2"),
               {word(target.field), word(target.value)});
}

Phrase textOf(const actions::BlastRadius &blast, const model::ActionLimits &limits)
{
    if (blast.tooMany)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "That is more than %1 at once."),
                   {word(std::to_string(limits.maxPerAction))});
    if (blast.teams.empty())
        return {};
    const actions::BlastRadius::Team &team = blast.teams.front();
    const double share = team.held > 0 ? std::min(1.0, team.gpus / team.held) : 1;
    return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "That is %1 of the GPUs that %2 holds now."),
               {{Term::Kind::Share, {}, share, {}}, word(team.name)});
}

Phrase textOf(const actions::Standing &standing)
{
    using Kind = actions::Standing::Kind;
    if (standing.kind == Kind::Gone)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "gone, or another one has its name"));
    if (standing.kind == Kind::Running)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it runs: %1 is %2"),
                   {word(standing.field), word(standing.value)});
    if (!standing.mark)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "stopped; not marked by whom"));
    if (standing.action)
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "stopped by action %1, of %2"),
                   {word(std::to_string(*standing.action)), word(standing.mark->actor)});
    return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "stopped by %1, not from here"),
               {word(standing.mark->actor)});
}

Phrase textOf(model::Lease::Kind kind)
{
    switch (kind) {
    case model::Lease::Kind::Snooze:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "snoozed"));
    case model::Lease::Kind::KeepUntil:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "kept"));
    case model::Lease::Kind::Protect:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "protected"));
    case model::Lease::Kind::StopAfter:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "stopped unless someone objects"));
    }
    return {};
}

std::string targetText(const model::TargetRef &target)
{
    return target.kind + ' ' + (target.nameSpace.empty() ? "" : target.nameSpace + '/') + target.name;
}

} // namespace gpuledger::ui
