// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/proposals/choice.h"

#include "app/base/text/text.h"

#include <utility>

namespace gpuledger::savings {

using base::ErrorCode;
using base::Result;

namespace {

// One line; empty only if it need not be there.
Result<std::string> choiceLine(const std::string &text, bool isNeeded, const char *what)
{
    std::string line = base::printableLine(text, 3 * ChoiceDraft::kLongestText);
    if (line.empty() && isNeeded)
        return base::fail(ErrorCode::InvalidArgument, std::string("this choice needs ") + what);
    if (line.size() > ChoiceDraft::kLongestText)
        return base::fail(ErrorCode::InvalidArgument,
                          std::string(what) + " of a choice is longer than " + std::to_string(ChoiceDraft::kLongestText)
                              + " bytes");
    return line;
}

} // namespace

std::string_view toString(ChoiceState state)
{
    switch (state) {
    case ChoiceState::Accepted:
        return "accepted";
    case ChoiceState::Dismissed:
        return "dismissed";
    case ChoiceState::Later:
        return "later";
    case ChoiceState::Open:
        return "open";
    }
    return {};
}

std::optional<ChoiceState> choiceStateFrom(std::string_view text)
{
    for (const ChoiceState state :
         {ChoiceState::Accepted, ChoiceState::Dismissed, ChoiceState::Later, ChoiceState::Open}) {
        if (toString(state) == text)
            return state;
    }
    return std::nullopt;
}

std::string_view toString(RealizedState state)
{
    switch (state) {
    case RealizedState::Measured:
        return "measured";
    case RealizedState::TooEarly:
        return "too-early";
    case RealizedState::NoBefore:
        return "no-before";
    case RealizedState::NoUse:
        return "no-use";
    case RealizedState::Unpriced:
        return "unpriced";
    case RealizedState::StillPaid:
        return "still-paid";
    }
    return {};
}

bool isInForce(const ChoiceDraft &draft, base::Day today)
{
    const bool isDue = draft.state == ChoiceState::Later && (!draft.day || *draft.day <= today);
    return draft.state != ChoiceState::Open && !isDue;
}

Result<ChoiceDraft> checked(ChoiceDraft draft)
{
    if (draft.proposal.empty())
        return base::fail(ErrorCode::InvalidArgument, "a choice needs a proposal that it is about");
    const bool isAccepted = draft.state == ChoiceState::Accepted;
    if (!isAccepted)
        draft.owner.clear();
    auto owner = choiceLine(draft.owner, isAccepted, "a person responsible");
    GPULEDGER_TRY(owner);
    draft.owner = std::move(*owner);
    auto reason = choiceLine(draft.reason, draft.state == ChoiceState::Dismissed, "a reason");
    GPULEDGER_TRY(reason);
    draft.reason = std::move(*reason);
    const bool hasDay = isAccepted || draft.state == ChoiceState::Later;
    if (hasDay && !draft.day)
        return base::fail(ErrorCode::InvalidArgument,
                          isAccepted ? "this choice needs a day until when it is done"
                                     : "this choice needs a day on which it is shown again");
    if (!hasDay)
        draft.day.reset();
    return draft;
}

} // namespace gpuledger::savings
