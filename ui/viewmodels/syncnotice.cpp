// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/syncnotice.h"

#include "ui/format/localtext.h"

#include <QStringList>

namespace gpuledger::ui {

std::optional<SyncFailure> failureOf(const std::vector<services::SyncReport> &reports)
{
    QStringList lines;
    for (const services::SyncReport &report : reports) {
        if (report.error)
            lines << LocalText::sentence(*report.error);
        else if (!report.gone.empty() && !report.goneAccepted)
            lines << LocalText::sentence(ingest::errorOf(report.gone).withSource(report.name));
    }
    if (lines.isEmpty())
        return std::nullopt;
    const int failed = static_cast<int>(lines.size()), done = static_cast<int>(reports.size()) - failed;
    return SyncFailure{LocalText::syncFailure(done, failed), lines.join(QLatin1Char('\n'))};
}

} // namespace gpuledger::ui
