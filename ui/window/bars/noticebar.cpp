// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/noticebar.h"

#include "widgets/state/plaintext.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr int kNoticeIconSize = 16;

} // namespace

NoticeBar::NoticeBar(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_layout(new QVBoxLayout(this))
{
    setAccessibleName(tr("Notices"));
    const int side = theme.space(widgets::Space::Large);
    m_layout->setContentsMargins(side, theme.space(widgets::Space::Tiny), side, theme.space(widgets::Space::Tiny));
    m_layout->setSpacing(0);
    connect(&theme, &widgets::Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

QWidget *NoticeBar::row(const Notice &notice)
{
    auto *line = new QWidget(this);
    line->setAccessibleName(notice.text);
    auto *layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(widgets::Space::Small));
    const bool warning = notice.kind == Notice::Kind::Warning;
    auto *icon = new QToolButton(line); // only paints an icon that follows the theme
    icon->setAutoRaise(true);
    icon->setEnabled(true);
    icon->setFocusPolicy(Qt::NoFocus);
    icon->setAttribute(Qt::WA_TransparentForMouseEvents);
    icon->setIconSize({kNoticeIconSize, kNoticeIconSize});
    icon->setIcon(m_theme.icon(warning ? QStringLiteral("warning") : QStringLiteral("info"), // no-tr: icon name
                               warning ? widgets::Color::Warning : widgets::Color::Info));
    icon->setAccessibleName(warning ? tr("Warning") : tr("Information"));
    QLabel *text = widgets::plainLabel(m_theme, widgets::plainLine(notice.text, 300), widgets::TextSize::Body,
                                       widgets::Color::Text, QFont::Normal, line);
    text->setWordWrap(true);
    layout->addWidget(icon);
    layout->addWidget(text, 1);
    if (!notice.action.isEmpty()) {
        auto *action = new QPushButton(notice.action, line);
        action->setAutoDefault(false);
        connect(action, &QPushButton::clicked, this, [this, key = notice.key, run = notice.run] {
            dismiss(key);
            if (run)
                run();
        });
        layout->addWidget(action);
    }
    auto *close = new QToolButton(line);
    close->setAutoRaise(true);
    close->setIcon(m_theme.icon(QStringLiteral("close"))); // no-tr: icon name
    close->setAccessibleName(tr("Dismiss: %1", "a notice").arg(notice.text));
    close->setToolTip(tr("Dismiss"));
    connect(close, &QToolButton::clicked, this, [this, key = notice.key] { dismiss(key); });
    layout->addWidget(close);
    return line;
}

void NoticeBar::show(const Notice &notice)
{
    if (notice.text.isEmpty() || m_dismissed.value(notice.key) == notice.text)
        return;
    const bool same = std::any_of(m_shown.begin(), m_shown.end(),
                                  [&](const Shown &s) { return s.key == notice.key && s.text == notice.text; });
    if (same)
        return; // already shown: no flicker and no second announcement
    remove(notice.key);
    if (m_shown.size() == static_cast<std::size_t>(kMost))
        remove(m_shown.front().key);
    QWidget *line = row(notice);
    m_shown.push_back({notice.key, notice.text, line});
    m_layout->addWidget(line);
    setVisible(true);
    QAccessibleEvent alert(line, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void NoticeBar::dismiss(const QString &key)
{
    for (const Shown &shown : m_shown) {
        if (shown.key == key)
            m_dismissed.insert(key, shown.text);
    }
    remove(key);
}

void NoticeBar::remove(const QString &key)
{
    const auto it = std::find_if(m_shown.begin(), m_shown.end(), [&](const Shown &s) { return s.key == key; });
    if (it == m_shown.end())
        return;
    const bool hadFocus = it->row->isAncestorOf(window()->focusWidget());
    it->row->hide();
    it->row->deleteLater(); // one of its buttons may be handling its click
    m_shown.erase(it);
    setVisible(!m_shown.empty());
    if (hadFocus)
        Q_EMIT focusReleased();
}

void NoticeBar::withdraw(const QString &key)
{
    m_dismissed.remove(key);
    remove(key);
}

bool NoticeBar::dismissNewest()
{
    if (m_shown.empty())
        return false;
    dismiss(QString(m_shown.back().key));
    return true;
}

QStringList NoticeBar::texts() const
{
    QStringList all;
    for (const Shown &shown : m_shown)
        all << shown.text;
    return all;
}

void NoticeBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(widgets::Color::Raised));
    painter.setPen(m_theme.color(widgets::Color::Border));
    painter.drawLine(0, 0, width(), 0);
}

} // namespace gpuledger::ui
