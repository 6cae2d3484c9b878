// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/services/sources/syncreport.h"

#include <QString>

namespace gpuledger::ui {

// The data that a source had before and no longer has, until the user accepts that. Texts are translated; both are
// empty if nothing is missing.
struct SourceLoss {
    QString summary; // for its card
    QString consequence; // what accepting does, in full, for the confirmation

    bool empty() const { return summary.isEmpty(); }
};

// `report`: the last sync of the source by this process; null if there was none. GUI thread, because of the texts.
SourceLoss lossOf(const services::SourceStatus &status, const services::SyncReport *report, const base::TimeZone &zone);

} // namespace gpuledger::ui
