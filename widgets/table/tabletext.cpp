// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/tabletext.h"

#include <QLocale>
#include <QMimeData>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr qsizetype kLongestLine = 400;
constexpr qsizetype kTipWidth = 80; // letters
constexpr qsizetype kMaxHtmlCells = 100'000; // above this, an HTML table only slows the receiver down
constexpr int kDigits = 15; // the precision of a double

bool looksLikeFormula(const QString &text)
{
    return !text.isEmpty() && QStringLiteral("=+-@\t\r\n").contains(text.front());
}

bool isNumber(const QVariant &value)
{
    return value.typeId() == QMetaType::LongLong || value.typeId() == QMetaType::Int
        || value.typeId() == QMetaType::Double;
}

QString numberText(const QVariant &value, const QLocale &locale)
{
    return value.typeId() == QMetaType::Double ? locale.toString(value.toDouble(), 'g', kDigits)
                                               : locale.toString(value.toLongLong());
}

QModelIndexList shownRows(const TableInterface &model)
{
    QModelIndexList rows;
    rows.reserve(model.shownRows());
    for (int i = 0; i < model.rowCount(); ++i) {
        const QModelIndex top = model.index(i, 0);
        if (!model.isGrouped())
            rows.push_back(top);
        for (int j = 0; j < model.rowCount(top); ++j)
            rows.push_back(model.index(j, 0, top));
    }
    return rows;
}

// Calls `cell(value, isTitle)` and `line()` in reading order; a value is a number, a QString, or invalid.
template <typename Cell, typename Line>
void walk(const TableInterface &model, const QList<int> &columns, const QModelIndexList &rows, const Cell &cell,
          const Line &line)
{
    if (model.isGrouped())
        cell(model.groupTitle(), true);
    for (const int column : columns)
        cell(model.headerData(column, Qt::Horizontal, kExportTitleRole), true);
    line();
    for (const QModelIndex &row : rows) {
        if (model.isGrouped())
            cell(row.parent().data(), false);
        for (const int column : columns)
            cell(row.siblingAtColumn(column).data(kExportValueRole), false);
        line();
    }
}

// In the user's locale, because the receiver is a spreadsheet with the same settings.
QString clipboardText(const QVariant &value, const QLocale &locale)
{
    if (isNumber(value))
        return numberText(value, locale);
    const QString text = value.toString().simplified(); // tabs and line breaks must not shift cells
    return looksLikeFormula(text) ? QLatin1Char('\'') + text : text;
}

} // namespace

QString shownLine(const QString &text)
{
    QString line = text.left(kLongestLine);
    if (!line.isEmpty() && line.back().isHighSurrogate())
        line.chop(1);
    for (QChar &c : line) {
        const char16_t code = c.unicode();
        const bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
        if (turns || c.category() == QChar::Other_Control || code == 0x2028 || code == 0x2029)
            c = QLatin1Char(' ');
    }
    return line.size() < text.size() ? line + QChar(0x2026) : line;
}

QString tipLines(const QString &text)
{
    QString lines;
    for (QString rest = shownLine(text); !rest.isEmpty();) {
        qsizetype end = rest.size() <= kTipWidth ? rest.size() : rest.lastIndexOf(QLatin1Char(' '), kTipWidth) + 1;
        if (end <= 0)
            end = rest.at(kTipWidth - 1).isHighSurrogate() ? kTipWidth - 1 : kTipWidth;
        if (!lines.isEmpty())
            lines += QLatin1Char('\n');
        lines += QStringView(rest).left(end).trimmed();
        rest.remove(0, end);
    }
    return lines;
}

QByteArray csvField(const QString &text)
{
    const bool formula = looksLikeFormula(text);
    const bool quoted =
        formula || std::any_of(text.begin(), text.end(), [](QChar c) {
            return c == QLatin1Char('"') || c == QLatin1Char(',') || c == QLatin1Char('\n') || c == QLatin1Char('\r');
        });
    if (!quoted)
        return text.toUtf8();
    QByteArray field = text.toUtf8().replace('"', "\"\"");
    if (formula)
        field.prepend('\'');
    return '"' + field + '"';
}

QByteArray tableCsv(const TableInterface &model, const QList<int> &columns, const QModelIndexList &rows)
{
    QLocale plain = QLocale::c();
    plain.setNumberOptions(QLocale::OmitGroupSeparator);
    QByteArray csv;
    bool first = true;
    const auto cell = [&](const QVariant &value, bool) {
        if (!first)
            csv += ',';
        first = false;
        csv += isNumber(value) ? numberText(value, plain).toUtf8() : csvField(value.toString());
    };
    walk(model, columns, rows.isEmpty() ? shownRows(model) : rows, cell, [&] {
        csv += "\r\n";
        first = true;
    });
    return csv;
}

QMimeData *tableMimeData(const TableInterface &model, const QList<int> &columns, const QModelIndexList &rows)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    const QModelIndexList chosen = rows.isEmpty() ? shownRows(model) : rows;
    const bool withHtml = chosen.size() * columns.size() <= kMaxHtmlCells;
    QString plain;
    QString html = QStringLiteral("<table><tr>");
    bool first = true;
    const auto cell = [&](const QVariant &value, bool title) {
        const QString text = clipboardText(value, locale);
        if (!first)
            plain += QLatin1Char('\t');
        first = false;
        plain += text;
        if (withHtml)
            html += QLatin1String(title ? "<th>" : "<td>") + text.toHtmlEscaped();
    };
    walk(model, columns, chosen, cell, [&] {
        plain += QLatin1Char('\n');
        html += QLatin1String("<tr>");
        first = true;
    });
    html.chop(4);
    auto *mime = new QMimeData;
    mime->setText(plain);
    if (withHtml)
        mime->setHtml(html + QLatin1String("</table>")); // allowed: all texts in it are escaped
    return mime;
}

} // namespace gpuledger::widgets
