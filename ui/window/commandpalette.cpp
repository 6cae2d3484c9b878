// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commandpalette.h"

#include "widgets/inputs/picklist.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr QSize kSize{600, 440};
constexpr int kFromTop = 64;

} // namespace

CommandPalette::CommandPalette(const widgets::Theme &theme, QWidget *window)
    : QFrame(window)
    , m_theme(theme)
    , m_list(new widgets::PickList(theme, tr("Search or command"), this))
{
    setAccessibleName(tr("Search or command"));
    auto *layout = new QVBoxLayout(this);
    const int side = theme.space(widgets::Space::Medium);
    layout->setContentsMargins(side, side, side, side);
    layout->addWidget(m_list);
    m_list->setPlaceholder(tr("A page, team, workload, device or command"));
    m_list->setEmptyText(tr("No matches"));
    hide();
    window->installEventFilter(this);
    connect(m_list, &widgets::PickList::picked, this, [this](const QString &key) {
        dismiss();
        Q_EMIT picked(key);
    });
    connect(m_list, &widgets::PickList::resultShown, this, &CommandPalette::place);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        if (isVisible() && now && now != this && !isAncestorOf(now))
            hide();
    });
    connect(&theme, &widgets::Theme::changed, this, qOverload<>(&QWidget::update));
}

void CommandPalette::open()
{
    if (isVisible())
        return dismiss();
    m_before = window()->focusWidget();
    Q_EMIT opening();
    m_list->setPattern({});
    place();
    show();
    raise();
    m_list->setFocus();
}

void CommandPalette::dismiss()
{
    hide();
    if (m_before)
        m_before->setFocus(Qt::OtherFocusReason);
}

void CommandPalette::setEntries(std::vector<widgets::PickEntry> entries)
{
    m_list->setEntries(std::move(entries));
}

void CommandPalette::place()
{
    const QWidget *over = parentWidget();
    const int width = qMin(kSize.width(), over->width() - 2 * kFromTop);
    const QMargins around = layout()->contentsMargins();
    const int wanted = around.top() + m_list->wantedHeight() + around.bottom();
    const int height = std::min({kSize.height(), over->height() - 2 * kFromTop, wanted});
    setGeometry((over->width() - width) / 2, kFromTop, width, height);
}

bool CommandPalette::event(QEvent *event)
{
    // Handled before the window's own Escape.
    const bool asked = event->type() == QEvent::ShortcutOverride;
    if ((asked || event->type() == QEvent::KeyPress) && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (!asked)
            dismiss();
        return true;
    }
    return QFrame::event(event);
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

void CommandPalette::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.color(widgets::Color::Outline));
    painter.setBrush(m_theme.color(widgets::Color::Raised));
    const int radius = m_theme.radius(widgets::Radius::Card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

} // namespace gpuledger::ui
