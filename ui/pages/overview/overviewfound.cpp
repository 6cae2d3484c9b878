// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overviewfound.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/overview/overviewwaste.h"

#include <QCoreApplication>

#include <cmath>

namespace gpuledger::ui {

using widgets::KeyFigure;

namespace {

class FoundText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OverviewFound)
public:
    static KeyFigure figure(const QString &detail)
    {
        KeyFigure f;
        f.title = tr("Savings found");
        f.detail = detail;
        return f;
    }

    static QString computing() { return tr("computing…"); }
    static QString failed(const base::Error &error)
    {
        return tr("not known: %1", "savings; a sentence that says why").arg(LocalText::sentence(error));
    }

    static KeyFigure of(const OverviewSavings &savings, bool isFiltered)
    {
        QStringList parts{found(savings)};
        if (savings.perMonth && isFiltered)
            parts << tr("of the whole fleet", "savings, although the page is filtered");
        if (savings.perMonth && savings.otherCurrencies > 0)
            parts << tr("+ %n more currency(ies)", nullptr, savings.otherCurrencies);
        if (savings.realized)
            parts << realized(savings);
        KeyFigure f = figure(parts.join(QStringLiteral("; ")));
        if (savings.perMonth)
            f.value = LocalText::money(std::round(units(savings.perMonth->p50.nanos())), codeOf(savings.currency), 0);
        f.source = LocalText::sourceLine(savings.sources, savings.age);
        return f;
    }

private:
    static QString found(const OverviewSavings &savings)
    {
        if (!savings.perMonth)
            return savings.otherCurrencies > 0
                ? tr("found in %n other currency(ies) only", nullptr, savings.otherCurrencies)
                : savings.isTooYoung ? tr("needs 14 days of data")
                                     : tr("nothing found");
        const savings::MoneyBand &band = *savings.perMonth;
        if (band.p10 == band.p90)
            return tr("a month; no spread in the past", "below an amount");
        return tr("a month, between %1 and %2", "below an amount; two short amounts")
            .arg(LocalText::shortMoney(units(band.p10.nanos())), LocalText::shortMoney(units(band.p90.nanos())));
    }

    static QString realized(const OverviewSavings &savings)
    {
        const QString saved = withoutCode(savings.realized->nanos(), savings.currency);
        if (!savings.projected)
            return tr("realized %1", "money").arg(saved);
        return tr("realized %1 of %2 projected", "money")
            .arg(saved, withoutCode(savings.projected->nanos(), savings.currency));
    }
};

} // namespace

KeyFigure overviewFound(const OverviewSavings &savings, bool isFiltered)
{
    return FoundText::of(savings, isFiltered);
}

KeyFigure overviewFound(const OverviewViewModel &model)
{
    if (const auto savings = model.savings())
        return FoundText::of(*savings, !model.scope().filter.empty());
    if (model.savingsError() && !model.isAskingSavings())
        return FoundText::figure(FoundText::failed(*model.savingsError()));
    return FoundText::figure(FoundText::computing());
}

} // namespace gpuledger::ui
