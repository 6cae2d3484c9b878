// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/rulemarkstep.h"

#include "app/services/actions/actionservice.h"
#include "ui/cli/program/output.h"
#include "ui/cli/watch/eventlines.h"
#include "ui/format/actions/actionphrase.h"

namespace gpuledger::cli {

using actions::RuleMark;
using base::Result;

namespace {

std::string ruleMarkState(RuleMark::Kind kind)
{
    switch (kind) {
    case RuleMark::Kind::Marked:
        return "marked";
    case RuleMark::Kind::LeftOut:
        return "left-out";
    case RuleMark::Kind::Released:
        break;
    }
    return "released";
}

Json ruleMarkLine(const RuleMark &mark, base::UtcTime at)
{
    const bool isLeftOut = mark.kind == RuleMark::Kind::LeftOut;
    const bool isMarked = mark.kind == RuleMark::Kind::Marked;
    Json line{{"at", cli::toJson(at)}, {"event", "alert-mark"}, {"rule", mark.rule}, {"holder", mark.holder}};
    line["state"] = ruleMarkState(mark.kind);
    line["lease"] = mark.lease ? Json(mark.lease->id) : Json(nullptr);
    line["until"] = isMarked && mark.lease && mark.lease->until ? cli::toJson(*mark.lease->until) : Json(nullptr);
    line["reason"] = isLeftOut ? Json(std::string(toString(mark.why))) : Json(nullptr);
    line["detail"] = mark.check ? Json(ui::textOf(*mark.check).english()) : textOrNull(mark.detail);
    line["noted"] = isMarked ? Json(mark.detail.empty()) : Json(nullptr); // at the object
    return line;
}

} // namespace

Result<void> markForAlerts(Session &session, services::Workspace &workspace,
                           const std::vector<actions::MarkingRule> &rules, EventLines &lines)
{
    if (!workspace.settings().actions.stopsMarked)
        return {};
    Result<void> told;
    const auto done = workspace.actions().markForRules(rules, session.stop(), [&](const RuleMark &mark) {
        if (told)
            told = lines.tell(ruleMarkLine(mark, session.clock().now()));
    });
    GPULEDGER_TRY(told);
    if (done || done.error().code == base::ErrorCode::Cancelled)
        return done;
    return lines.tell(
        {{"at", cli::toJson(session.clock().now())}, {"event", "alert-mark"}, {"error", cli::toJson(done.error())}});
}

} // namespace gpuledger::cli
