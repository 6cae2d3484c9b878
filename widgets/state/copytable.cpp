// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/copytable.h"

#include <QLocale>
#include <QMimeData>

#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qsizetype kMaxHtmlCells = 100'000;

QString safe(const QString &text)
{
    QString result = text.simplified();
    if (!result.isEmpty() && QStringLiteral("=+-@").contains(result.front()))
        result.prepend(QLatin1Char('\''));
    return result;
}

} // namespace

void CopyTable::addHeader(const QStringList &names)
{
    beginRow();
    m_rows.back().header = true;
    for (const QString &name : names)
        addText(name);
}

void CopyTable::beginRow()
{
    m_rows.emplace_back();
}

void CopyTable::addText(const QString &text)
{
    m_rows.back().cells << safe(text);
    ++m_cells;
}

void CopyTable::addNumber(double value)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    m_rows.back().cells << (std::isfinite(value) ? locale.toString(value, 'g', 12) : QString());
    ++m_cells;
}

QString CopyTable::text() const
{
    QString plain;
    for (const Row &row : m_rows)
        plain += row.cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    return plain;
}

QMimeData *CopyTable::mimeData() const
{
    auto *mime = new QMimeData;
    mime->setText(text());
    if (m_cells > kMaxHtmlCells)
        return mime;
    QString html = QStringLiteral("<table>");
    for (const Row &row : m_rows) {
        html += QLatin1String("<tr>");
        for (qsizetype i = 0; i < row.cells.size(); ++i) {
            html += QLatin1String(row.header || i == 0 ? "<th>" : "<td>") + row.cells.at(i).toHtmlEscaped();
        }
    }
    mime->setHtml(html + QLatin1String("</table>")); // allowed: all texts in it are escaped
    return mime;
}

} // namespace gpuledger::widgets
