// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/syncnotice.h"

#include "app/base/text/text.h"
#include "ui/format/local/localtext.h"

#include <QCoreApplication>
#include <QStringList>

namespace gpuledger::ui {

namespace {

constexpr std::size_t kLongestName = 80;

struct NoticeText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::SyncNotice)
};

QString heldLine(const services::SyncReport &report)
{
    return NoticeText::tr("%1 has less data for %n days than before; the fuller figures are kept until you decide.",
                          "a source", static_cast<int>(report.held.size()))
        .arg(QString::fromStdString(base::printable(report.name, kLongestName)));
}

} // namespace

std::optional<SyncFailure> failureOf(const std::vector<services::SyncReport> &reports)
{
    QStringList lines, held;
    for (const services::SyncReport &report : reports) {
        if (report.error)
            lines << LocalText::sentence(*report.error);
        else if (!report.gone.empty() && !report.goneAccepted)
            lines << LocalText::sentence(ingest::errorOf(report.gone).withSource(report.name));
        else if (!report.held.empty())
            held << heldLine(report);
    }
    if (lines.isEmpty() && held.isEmpty())
        return std::nullopt;
    if (lines.isEmpty()) {
        const QString text = held.size() == 1
            ? held.front()
            : NoticeText::tr("%n sources have less data than before; the fuller figures are kept until you decide.",
                             nullptr, static_cast<int>(held.size()));
        return SyncFailure{text, held.join(QLatin1Char('\n'))};
    }
    const int failed = static_cast<int>(lines.size()), done = static_cast<int>(reports.size()) - failed;
    return SyncFailure{LocalText::syncFailure(done, failed), (lines + held).join(QLatin1Char('\n'))};
}

} // namespace gpuledger::ui
