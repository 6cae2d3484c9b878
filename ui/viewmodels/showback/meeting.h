// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/months/decisions.h"
#include "ui/viewmodels/showback/showbackviewmodel.h"
#include "ui/viewmodels/showback/statementsheet.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// A slide of the showback meeting, as texts and figures. The first one covers all teams.
struct MeetingSlide {
    using Tone = StatementSheet::Tone;
    struct Figure {
        QString name, value, detail; // an empty value: unknown
        QString range; // below it: between what it lies and why, or what it leaves out; empty: certain and complete
        Tone tone = Tone::Plain; // for the detail
    };
    struct Decision {
        std::int64_t id = 0;
        QString what; // on the first slide, including its team
        QString who; // "alex, by 15 Nov 2026"
        QString result; // "Idle cost 300.00 → 150.00 USD; brought 150.00 USD"; for decisions of this meeting: the goal
        Tone tone = Tone::Plain;
        bool isOpen = true, isLate = false;
        bool isSaving = false; // an accepted saving: it is settled on the Savings page, not here
    };
    struct Bar { // of a team, on the first slide
        QString name, amount, waste; // waste: share of its cost for held but idle time
        double share = 0, idleShare = 0; // relative to the cost of the most expensive team
    };

    std::optional<std::string> team; // std::nullopt: all teams
    QString title, subtitle, currency;
    std::vector<Figure> figures;
    std::vector<StatementSheet::Month> months;
    std::vector<Bar> teams; // most expensive first; beyond kMostTeams the rest is the last bar
    QString waste; // a sentence; may be empty
    std::vector<StatementSheet::Workload>
        workloads; // most expensive first, at most kMostWorkloads; beside decisions kFewWorkloads
    // Of earlier meetings, and accepted savings that were accepted by the end of the month after this one, when its
    // meeting is held; newest first, at most kMostBefore.
    std::vector<Decision> before;
    int moreBefore = 0; // those that do not fit
    std::vector<Decision> now; // of this meeting
    std::optional<reports::DecisionDraft> draft; // initial values of a new one; std::nullopt: none can be made here

    static constexpr std::size_t kMostTeams = 24, kMostWorkloads = 10, kFewWorkloads = 4, kMostBefore = 4;
};

// All slides of a month: all teams, then each team, most expensive first, for each currency. Empty if the month has no
// figures. GUI thread, because of the translation.
std::vector<MeetingSlide> meetingSlides(const ShowbackSnapshot &snapshot);

QString measureName(reports::Measure measure); // "Idle cost"

} // namespace gpuledger::ui
