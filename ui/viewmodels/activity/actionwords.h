// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/timezone.h"
#include "app/model/actionrecord.h"

#include <QString>

#include <optional>
#include <vector>

namespace gpuledger::ui {

// The texts about a run of stops or undos for the notice below the page.
struct RunWords {
    QString text;
    QString desktop; // the same without names, once the run has ended
    bool isWarning = false; // something did not succeed
    std::vector<std::int64_t> undoable; // actions that can be undone
};
RunWords runWords(const std::vector<model::ActionRecord> &records, bool isRunning);
// The outcome of an action in the user's language; times in the zone; empty if it is unknown.
QString resultText(const model::ActionRecord &record, const base::TimeZone &zone = {});
// What the action does to its object: "Notebook resumed: annotation removed".
QString changeWords(const model::ActionIntent &intent);
// "simulated" if it was; else empty.
QString simulatedNote(const std::vector<model::ActionRecord> &records);

} // namespace gpuledger::ui
