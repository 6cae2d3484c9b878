// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/timezone.h"
#include "app/services/sources/syncreport.h"

#include <QString>

namespace gpuledger::ui {

// What a source had before and doesn't have any more, until somebody accepts that. Texts are translated; both are empty
// where nothing is missing.
struct SourceLoss {
    QString summary; // for its card
    QString consequence; // what accepting it does, in full, for the question before it

    bool empty() const { return summary.isEmpty(); }
};

// `report`: the source's last sync by this program; null: there was none. GUI thread, because of the texts.
SourceLoss lossOf(const services::SourceStatus &status, const services::SyncReport *report, const base::TimeZone &zone);

} // namespace gpuledger::ui
