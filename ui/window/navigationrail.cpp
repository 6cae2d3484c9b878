// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/navigationrail.h"

#include "widgets/state/plaintext.h"

#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

namespace {

constexpr int kRailWidth = 56;
constexpr int kButtonSize = 40;
constexpr int kIconSize = 20;

} // namespace

NavigationRail::NavigationRail(const widgets::Theme &theme, const std::vector<PageEntry> &pages, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setFixedWidth(kRailWidth);
    setAccessibleName(tr("Pages"));
    auto *layout = new QVBoxLayout(this);
    const int margin = (kRailWidth - kButtonSize) / 2;
    layout->setContentsMargins(margin, m_theme.space(widgets::Space::Medium), margin,
                               m_theme.space(widgets::Space::Medium));
    layout->setSpacing(m_theme.space(widgets::Space::Tiny));
    m_buttons.setExclusive(true);
    for (std::size_t i = 0; i < pages.size(); ++i) {
        auto *button = new QToolButton(this);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFixedSize(kButtonSize, kButtonSize);
        button->setIconSize({kIconSize, kIconSize});
        button->setIcon(m_theme.icon(pages[i].icon, widgets::Color::Muted, widgets::Color::Accent));
        button->setAccessibleName(pages[i].title);
        const QKeySequence shortcut(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i)));
        button->setShortcut(shortcut);
        button->setToolTip(
            widgets::plainToolTip(pages[i].title + QStringLiteral("  ") + shortcut.toString(QKeySequence::NativeText)));
        m_buttons.addButton(button, static_cast<int>(i));
        layout->addWidget(button);
    }
    layout->addStretch();
    connect(&m_buttons, &QButtonGroup::idClicked, this, &NavigationRail::chosen);
}

void NavigationRail::setCurrent(int index)
{
    if (QAbstractButton *button = m_buttons.button(index))
        button->setChecked(true);
}

void NavigationRail::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(widgets::Color::Surface));
    painter.setPen(m_theme.color(widgets::Color::Border));
    const int x = layoutDirection() == Qt::RightToLeft ? 0 : width() - 1;
    painter.drawLine(x, 0, x, height());
}

} // namespace gpuledger::ui
