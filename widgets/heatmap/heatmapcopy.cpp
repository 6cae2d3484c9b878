// SPDX-License-Identifier: GPL-3.0-or-later
// What Heatmap puts on the clipboard.
#include "widgets/heatmap/heatmap.h"

#include <QLocale>
#include <QMimeData>

#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr int kMaxHtmlCells = 100'000; // above that a table in HTML only makes the receiver slow

// Names come from outside: no tab or line break may move a cell, and none may become a formula in a spreadsheet.
QString safe(const QString &text)
{
    QString result = text.simplified();
    if (!result.isEmpty() && QStringLiteral("=+-@").contains(result.front()))
        result.prepend(QLatin1Char('\''));
    return result;
}

// In the person's notation, because the receiver is a spreadsheet with the same settings; missing stays empty.
QString number(double value)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return std::isnan(value) ? QString() : locale.toString(value, 'g', 12);
}

} // namespace

QMimeData *Heatmap::mimeData() const
{
    QString plain;
    QString html;
    const bool withHtml = m_data.rowCount() * m_data.columnCount() <= kMaxHtmlCells;
    const auto add = [&](const QString &text, const char *tag) {
        if (!plain.isEmpty() && !plain.endsWith(QLatin1Char('\n')))
            plain += QLatin1Char('\t');
        plain += text;
        if (withHtml)
            html += QLatin1Char('<') + QLatin1String(tag) + QLatin1Char('>') + text.toHtmlEscaped();
    };
    const QString corner = m_data.legendText.isEmpty() ? m_data.valueName : m_data.legendText;
    html = QStringLiteral("<table><tr>");
    add(corner.isEmpty() ? QStringLiteral("-") : safe(corner), "th");
    for (const QString &column : m_data.columns)
        add(safe(column), "th");
    for (int row = 0; row < m_data.rowCount(); ++row) {
        plain += QLatin1Char('\n');
        html += QLatin1String("<tr>");
        add(safe(m_data.rows[static_cast<std::size_t>(row)].label), "th");
        for (int column = 0; column < m_data.columnCount(); ++column)
            add(number(m_data.value(row, column)), "td");
    }
    auto *mime = new QMimeData;
    mime->setText(plain + QLatin1Char('\n'));
    if (withHtml)
        mime->setHtml(html + QLatin1String("</table>")); // allowed: every text in it is escaped
    return mime;
}

} // namespace gpuledger::widgets
