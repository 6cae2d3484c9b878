// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the window: one minus sign, and no negative zero.
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

namespace {

bool isZero(const QString &formatted)
{
    return std::none_of(formatted.begin(), formatted.end(), [](QChar c) { return c.digitValue() > 0; });
}

} // namespace

QString LocalText::withMinus(QString formatted, bool isNegative)
{
    if (!isNegative || isZero(formatted))
        return formatted;
    return QChar(0x2212) + formatted;
}

QString LocalText::number(double value, int decimals)
{
    if (std::isnan(value))
        return dash();
    return withMinus(QLocale().toString(std::abs(value), 'f', decimals), value < 0);
}

QString LocalText::signedNumber(double value, int decimals)
{
    const QString text = number(value, decimals);
    return value > 0 && !isZero(text) ? QLatin1Char('+') + text : text;
}

QString LocalText::signedPercent(double share, int decimals)
{
    return tr("%1 %", "percentage").arg(signedNumber(share * 100, decimals));
}

QString decimal(double value, int decimals)
{
    return LocalText::number(value, decimals);
}

} // namespace gpuledger::ui
