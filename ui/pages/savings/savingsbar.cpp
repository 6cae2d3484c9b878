// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingsbar.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using widgets::Color;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kSavingsBarHeight = 14, kSavingsSwatch = 10;
constexpr int kLeastBar = 160, kUsualBar = 420; // pixels

} // namespace

SavingsBar::SavingsBar(const widgets::Theme &theme, const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(name);
    connect(&theme, &widgets::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void SavingsBar::setParts(std::vector<Part> parts)
{
    if (parts == m_parts)
        return;
    m_parts = std::move(parts);
    QStringList all;
    for (const Part &part : m_parts)
        all << tr("%1 %2", "a part, its amount").arg(part.name, part.amount);
    setAccessibleDescription(all.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QRectF SavingsBar::partRect(std::size_t part) const
{
    double sum = 0, before = 0;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const double value = std::max(0.0, m_parts[i].value);
        sum += value;
        before += i < part ? value : 0;
    }
    if (part >= m_parts.size() || sum <= 0 || m_parts[part].value <= 0)
        return {};
    const double from = std::round(before / sum * width());
    const double to = std::round((before + m_parts[part].value) / sum * width());
    const double length = std::max(1.0, to - from - 1); // a thin gap separates neighbours
    return {layoutDirection() == Qt::RightToLeft ? width() - from - length : from, 0, length, kSavingsBarHeight};
}

std::vector<SavingsBar::Entry> SavingsBar::legend(int width) const
{
    const QFontMetrics metrics(m_theme.font(TextSize::Caption));
    const int inset = kSavingsSwatch + m_theme.space(Space::Tiny), gap = m_theme.space(Space::Medium);
    std::vector<Entry> out;
    int x = 0, y = kSavingsBarHeight + m_theme.space(Space::Small);
    const auto add = [&](const QString &text, int color) {
        const int length = std::min(width, metrics.horizontalAdvance(text) + 1 + inset);
        if (x > 0 && x + length > width) {
            x = 0;
            y += metrics.height() + m_theme.space(Space::Tiny);
        }
        QRect place(x, y, length, metrics.height());
        if (layoutDirection() == Qt::RightToLeft)
            place.moveRight(width - 1 - x);
        out.push_back({place, text, color});
        x += length + gap;
    };
    for (const Part &part : m_parts)
        add(tr("%1 %2", "a part, its amount").arg(part.name, part.amount), part.color);
    return out;
}

int SavingsBar::heightForWidth(int width) const
{
    const auto entries = legend(std::max(1, width));
    return entries.empty() ? kSavingsBarHeight : entries.back().place.bottom() + 1;
}

QSize SavingsBar::sizeHint() const
{
    return {kUsualBar, heightForWidth(kUsualBar)};
}

QSize SavingsBar::minimumSizeHint() const
{
    return {kLeastBar, kSavingsBarHeight};
}

void SavingsBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QList<QColor> &colors = m_theme.tokens().series();
    QPainterPath frame;
    frame.addRoundedRect(QRect(0, 0, width(), kSavingsBarHeight), kSavingsBarHeight / 4.0, kSavingsBarHeight / 4.0);
    painter.save();
    painter.setClipPath(frame);
    painter.fillRect(0, 0, width(), kSavingsBarHeight, m_theme.color(Color::Background));
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        painter.fillRect(partRect(i), colors[m_parts[i].color % colors.size()]);
    painter.restore();
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    painter.setFont(m_theme.font(TextSize::Caption));
    for (const Entry &entry : legend(width())) {
        QRect line = entry.place;
        const QRect swatch(mirrored ? line.right() - kSavingsSwatch + 1 : line.left(),
                           line.center().y() - kSavingsSwatch / 2 + 1, kSavingsSwatch, kSavingsSwatch);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors[entry.color % colors.size()]);
        painter.drawRoundedRect(swatch, 2, 2);
        const int inset = kSavingsSwatch + m_theme.space(Space::Tiny);
        line.adjust(mirrored ? 0 : inset, 0, mirrored ? -inset : 0, 0);
        painter.setPen(m_theme.color(Color::Muted));
        painter.drawText(line, Qt::AlignVCenter | (mirrored ? Qt::AlignRight : Qt::AlignLeft),
                         painter.fontMetrics().elidedText(entry.text, Qt::ElideRight, line.width()));
    }
}

} // namespace gpuledger::ui
