// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/syncindicator.h"

#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

namespace gpuledger::ui {

namespace {

constexpr int kBarWidth = 120;
constexpr int kBarHeight = 6;

} // namespace

SyncIndicator::SyncIndicator(const widgets::Theme &theme, SyncController &sync, QWidget *parent)
    : QWidget(parent)
    , m_sync(sync)
    , m_text(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Muted, QFont::Normal, this))
    , m_bar(new QProgressBar(this))
    , m_cancel(new QToolButton(this))
    , m_start(new QToolButton(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(widgets::Space::Small));
    m_bar->setTextVisible(false);
    m_bar->setRange(0, 1000);
    m_bar->setFixedSize(kBarWidth, kBarHeight);
    m_bar->setAccessibleName(tr("Sync progress"));
    m_cancel->setIcon(theme.icon(QStringLiteral("close"))); // no-tr: icon name
    m_cancel->setAccessibleName(tr("Cancel sync"));
    m_cancel->setToolTip(widgets::plainToolTip(tr("Cancel sync")));
    m_start->setIcon(theme.icon(QStringLiteral("refresh"))); // no-tr: icon name
    m_start->setAccessibleName(tr("Sync now"));
    m_start->setToolTip(widgets::plainToolTip(tr("Sync now  F5")));
    m_start->setShortcut(QKeySequence(Qt::Key_F5));
    m_start->setEnabled(m_sync.canSync());
    layout->addWidget(m_text);
    layout->addWidget(m_bar);
    layout->addWidget(m_cancel);
    layout->addWidget(m_start);
    connect(m_start, &QToolButton::clicked, &m_sync, &SyncController::start);
    connect(m_cancel, &QToolButton::clicked, &m_sync, &SyncController::cancel);
    connect(&m_sync, &SyncController::runningChanged, this, &SyncIndicator::update);
    connect(&m_sync, &SyncController::progressChanged, this, &SyncIndicator::update);
    update();
}

void SyncIndicator::setCompact(bool compact)
{
    m_compact = compact;
    update();
}

void SyncIndicator::update()
{
    const bool running = m_sync.running();
    m_text->setVisible(running && !m_compact);
    m_bar->setVisible(running);
    m_cancel->setVisible(running);
    m_start->setVisible(!running && m_sync.canSync());
    if (!running)
        return;
    const services::SyncProgress &p = m_sync.progress();
    m_bar->setValue(static_cast<int>(m_sync.fraction() * 1000));
    QString text = p.source.empty() ? tr("Syncing…") : tr("Syncing %1", "source").arg(QString::fromStdString(p.source));
    if (p.bucketsPerSecond > 0)
        text += tr(" · %1 buckets/s").arg(QLocale().toString(p.bucketsPerSecond, 'f', 0));
    if (p.secondsLeft && *p.secondsLeft >= 1)
        text += tr(" · %1 left").arg(LocalText::age(base::Seconds{static_cast<std::int64_t>(*p.secondsLeft)}));
    m_text->setText(text);
    m_bar->setToolTip(widgets::plainToolTip(text));
    m_bar->setAccessibleDescription(text);
}

} // namespace gpuledger::ui
