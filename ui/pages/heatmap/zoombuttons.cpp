// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heatmap/zoombuttons.h"

#include "widgets/heatmap/heatmap.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QToolButton>

namespace gpuledger::ui {

namespace {

constexpr double kStep = 1.6; // per click: four clicks reduce readable cells to a sixth

} // namespace

ZoomButtons::ZoomButtons(const widgets::Theme &theme, QList<widgets::Heatmap *> heatmaps, QWidget *parent)
    : QWidget(parent)
    , m_heatmaps(std::move(heatmaps))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(widgets::plainLabel(theme, tr("Zoom"), widgets::TextSize::Body, widgets::Color::Muted));
    const auto keys = [](QKeySequence::StandardKey key) {
        return QKeySequence(key).toString(QKeySequence::NativeText);
    };
    m_out = add(QStringLiteral("−"), tr("Zoom out"), keys(QKeySequence::ZoomOut));
    m_in = add(QStringLiteral("+"), tr("Zoom in"), keys(QKeySequence::ZoomIn));
    m_fit = add(tr("Show all", "button: all cells at once"), tr("Show all cells at once"),
                QKeySequence(Qt::CTRL | Qt::Key_0).toString(QKeySequence::NativeText));
    connect(m_out, &QToolButton::clicked, this, [this] { zoomBy(1 / kStep); });
    connect(m_in, &QToolButton::clicked, this, [this] { zoomBy(kStep); });
    connect(m_fit, &QToolButton::clicked, this, [this] {
        for (widgets::Heatmap *heatmap : m_heatmaps)
            heatmap->zoomToFit();
    });
    for (widgets::Heatmap *heatmap : m_heatmaps)
        connect(heatmap, &widgets::Heatmap::zoomChanged, this, &ZoomButtons::showState);
    showState();
}

QToolButton *ZoomButtons::add(const QString &text, const QString &name, const QString &keys)
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setText(text);
    button->setAccessibleName(name);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(widgets::plainToolTip(name + QStringLiteral("  ") + keys));
    layout()->addWidget(button);
    return button;
}

void ZoomButtons::zoomBy(double factor)
{
    for (widgets::Heatmap *heatmap : m_heatmaps)
        heatmap->setZoom(heatmap->zoom() * factor);
}

void ZoomButtons::showState()
{
    const widgets::Heatmap &shown = *m_heatmaps.back();
    setVisible(shown.isLargerThanView() || shown.zoom() > 1);
    m_out->setEnabled(shown.zoom() > shown.geometryOfCells().leastZoom());
    m_in->setEnabled(shown.zoom() < shown.geometryOfCells().mostZoom());
    m_fit->setEnabled(m_out->isEnabled());
}

} // namespace gpuledger::ui
