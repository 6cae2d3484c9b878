// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/alerts/alertcells.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/alerts/alerttext.h"

namespace gpuledger::ui::alertcells {

using alerts::AlertState;
using widgets::Tone;

AlertCell timeCell(base::UtcTime at, const base::TimeZone &zone)
{
    return {LocalText::dateTime(at, zone), TableValue(qint64{base::toUnix(at)})};
}

AlertCell countCell(std::size_t count)
{
    return {LocalText::number(static_cast<double>(count), 0), TableValue(static_cast<qint64>(count))};
}

AlertCell valueCell(std::optional<std::int64_t> nanos, const alerts::Rule &rule, base::Currency currency)
{
    return {AlertText::value(nanos, rule.bound.unit, currency), nanos ? TableValue(units(*nanos)) : TableValue()};
}

AlertCell stateCell(AlertState state)
{
    return {AlertText::state(state),
            {},
            state == AlertState::Firing        ? Tone::Critical
                : state == AlertState::Pending ? Tone::Warning
                                               : Tone::Muted};
}

QString scopesText(const std::vector<std::string> &scopes)
{
    QStringList all;
    for (const std::string &scope : scopes)
        all.append(textOf(scope));
    return all.isEmpty() ? dash() : all.join(QLatin1String(", "));
}

TableValue textValue(const QString &text)
{
    return text == dash() ? TableValue() : TableValue(text);
}

} // namespace gpuledger::ui::alertcells
