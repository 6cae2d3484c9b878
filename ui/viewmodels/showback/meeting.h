// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/decisions.h"
#include "ui/viewmodels/showback/showbackviewmodel.h"
#include "ui/viewmodels/showback/statementsheet.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// A slide of the showback meeting, as texts and figures. The first one is of all teams.
struct MeetingSlide {
    using Tone = StatementSheet::Tone;
    struct Figure {
        QString name, value, detail; // an empty value: not known
        QString range; // below it: between what and what it lies, or what it leaves out; empty: it is sure and whole
        Tone tone = Tone::Plain; // of the detail
    };
    struct Decision {
        std::int64_t id = 0;
        QString what; // on the first slide with its team
        QString who; // "alex, by 15 Nov 2026"
        QString result; // "Idle cost 300.00 → 150.00 USD; brought 150.00 USD"; of this meeting's own: what it wants
        Tone tone = Tone::Plain;
        bool isOpen = true, isLate = false;
    };
    struct Bar { // of a team, on the first slide
        QString name, amount, waste; // waste: share of its cost that was held and idle
        double share = 0, idleShare = 0; // of the dearest team's cost
    };

    std::optional<std::string> team; // nothing: all teams
    QString title, subtitle, currency;
    std::vector<Figure> figures;
    std::vector<StatementSheet::Month> months;
    std::vector<Bar> teams; // dearest first, at most kMostTeams
    QString waste; // a sentence; may be empty
    std::vector<StatementSheet::Workload> workloads; // dearest first, at most kMostWorkloads
    std::vector<Decision> before; // of earlier meetings, newest first, at most kMostBefore
    int moreBefore = 0; // those that have no room
    std::vector<Decision> now; // of this meeting
    std::optional<reports::DecisionDraft> draft; // what a new one begins with; nothing: none can be made here

    static constexpr std::size_t kMostTeams = 8, kMostWorkloads = 4, kMostBefore = 4;
};

// All slides of a month: all teams, then each of them, dearest first; currency after currency. Empty where the month
// has no figures. GUI thread, because of the language.
std::vector<MeetingSlide> meetingSlides(const ShowbackSnapshot &snapshot);

QString measureName(reports::Measure measure); // "Idle cost"

} // namespace gpuledger::ui
