// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for the texts and values of table cells and charts.
#pragma once

#include "app/base/money/money.h"

#include <QLocale>
#include <QString>

#include <cstdint>
#include <string_view>

namespace gpuledger::ui {

// Shown where there is no value.
inline QString dash()
{
    return QStringLiteral("–");
}

inline QString textOf(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

// "USD".
inline QString codeOf(base::Currency currency)
{
    return textOf(currency.code());
}

// In the user's language: "1,234.50"; the same as LocalText::number().
QString decimal(double value, int decimals);

// Whole currency units, for drawing and sorting only; sums are computed from exact amounts.
inline double units(std::int64_t nanos)
{
    return static_cast<double>(nanos) / base::Money::kNanosPerUnit;
}

} // namespace gpuledger::ui
