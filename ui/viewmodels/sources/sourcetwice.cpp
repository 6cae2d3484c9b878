// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/sourcetwice.h"

#include "ui/format/local/localtext.h"
#include "ui/viewmodels/sources/sourcesviewmodel.h"

#include <QStringList>

#include <algorithm>

namespace gpuledger::ui {

using insight::CountedTwice;

namespace {

QString amountsOf(const CountedTwice &one)
{
    QStringList all;
    for (const CountedTwice::Part &part : one.parts)
        all << SourcesViewModel::tr("%1 by %2", "an amount, a source")
                   .arg(LocalText::money(part.billed.toDouble(),
                                         QString::fromStdString(std::string(one.currency.code()))),
                        QString::fromStdString(part.source));
    return all.join(QStringLiteral(", "));
}

} // namespace

QString twiceTextOf(const std::vector<CountedTwice> &all, const std::string &source)
{
    std::vector<const CountedTwice *> mine;
    for (const CountedTwice &one : all) {
        if (std::any_of(one.parts.begin(), one.parts.end(), [&](const auto &part) { return part.source == source; }))
            mine.push_back(&one);
    }
    if (mine.empty())
        return {};
    const CountedTwice &first = *mine.front();
    const std::string &account = first.accountName.empty() ? first.account : first.accountName;
    const QString text =
        SourcesViewModel::tr("Counted twice: %1 in %2, on %n days; billed %3.", "an account, a month, amounts",
                             static_cast<int>(first.days))
            .arg(QString::fromStdString(account),
                 LocalText::monthText(QString::fromStdString(insight::toString(first.month))), amountsOf(first));
    const int more = static_cast<int>(mine.size()) - 1;
    return more == 0
        ? text
        : text + QLatin1Char(' ') + SourcesViewModel::tr("The same for %n more accounts and months.", nullptr, more);
}

} // namespace gpuledger::ui
