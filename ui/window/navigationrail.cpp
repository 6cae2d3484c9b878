// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/navigationrail.h"

#include "widgets/state/plaintext.h"
#include "widgets/state/tipbeside.h"

#include <QPainter>
#include <QRadioButton>
#include <QShortcut>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr int kButtonSize = 40;
constexpr int kRailIconSize = 20;
constexpr int kMargin = (NavigationRail::kWidth - kButtonSize) / 2;
constexpr int kBadgeHeight = 16, kBadgeInset = 4, kMostOnBadge = 99;
constexpr std::size_t kDigits = 9; // pages that have a digit as shortcut

} // namespace

// A radio button for the keyboard and screen readers, drawn as a tool button.
class RailButton : public QRadioButton {
public:
    RailButton(const widgets::Theme &theme, QWidget *parent)
        : QRadioButton(parent)
        , m_theme(theme)
    {
    }
    void setBadge(int number)
    {
        m_badge = number;
        update();
    }
    void setStyleOfText(Qt::ToolButtonStyle style)
    {
        m_style = style;
        setProperty("iconOnly", style == Qt::ToolButtonIconOnly); // for tests: the text is not drawn
        update();
    }

protected:
    bool hitButton(const QPoint &place) const override { return rect().contains(place); }
    void paintEvent(QPaintEvent *) override
    {
        QStyleOptionToolButton option;
        option.initFrom(this);
        option.state |= QStyle::State_AutoRaise;
        option.state.setFlag(QStyle::State_On, isChecked());
        option.state.setFlag(QStyle::State_Sunken, isDown());
        option.state.setFlag(QStyle::State_Raised, underMouse() && isEnabled());
        option.subControls = QStyle::SC_ToolButton;
        option.toolButtonStyle = m_style;
        option.icon = icon();
        option.iconSize = iconSize();
        option.text = text();
        option.font = font();
        QStylePainter(this).drawComplexControl(QStyle::CC_ToolButton, option);
        if (m_badge > 0)
            paintBadge();
    }

private:
    void paintBadge()
    {
        const QString text =
            m_badge > kMostOnBadge ? QString::number(kMostOnBadge) + QLatin1Char('+') : QString::number(m_badge);
        QPainter painter(this);
        painter.setFont(m_theme.font(widgets::TextSize::Caption, QFont::DemiBold));
        const int needed = painter.fontMetrics().horizontalAdvance(text) + 2 * kBadgeInset;
        const int across = std::max(kBadgeHeight, needed);
        const QRect box(layoutDirection() == Qt::RightToLeft ? 0 : width() - across, 0, across, kBadgeHeight);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(widgets::Color::Critical));
        painter.drawRoundedRect(box, kBadgeHeight / 2.0, kBadgeHeight / 2.0);
        painter.setPen(m_theme.color(widgets::Color::Surface));
        painter.drawText(box, Qt::AlignCenter, text);
    }

    const widgets::Theme &m_theme;
    int m_badge = 0;
    Qt::ToolButtonStyle m_style = Qt::ToolButtonIconOnly;
};

NavigationRail::NavigationRail(const widgets::Theme &theme, const std::vector<PageEntry> &pages, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_toggle(nullptr)
{
    setAccessibleName(tr("Pages"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMargin, m_theme.space(widgets::Space::Medium), kMargin,
                               m_theme.space(widgets::Space::Medium));
    layout->setSpacing(m_theme.space(widgets::Space::Tiny));
    m_buttons.setExclusive(true);
    for (std::size_t i = 0; i < pages.size() && pages[i].isOnRail; ++i) {
        const QKeySequence keys = i < kDigits
            ? QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i)))
            : QKeySequence();
        auto *page = new RailButton(m_theme, this);
        bind(page, pages[i].icon, pages[i].title, keys);
        page->setAttribute(Qt::WA_Hover);
        m_pages.push_back(page);
        m_names.push_back(pages[i].title);
        m_hints.push_back(keys.isEmpty() ? QString()
                                         : QString(QStringLiteral("  ") + keys.toString(QKeySequence::NativeText)));
        m_buttons.addButton(page, static_cast<int>(i));
        layout->addWidget(page);
    }
    layout->addStretch();
    m_toggle = new QToolButton(this);
    m_toggle->setAutoRaise(true);
    bind(m_toggle, QStringLiteral("rail"), {}, QKeySequence(Qt::CTRL | Qt::Key_B)); // no-tr: icon name
    layout->addWidget(m_toggle);
    connect(&m_buttons, &QButtonGroup::idClicked, this, &NavigationRail::chosen);
    connect(m_toggle, &QToolButton::clicked, this, [this] {
        setExpanded(!m_expanded);
        Q_EMIT expandedChanged(m_expanded);
    });
    dress();
}

void NavigationRail::bind(QAbstractButton *made, const QString &icon, const QString &name, const QKeySequence &keys)
{
    made->setIconSize({kRailIconSize, kRailIconSize});
    made->setIcon(m_theme.icon(icon, widgets::Color::Muted, widgets::Color::Accent));
    made->setText(QLatin1Char(' ') + name);
    made->setAccessibleName(name);
    if (!keys.isEmpty()) // not the button's own shortcut, which would first press it for a tenth of a second
        connect(new QShortcut(keys, this), &QShortcut::activated, made, &QAbstractButton::click);
    const QString hint =
        keys.isEmpty() ? name : QString(name + QStringLiteral("  ") + keys.toString(QKeySequence::NativeText));
    made->setToolTip(widgets::plainToolTip(hint));
    widgets::placeTipBeside(*made, Qt::Horizontal); // not over the next button
}

void NavigationRail::setCurrent(int index)
{
    if (QAbstractButton *page = m_buttons.button(index)) {
        page->setChecked(true);
    } else if (QAbstractButton *checked = m_buttons.checkedButton()) {
        m_buttons.setExclusive(false); // otherwise one is always checked
        checked->setChecked(false);
        m_buttons.setExclusive(true);
    }
}

void NavigationRail::setBadge(int index, int number, const QString &meaning)
{
    if (index < 0 || static_cast<std::size_t>(index) >= m_pages.size())
        return;
    const auto at = static_cast<std::size_t>(index);
    const QString name =
        meaning.isEmpty() ? m_names[at] : tr("%1, %2", "page, what its badge means").arg(m_names[at], meaning);
    m_pages[at]->setBadge(number);
    m_pages[at]->setAccessibleName(name);
    m_pages[at]->setToolTip(widgets::plainToolTip(name + m_hints[at]));
}

void NavigationRail::setExpanded(bool expanded)
{
    m_expanded = expanded;
    dress();
}

void NavigationRail::dress()
{
    const int width = m_expanded ? kExpandedWidth : kWidth;
    setFixedWidth(width);
    const QString name = m_expanded ? tr("Hide names") : tr("Show names", "of the pages");
    m_toggle->setText(QLatin1Char(' ') + name);
    m_toggle->setAccessibleName(name);
    m_toggle->setToolTip(widgets::plainToolTip(
        name + QStringLiteral("  ") + QKeySequence(Qt::CTRL | Qt::Key_B).toString(QKeySequence::NativeText)));
    const auto style = m_expanded ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly;
    m_toggle->setToolButtonStyle(style);
    m_toggle->setFixedSize(width - 2 * kMargin, kButtonSize);
    for (RailButton *page : m_pages) {
        page->setStyleOfText(style);
        page->setFixedSize(width - 2 * kMargin, kButtonSize);
    }
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
