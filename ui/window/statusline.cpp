// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/statusline.h"

#include "ui/format/localtext.h"
#include "widgets/state/plaintext.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>

namespace gpuledger::ui {

namespace {

constexpr int kHeight = 28;
constexpr int kRailWidth = 56; // the line begins below the page
constexpr int kDot = 8;

// A source's state as a coloured dot; the words stand beside it.
class Dot : public QWidget {
public:
    Dot(const widgets::Theme &theme, widgets::Color color, QWidget *parent)
        : QWidget(parent)
        , m_theme(theme)
        , m_color(color)
    {
        setFixedSize(kDot, kDot);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(m_color));
        painter.drawEllipse(rect());
    }

private:
    const widgets::Theme &m_theme;
    widgets::Color m_color;
};

} // namespace

StatusLine::StatusLine(const widgets::Theme &theme, services::Workspace &workspace, SyncController &sync,
                       QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_workspace(workspace)
    , m_sync(sync)
    , m_sources(new QHBoxLayout)
    , m_fleet(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Muted, QFont::Normal, this))
{
    setFixedHeight(kHeight);
    setAccessibleName(tr("Status"));
    auto *layout = new QHBoxLayout(this);
    const int side = m_theme.space(widgets::Space::Large);
    layout->setContentsMargins(kRailWidth + side, 0, side, 0);
    m_sources->setSpacing(m_theme.space(widgets::Space::Small));
    layout->addLayout(m_sources);
    layout->addStretch();
    layout->addWidget(m_fleet);
    connect(&m_sync, &SyncController::sourcesChanged, this, &StatusLine::rebuild);
    connect(&m_sync, &SyncController::runningChanged, this, &StatusLine::rebuild);
    rebuild();
}

void StatusLine::rebuild()
{
    while (QLayoutItem *item = m_sources->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const services::SourceStatus &source : m_sync.sources()) {
        const bool failed = !source.state.lastError.empty();
        const bool never = !source.state.lastSuccess;
        QString text = QString::fromStdString(source.settings.name) + QLatin1Char(' ');
        if (failed)
            text += tr("failed");
        else if (never)
            text += tr("not synced yet");
        else
            text += source.lag ? LocalText::age(*source.lag) : tr("no data");
        const widgets::Color color = failed ? widgets::Color::Critical
            : never                         ? widgets::Color::Unallocated
                                            : widgets::Color::Active;
        m_sources->addWidget(new Dot(m_theme, color, this));
        QLabel *label =
            widgets::plainLabel(m_theme, text, widgets::TextSize::Caption, widgets::Color::Muted, QFont::Normal, this);
        if (failed)
            label->setToolTip(widgets::plainToolTip(QString::fromStdString(source.state.lastError)));
        else if (source.state.lastSuccess)
            label->setToolTip(widgets::plainToolTip(
                tr("last synced %1")
                    .arg(QLocale().toString(QDateTime::fromSecsSinceEpoch(base::toUnix(*source.state.lastSuccess)),
                                            QLocale::LongFormat))));
        m_sources->addWidget(label);
        m_sources->addSpacing(m_theme.space(widgets::Space::Small));
    }
    const auto fleet = m_sync.fleet();
    const QString currency = QString::fromUtf8(m_workspace.settings().currency.code().data(), 3);
    QString text =
        tr("%1, %2", "currency, time zone").arg(currency, QString::fromStdString(m_workspace.timeZone().name()));
    if (fleet.devices > 0)
        text = tr("%n GPUs", nullptr, static_cast<int>(fleet.devices)) + QStringLiteral("   ") + text;
    m_fleet->setText(text);
}

void StatusLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(widgets::Color::Surface));
    painter.setPen(m_theme.color(widgets::Color::Border));
    painter.drawLine(0, 0, width(), 0);
}

} // namespace gpuledger::ui
