// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's phrases in the user's language.
#include "ui/format/local/localtext.h"

#include <QDateTime>

#include <algorithm>
#include <climits>

namespace gpuledger::ui {

namespace {

QString moneyOf(const Phrase::Term &term, int decimals)
{
    const double units = static_cast<double>(term.nanos) / static_cast<double>(base::Money::kNanosPerUnit);
    return term.text.empty() ? LocalText::number(units, decimals)
                             : LocalText::money(units, QString::fromStdString(term.text), decimals);
}

} // namespace

QString LocalText::phrase(const Phrase &phrase, const base::TimeZone &zone)
{
    const auto wordOf = [&zone](const Phrase::Term &term) -> QString {
        using Kind = Phrase::Term::Kind;
        switch (term.kind) {
        case Kind::Text:
            return QString::fromStdString(term.text);
        case Kind::Month:
            return monthText(QString::fromStdString(term.text));
        case Kind::Count:
            return number(term.number, 0);
        case Kind::Share:
            return percent(term.number);
        case Kind::Watts:
            return watts(term.number);
        case Kind::Gibibytes:
            return tr("%1 GiB", "amount of memory").arg(number(term.number, 1));
        case Kind::Duration:
            return hours(base::Seconds{static_cast<std::int64_t>(term.number)});
        case Kind::Instant:
            return tr("%1 (%2)", "a time and its zone")
                .arg(dateTime(base::fromUnix(static_cast<std::int64_t>(term.number)), zone),
                     QString::fromStdString(zone.name()));
        case Kind::Phrase:
            return term.phrase.empty() ? QString() : LocalText::phrase(term.phrase.front(), zone);
        case Kind::Decimal:
            return number(term.number, 1);
        case Kind::Amount:
            return moneyOf(term, 2);
        case Kind::HourlyRate:
            return moneyOf(term, 4);
        case Kind::Day:
            return QLocale().toString(QDateTime::fromSecsSinceEpoch(term.nanos, Qt::UTC).date(), QLocale::ShortFormat);
        case Kind::PriceSource:
            return priceSource(term.text);
        case Kind::Protection:
            return protection(term.text);
        }
        return {};
    };
    if (*phrase.pattern == '\0')
        return {}; // a catalogue may contain an entry for the empty text
    const QString text = QCoreApplication::translate(
        phrase.context, phrase.pattern, nullptr,
        phrase.singular ? static_cast<int>(std::min<std::uint64_t>(phrase.count, INT_MAX)) : -1);
    // Replace in a single pass, because inserted text may contain placeholders.
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const qsizetype at = text[i] == QLatin1Char('%') && i + 1 < text.size() ? text[i + 1].digitValue() : -1;
        if (at < 1 || at > static_cast<qsizetype>(phrase.terms.size())) {
            out += text[i];
            continue;
        }
        out += wordOf(phrase.terms[static_cast<std::size_t>(at - 1)]);
        ++i;
    }
    return out;
}

} // namespace gpuledger::ui
