// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/timezone.h"
#include "app/model/actionrecord.h"

#include <QString>

#include <optional>
#include <vector>

namespace gpuledger::ui {

// What the bar below the page says of a run of stops or undos.
struct RunWords {
    QString text;
    QString desktop; // the same without any name, once it has ended
    bool isWarning = false; // something did not go as asked
    std::vector<std::int64_t> undoable; // actions that can be brought back
};
RunWords runWords(const std::vector<model::ActionRecord> &records, bool isRunning);
// What became of an action, in the user's language; times in the zone; empty: nothing is known.
QString resultText(const model::ActionRecord &record, const base::TimeZone &zone = {});
// "simulated" where it is so; empty else.
QString simulatedNote(const std::vector<model::ActionRecord> &records);

} // namespace gpuledger::ui
