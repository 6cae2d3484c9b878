// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/stopnotes.h"

#include "app/actions/run/rulemarks.h"
#include "app/base/text/text.h"

#include <algorithm>

namespace gpuledger::actions {

using base::Result;
using ports::WriteOutcome;

namespace {

constexpr std::size_t kLongestNoteShown = 64; // of an annotation

const model::Lease *ruleMarkOf(const Announced &one, const std::vector<model::Lease> &leases)
{
    const auto it = std::find_if(leases.begin(), leases.end(), [&](const model::Lease &lease) {
        return isOfRule(lease) && std::find(one.holders.begin(), one.holders.end(), lease.holder) != one.holders.end();
    });
    return it == leases.end() ? nullptr : &*it;
}

std::optional<base::UtcTime> parsedNote(const std::string &text)
{
    const auto at = base::parseTime(text);
    return at ? std::optional(*at) : std::nullopt;
}

bool isNoteChanged(const model::TargetState &target, base::UtcTime noted, std::optional<base::UtcTime> planned)
{
    const auto note = target.annotations.find(model::kStopAtNote);
    const auto at = note == target.annotations.end() ? std::nullopt : parsedNote(note->second);
    return !at || (*at != noted && at != planned);
}

// The source may have another name by now, and the kind another version.
bool isSameObject(const model::TargetRef &a, const model::TargetRef &b)
{
    return a.uid == b.uid && a.cluster == b.cluster && a.kind == b.kind && a.nameSpace == b.nameSpace
        && a.name == b.name;
}

} // namespace

std::optional<Check> objectionAtNote(const std::vector<Announced> &all, const model::TargetState &target,
                                     std::optional<base::UtcTime> until)
{
    const auto noted = std::find_if(all.begin(), all.end(), [&](const Announced &one) {
        return one.until && isSameObject(one.target, target.ref);
    });
    const bool isObjection = noted != all.end() && isNoteChanged(target, *noted->until, until);
    return isObjection ? std::optional(noteObjection(target)) : std::nullopt;
}

Check noteObjection(const model::TargetState &target)
{
    const auto note = target.annotations.find(model::kStopAtNote);
    const std::string now =
        note == target.annotations.end() ? "removed" : base::printable(note->second, kLongestNoteShown);
    return {CheckName::NotProtected, Outcome::Failed, Why::Annotation,
            target.ref.kind + ' ' + model::fullNameOf(target.ref) + " (" + model::kStopAtNote + ": " + now + ')'};
}

std::string noteText(const model::Lease &mark)
{
    return mark.actor + (mark.reason.empty() ? "" : ": " + mark.reason);
}

Result<StopNotes::Note> StopNotes::write(const model::TargetState &target, const std::vector<std::string> &holders,
                                         const model::StopNotice &notice)
{
    const auto isSame = [&](const Announced &one) { return isSameObject(one.target, target.ref); };
    const auto old = std::find_if(m_all.begin(), m_all.end(), isSame);
    const auto before = old == m_all.end() ? std::nullopt : old->until; // what the object says until now
    m_all.erase(std::remove_if(m_all.begin(), m_all.end(), isSame), m_all.end());
    m_all.push_back({target.ref, holders, std::nullopt});
    GPULEDGER_TRY(setAnnounced(m_dataFolder, m_all));
    Note note;
    const auto platform = m_context.environment.platformNamed(target.ref.source);
    const WriteOutcome done = platform
        ? platform->target->announce(target, notice, m_stop)
        : WriteOutcome{WriteOutcome::Kind::Refused, platform.error().text, {}, {}, {}, {}};
    switch (done.kind) {
    case WriteOutcome::Kind::Done:
        m_all.back().until = notice.at;
        break;
    case WriteOutcome::Kind::Gone:
        note.isGone = true;
        note.text = done.text;
        m_all.pop_back();
        break;
    case WriteOutcome::Kind::Refused:
        note.text = done.text;
        if (before)
            m_all.back().until = before;
        else
            m_all.pop_back();
        break;
    case WriteOutcome::Kind::Changed:
    case WriteOutcome::Kind::TryLater:
    case WriteOutcome::Kind::Unknown:
        if (!before)
            return note; // tidy() tries again
        m_all.back().until = before;
        break;
    }
    GPULEDGER_TRY(setAnnounced(m_dataFolder, m_all));
    return note;
}

std::optional<Check> StopNotes::objectionAt(const model::TargetState &target, std::optional<base::UtcTime> until) const
{
    return objectionAtNote(m_all, target, until);
}

Result<std::optional<Check>> StopNotes::objectionTo(const model::Lease &mark) const
{
    const auto noted = std::find_if(m_all.begin(), m_all.end(), [&](const Announced &one) {
        return one.until && std::find(one.holders.begin(), one.holders.end(), mark.holder) != one.holders.end();
    });
    if (noted == m_all.end())
        return std::optional<Check>();
    const auto platform = m_context.environment.platformNamed(noted->target.source);
    if (!platform)
        return std::optional<Check>(); // its source is not configured any more
    const auto state = platform->target->read(noted->target, m_stop);
    if (!state && state.error().code == base::ErrorCode::NotFound)
        return std::optional<Check>();
    GPULEDGER_TRY(state);
    return objectionAt(*state, mark.until);
}

// Returns false if the entry is no longer needed.
bool StopNotes::tidied(Announced &one, const std::vector<model::Lease> &leases)
{
    const model::Lease *mark = ruleMarkOf(one, leases);
    if (mark && one.until == mark->until)
        return true;
    const auto platform = m_context.environment.platformNamed(one.target.source);
    if (!platform)
        return mark != nullptr; // its source is not configured any more
    const auto state = platform->target->read(one.target, m_stop);
    if (!state)
        return state.error().code != base::ErrorCode::NotFound;
    const bool hasNote =
        state->annotations.count(model::kStopAtNote) + state->annotations.count(model::kStopReasonNote) > 0;
    if (!mark && !hasNote)
        return false;
    if (mark && one.until && isNoteChanged(*state, *one.until, mark->until))
        return true; // an objection, which runMarks() heeds; a new note would hide it
    const auto notice = mark ? std::optional(model::StopNotice{*mark->until, noteText(*mark)}) : std::nullopt;
    if (!mark)
        one.until.reset(); // that the note is gone then is no objection
    switch (platform->target->announce(*state, notice, m_stop).kind) {
    case WriteOutcome::Kind::Done:
        if (mark)
            one.until = mark->until;
        return mark != nullptr;
    case WriteOutcome::Kind::Gone:
        return false;
    case WriteOutcome::Kind::Refused:
        return mark && one.until; // the note is there with its old time, and can still be objected to
    case WriteOutcome::Kind::Changed:
    case WriteOutcome::Kind::TryLater:
    case WriteOutcome::Kind::Unknown:
        break;
    }
    return true;
}

Result<void> StopNotes::tidy()
{
    if (m_all.empty())
        return {};
    const auto leases = m_context.store.leases(m_context.environment.clock().now());
    GPULEDGER_TRY(leases);
    const std::vector<Announced> before = m_all;
    std::vector<Announced> kept;
    for (Announced one : before) {
        if (m_stop.stop_requested() || tidied(one, *leases))
            kept.push_back(std::move(one));
    }
    m_all = std::move(kept);
    return m_all == before ? Result<void>() : setAnnounced(m_dataFolder, m_all);
}

} // namespace gpuledger::actions
