// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/sourcerow.h"

#include "widgets/state/plaintext.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace gpuledger::ui {

SourceRow::SourceRow(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
    , m_more(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Muted, QFont::Normal, this))
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(theme.space(widgets::Space::Large));
    m_layout->setSizeConstraint(QLayout::SetNoConstraint);
    m_layout->addWidget(m_more);
    m_layout->addStretch();
}

void SourceRow::clear()
{
    for (const Entry &entry : m_entries)
        delete entry.widget;
    m_entries.clear();
}

void SourceRow::add(QWidget *entry, const QString &name, bool inTrouble)
{
    m_layout->insertWidget(static_cast<int>(m_entries.size()), entry);
    m_entries.push_back({entry, name, inTrouble});
}

std::vector<bool> SourceRow::chosen(int room) const
{
    std::vector<bool> shown(m_entries.size());
    for (const bool inTrouble : {true, false}) {
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const int width = m_entries[i].widget->sizeHint().width() + m_layout->spacing();
            if (m_entries[i].inTrouble != inTrouble)
                continue;
            if (width > room)
                return shown;
            shown[i] = true;
            room -= width;
        }
    }
    return shown;
}

void SourceRow::fit()
{
    const auto isHidden = [](bool shown) { return !shown; };
    std::vector<bool> shown = chosen(width() + m_layout->spacing());
    if (std::any_of(shown.begin(), shown.end(), isHidden)) {
        m_more->setText(tr("%n more", "sources", static_cast<int>(m_entries.size()))); // no count is wider
        shown = chosen(width() - m_more->sizeHint().width());
    }
    QStringList hidden;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        m_entries[i].widget->setVisible(shown[i]);
        if (!shown[i])
            hidden << m_entries[i].name;
    }
    m_more->setVisible(!hidden.isEmpty());
    m_more->setText(tr("%n more", "sources", static_cast<int>(hidden.size())));
    m_more->setToolTip(widgets::plainToolTip(hidden.join(QLatin1Char('\n'))));
}

void SourceRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

} // namespace gpuledger::ui
