// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/stalebar.h"

#include "app/services/engine/configservice.h"
#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QPushButton>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr int kMinuteMs = 60'000;
constexpr int kLongestName = 40;
constexpr int kMostNames = 3;

bool tellsTelemetry(const services::SourceStatus &source)
{
    return source.settings.mayRead && !source.tellsBills && !source.tellsAllocations && !source.isPlatform;
}

} // namespace

StaleBar::StaleBar(const widgets::Theme &theme, const services::ConfigService &config, SyncController &sync,
                   QWidget *parent)
    : AlertBar(theme, tr("Sync now"), parent)
    , m_config(config)
    , m_sync(sync)
{
    setObjectName(QStringLiteral("staleBar")); // no-tr: for the accessibility tree
    connect(button(), &QPushButton::clicked, &m_sync, &SyncController::start);
    connect(&m_sync, &SyncController::sourcesChanged, this, &StaleBar::refresh);
    connect(&m_sync, &SyncController::runningChanged, this, &StaleBar::refresh);
    m_minute.setInterval(kMinuteMs);
    connect(&m_minute, &QTimer::timeout, this, &StaleBar::refresh);
    m_minute.start();
    refresh();
}

QString StaleBar::text() const
{
    if (!m_sync.canSync())
        return {}; // a report covers a past month
    const base::UtcTime now = m_config.clock().now();
    std::optional<base::UtcTime> oldest;
    QStringList names;
    int telemetry = 0;
    for (const services::SourceStatus &source : m_sync.sources()) {
        if (!tellsTelemetry(source))
            continue;
        ++telemetry;
        const base::UtcTime end = source.state.covered.end;
        const bool isKnown = !source.state.covered.empty();
        if (isKnown && now - end <= insight::staleAfter(source.settings.every))
            continue;
        names << widgets::plainLine(QString::fromStdString(source.settings.name), kLongestName);
        if (isKnown)
            oldest = oldest ? std::min(*oldest, end) : end;
    }
    if (!oldest) // before the first sync the pages report it
        return {};
    const QString since = tr("what happened since is not known, and nothing can be stopped from it.");
    const QString at = LocalText::dateTime(*oldest, m_config.timeZone());
    const QString age = LocalText::age(base::Seconds{now - *oldest});
    if (telemetry == 1)
        return tr("Data end at %1, %2 before now: %3", "time, age, what follows").arg(at, age, since);
    const qsizetype more = names.size() - kMostNames;
    QString of = names.mid(0, kMostNames).join(QStringLiteral(", "));
    if (more > 0)
        of = tr("%1 and %n more", "names of sources", static_cast<int>(more)).arg(of);
    return tr("Data of %1 end at %2 or later, the oldest %3 before now: %4", "sources, time, age, what follows")
        .arg(of, at, age, since);
}

void StaleBar::refresh()
{
    setMessage(Severity::Warning, text());
    button()->setText(m_sync.running() ? tr("Syncing…") : tr("Sync now"));
    button()->setEnabled(!m_sync.running());
}

} // namespace gpuledger::ui
