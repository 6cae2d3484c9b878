// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/stopnotes.h"

#include "app/actions/run/rulemarks.h"

#include <algorithm>

namespace gpuledger::actions {

using base::Result;
using ports::WriteOutcome;

namespace {

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

} // namespace

bool isNoteChanged(const model::TargetState &target, base::UtcTime noted, std::optional<base::UtcTime> planned)
{
    const auto note = target.annotations.find(model::kStopAtNote);
    const auto at = note == target.annotations.end() ? std::nullopt : parsedNote(note->second);
    return !at || (*at != noted && at != planned);
}

std::string noteText(const model::Lease &mark)
{
    return mark.actor + (mark.reason.empty() ? "" : ": " + mark.reason);
}

Result<StopNotes::Note> StopNotes::write(const model::TargetState &target, const std::vector<std::string> &holders,
                                         const model::StopNotice &notice)
{
    const auto isSame = [&](const Announced &one) { return one.target == target.ref; };
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
        [[fallthrough]];
    case WriteOutcome::Kind::Refused:
        note.text = done.text;
        m_all.pop_back();
        break;
    case WriteOutcome::Kind::Changed:
    case WriteOutcome::Kind::TryLater:
    case WriteOutcome::Kind::Unknown:
        return note; // tidy() tries again
    }
    GPULEDGER_TRY(setAnnounced(m_dataFolder, m_all));
    return note;
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
    switch (platform->target->announce(*state, notice, m_stop).kind) {
    case WriteOutcome::Kind::Done:
        if (mark)
            one.until = mark->until;
        return mark != nullptr;
    case WriteOutcome::Kind::Gone:
    case WriteOutcome::Kind::Refused:
        return false;
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
