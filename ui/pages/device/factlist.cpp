// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/device/factlist.h"

#include "widgets/state/plaintext.h"

#include <QFontMetrics>
#include <QGridLayout>
#include <QLabel>
#include <QTextLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::TextSize;

namespace {

QString inTwoLines(const QString &text, const QFont &font, int width)
{
    const QFontMetrics metrics(font);
    if (width <= 0 || metrics.horizontalAdvance(text) <= width)
        return text;
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QTextLine first = layout.createLine();
    first.setLineWidth(width);
    const int end = first.textStart() + first.textLength();
    layout.endLayout();
    return text.left(end).trimmed() + QLatin1Char('\n')
        + metrics.elidedText(text.mid(end).trimmed(), Qt::ElideRight, width);
}

} // namespace

FactList::FactList(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(theme.space(widgets::Space::Medium));
    m_grid->setVerticalSpacing(theme.space(widgets::Space::Tiny));
    m_grid->setColumnStretch(1, 1);
}

void FactList::setFacts(const std::vector<DeviceFact> &facts, const QString &source)
{
    while (m_rows.size() < facts.size()) {
        Row row{plainLabel(m_theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this),
                plainLabel(m_theme, {}, TextSize::Body, Color::Text, QFont::Normal, this),
                {}};
        row.value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        const int at = static_cast<int>(m_rows.size());
        m_grid->addWidget(row.name, at, 0, Qt::AlignTop);
        m_grid->addWidget(row.value, at, 1);
        m_rows.push_back(row);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        Row &row = m_rows[i];
        const bool used = i < facts.size();
        row.name->setVisible(used);
        row.value->setVisible(used);
        if (!used)
            continue;
        row.name->setText(facts[i].name);
        row.text = widgets::plainLine(facts[i].value);
        row.value->setAccessibleName(tr("%1: %2", "name and value").arg(facts[i].name, row.text));
        QStringList tip{row.text};
        if (!facts[i].tip.isEmpty())
            tip.append(facts[i].tip);
        tip.append(source);
        row.value->setToolTip(widgets::plainToolTip(tip.join(QStringLiteral(". "))));
    }
    elide();
}

void FactList::elide()
{
    for (const Row &row : m_rows)
        row.value->setText(inTwoLines(row.text, row.value->font(), row.value->width()));
}

void FactList::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    elide();
}

} // namespace gpuledger::ui
