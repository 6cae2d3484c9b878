// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inputs/segmentedswitch.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kSwitchHeight = 28;
constexpr int kSegmentPadding = 10;

} // namespace

Segment::Segment(const Theme &theme, const QString &text, QWidget *parent)
    : QRadioButton(parent)
    , m_theme(theme)
{
    setChoice(text);
    setAttribute(Qt::WA_Hover);
}

void Segment::setChoice(const QString &text)
{
    setText(QString(text).replace(QLatin1Char('&'), QLatin1String("&&")));
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize Segment::sizeHint() const
{
    // As wide as in the checked state, so that nothing moves.
    const QFontMetrics metrics(m_theme.font(TextSize::Body, QFont::DemiBold));
    return {metrics.horizontalAdvance(accessibleName()) + 2 * kSegmentPadding,
            std::max(kSwitchHeight, metrics.height() + 8)};
}

void Segment::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int radius = m_theme.radius(Radius::Control);
    const QRectF inside = QRectF(rect()).adjusted(2, 2, -2, -2);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (isChecked() || (underMouse() && isEnabled())) {
        painter.setBrush(m_theme.color(isChecked() ? Color::Select : Color::Background));
        painter.drawRoundedRect(inside, radius - 1, radius - 1);
    }
    if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange)) {
        painter.setPen(QPen(m_theme.color(Color::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);
    }
    // The weight shows which one is checked, not the colour alone.
    painter.setFont(m_theme.font(TextSize::Body, isChecked() ? QFont::DemiBold : QFont::Normal));
    painter.setPen(m_theme.color(!isEnabled() ? Color::Muted : isChecked() ? Color::Accent : Color::Text));
    painter.drawText(rect(), static_cast<int>(Qt::AlignCenter) | Qt::TextSingleLine, accessibleName());
}

SegmentedSwitch::SegmentedSwitch(const Theme &theme, const QString &accessibleName, const std::vector<Choice> &choices,
                                 QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_choices(choices)
    , m_group(new QButtonGroup(this))
{
    setAccessibleName(accessibleName);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(1);
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        auto *segment = new Segment(theme, m_choices[i].text, this);
        segment->setChecked(i == 0);
        m_group->addButton(segment, static_cast<int>(i));
        layout->addWidget(segment);
    }
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on)
            Q_EMIT chosen(m_choices[static_cast<std::size_t>(id)].key);
    });
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

QString SegmentedSwitch::currentKey() const
{
    const int id = m_group->checkedId();
    return id < 0 ? QString() : m_choices[static_cast<std::size_t>(id)].key;
}

void SegmentedSwitch::setCurrentKey(const QString &key)
{
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        if (m_choices[i].key == key)
            m_group->button(static_cast<int>(i))->setChecked(true);
    }
}

void SegmentedSwitch::setChoiceText(const QString &key, const QString &text)
{
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        if (m_choices[i].key != key || m_choices[i].text == text)
            continue;
        m_choices[i].text = text;
        static_cast<Segment *>(m_group->button(static_cast<int>(i)))->setChoice(text);
    }
}

void SegmentedSwitch::setChoiceVisible(const QString &key, bool isVisible)
{
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        if (m_choices[i].key == key)
            m_group->button(static_cast<int>(i))->setVisible(isVisible);
    }
}

void SegmentedSwitch::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.color(Color::Border));
    painter.setBrush(m_theme.color(Color::Surface));
    const int radius = m_theme.radius(Radius::Control);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

} // namespace gpuledger::widgets
