// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/statusline.h"

#include "app/services/engine/configservice.h"
#include "ui/format/local/localtext.h"
#include "ui/window/bars/sourcerow.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr int kLineHeight = 28;
constexpr int kRailWidth = 56; // the line starts below the page
constexpr int kDot = 8;
constexpr int kLongestSource = 40;
constexpr int kMark = 14;
constexpr int kRefreshMs = 60'000;
constexpr int kLateAfter = 3; // sync intervals without new data
constexpr base::Seconds kNeverLateBefore{30 * 60};

// The state of a source; each has a shape and a word, which the colour only repeats.
enum class Health { Fresh, Late, Failed, Never };

class Mark : public QWidget {
public:
    Mark(const widgets::Theme &theme, Health health, QWidget *parent)
        : QWidget(parent)
        , m_theme(theme)
        , m_health(health)
        , m_icon(health == Health::Failed
                     ? theme.icon(QStringLiteral("critical"), widgets::Color::Critical) // no-tr: icon
                     : theme.icon(QStringLiteral("warning"), widgets::Color::Warning)) // no-tr: icon
    {
        setFixedSize(kMark, kMark);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        if (m_health == Health::Failed || m_health == Health::Late)
            return m_icon.paint(&painter, rect());
        painter.setRenderHint(QPainter::Antialiasing);
        const bool fresh = m_health == Health::Fresh;
        const QColor color = m_theme.color(fresh ? widgets::Color::Active : widgets::Color::Outline);
        painter.setPen(fresh ? QPen(Qt::NoPen) : QPen(color, 1.5));
        painter.setBrush(fresh ? QBrush(color) : QBrush(Qt::NoBrush));
        QRectF dot(0, 0, kDot, kDot);
        dot.moveCenter(QRectF(rect()).center());
        painter.drawEllipse(dot);
    }

private:
    const widgets::Theme &m_theme;
    const Health m_health;
    const QIcon m_icon;
};

Health healthOf(const services::SourceStatus &source, std::optional<base::Seconds> age)
{
    if (!source.state.lastError.empty())
        return Health::Failed;
    if (!source.state.lastSuccess || !age)
        return Health::Never;
    // Telemetry counts as late once it is too old for stopping anything; bills and allocations only if they miss their
    // intervals.
    const bool turns = source.tellsBills || source.tellsAllocations;
    const base::Seconds most = turns ? std::max(kLateAfter * source.settings.every, kNeverLateBefore)
                                     : insight::staleAfter(source.settings.every);
    return *age > most ? Health::Late : Health::Fresh;
}

} // namespace

StatusLine::StatusLine(const widgets::Theme &theme, const services::ConfigService &config, SyncController &sync,
                       QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_config(config)
    , m_sync(sync)
    , m_sources(new SourceRow(theme, this))
    , m_fleet(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Muted, QFont::Normal, this))
{
    setFixedHeight(kLineHeight);
    setAccessibleName(tr("Status"));
    auto *layout = new QHBoxLayout(this);
    const int side = m_theme.space(widgets::Space::Large);
    layout->setContentsMargins(kRailWidth + side, 0, side, 0);
    layout->setSpacing(side);
    layout->addWidget(m_sources, 1);
    layout->addWidget(m_fleet);
    connect(&m_sync, &SyncController::sourcesChanged, this, &StatusLine::rebuild);
    connect(&m_sync, &SyncController::runningChanged, this, &StatusLine::rebuild);
    m_minute.setInterval(kRefreshMs);
    connect(&m_minute, &QTimer::timeout, this, &StatusLine::rebuild);
    m_minute.start();
    rebuild();
}

void StatusLine::addSource(const services::SourceStatus &source)
{
    std::optional<base::Seconds> age;
    // Bills and allocations do not reach up to now, so the time of the last check is shown.
    if ((source.tellsBills || source.tellsAllocations) && source.state.lastSuccess)
        age = std::max(base::Seconds{0}, base::Seconds{m_config.clock().now() - *source.state.lastSuccess});
    else if (!source.state.covered.empty())
        age = std::max(base::Seconds{0}, base::Seconds{m_config.clock().now() - source.state.covered.end});
    const Health health = healthOf(source, age);
    QString text = widgets::plainLine(QString::fromStdString(source.settings.name), kLongestSource) + QLatin1Char(' ');
    const QString old = age ? LocalText::age(*age) : QString();
    switch (health) {
    case Health::Failed:
        text += age ? tr("%1, failed", "age of a source's data").arg(old) : tr("failed");
        break;
    case Health::Never:
        text += tr("not synced yet");
        break;
    case Health::Late:
        text += tr("%1, late", "age of a source's data").arg(old);
        break;
    case Health::Fresh:
        text += old;
        break;
    }
    auto *entry = new QWidget;
    auto *layout = new QHBoxLayout(entry);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(widgets::Space::Small));
    layout->addWidget(new Mark(m_theme, health, entry));
    QLabel *label =
        widgets::plainLabel(m_theme, text, widgets::TextSize::Caption, widgets::Color::Muted, QFont::Normal, entry);
    layout->addWidget(label);
    if (health == Health::Failed)
        label->setToolTip(widgets::plainToolTip(QString::fromStdString(source.state.lastError)));
    else if (age)
        label->setToolTip(widgets::plainToolTip(
            tr("data until %1").arg(LocalText::dateTime(source.state.covered.end, m_config.timeZone()))));
    m_sources->add(entry, text, health != Health::Fresh);
}

void StatusLine::rebuild()
{
    m_sources->clear();
    for (const services::SourceStatus &source : m_sync.sources()) {
        if (source.isPlatform) // it has no data that could be stale
            continue;
        addSource(source);
    }
    m_sources->fit();
    const auto fleet = m_sync.fleet();
    const QString currency = QString::fromUtf8(m_config.settings().currency.code().data(), 3);
    QStringList parts;
    if (fleet.devices > 0)
        parts << tr("%n GPUs", nullptr, static_cast<int>(fleet.devices));
    if (const auto observed = m_sync.observed())
        parts << tr("%1 observed", "share of paid GPU time").arg(LocalText::percent(*observed));
    parts << tr("%1, %2", "currency, time zone").arg(currency, QString::fromStdString(m_config.timeZone().name()));
    m_fleet->setText(parts.join(QStringLiteral("     ")));
    m_fleet->setToolTip(tr("Observed is the share of the paid GPU time of the last 30 days with telemetry."));
}

void StatusLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(widgets::Color::Surface));
    painter.setPen(m_theme.color(widgets::Color::Border));
    painter.drawLine(0, 0, width(), 0);
}

} // namespace gpuledger::ui
