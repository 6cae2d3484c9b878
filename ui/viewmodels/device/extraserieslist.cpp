// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/device/extraserieslist.h"

namespace gpuledger::ui {

bool ExtraSeriesList::add(const QString &expression)
{
    const QString text = expression.trimmed();
    if (text.isEmpty() || text.size() > kLongest || isFull() || m_expressions.contains(text))
        return false;
    m_expressions.append(text);
    Q_EMIT changed();
    return true;
}

void ExtraSeriesList::remove(const QString &expression)
{
    if (m_expressions.removeAll(expression) > 0)
        Q_EMIT changed();
}

void ExtraSeriesList::set(const QStringList &expressions)
{
    ExtraSeriesList taken;
    for (const QString &expression : expressions)
        taken.add(expression);
    if (taken.m_expressions == m_expressions)
        return;
    m_expressions = taken.m_expressions;
    Q_EMIT changed();
}

} // namespace gpuledger::ui
