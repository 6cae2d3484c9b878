// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/comparetable.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/tables/tablecolumns.h"

#include <QDate>

namespace gpuledger::ui {

using savings::PriceQuote;
using savings::PurchaseOption;

namespace {

using tablecolumns::figure;
using tablecolumns::words;

constexpr int kOfferDecimals = 4; // of a price per GPU-hour
constexpr int kSmallDecimals = 5; // per GiB and TFLOP
constexpr int kOfferNameWidth = 140;

QString offerText(const std::string &text)
{
    return text.empty() ? dash() : QString::fromStdString(text);
}

std::optional<base::Money> unitPrice(const PriceQuote &quote, CompareColumn column)
{
    return column == CompareColumn::PerGpuHour ? perGpuHour(quote)
        : column == CompareColumn::PerGib      ? perGibHour(quote)
                                               : perTflopHour(quote);
}

// Parts of a GPU: 0.125.
QString offerGpus(const PriceQuote &quote)
{
    const double gpus = static_cast<double>(quote.microGpus) / static_cast<double>(savings::kMicroOfGpu);
    return LocalText::number(gpus, quote.isPartOfGpu() ? 3 : 0);
}

} // namespace

std::vector<TableColumn> CompareTable::columns(const QString &currency)
{
    const auto priced = [&](const QString &title) {
        return currency.isEmpty() ? title : tr("%1, %2", "title of a column, currency").arg(title, currency);
    };
    std::vector<TableColumn> all{
        words(QStringLiteral("provider"), tr("Provider")), // no-tr: key
        words(QStringLiteral("machine"), tr("Machine"), {}, 2), // no-tr: key
        words(QStringLiteral("gpu"), tr("GPU"), tr("The model that the list means, or its own name"), 1), // no-tr: key
        figure(QStringLiteral("gpus"), tr("GPUs"), tr("GPUs of the machine")), // no-tr: key
        words(QStringLiteral("terms"), tr("Terms"), tr("On which terms it is offered or was paid")), // no-tr: key
        figure(QStringLiteral("interruptions"), tr("Interruptions"), // no-tr: key
               tr("How often a spot machine is taken away: the published share in a month, or the rate that was "
                  "measured")),
        figure(QStringLiteral("gpu-hour"), priced(tr("Per GPU-hour")), // no-tr: key
               tr("Price of the machine divided by its GPUs")),
        figure(QStringLiteral("gib-hour"), priced(tr("Per GiB-hour")), // no-tr: key
               tr("Divided by the memory of its GPUs")),
        figure(QStringLiteral("tflop-hour"), priced(tr("Per TFLOP-hour")), // no-tr: key
               tr("Divided by the dense 16-bit TFLOP/s of its GPUs, without sparsity")),
        words(QStringLiteral("region"), tr("Region"), {}, 1), // no-tr: key
        tablecolumns::column("age", tr("Age"), TableValueType::Duration, tr("Time since the day of the price")),
        words(QStringLiteral("source"), tr("Source"), tr("The list that has the price"), 1), // no-tr: key
        words(QStringLiteral("currency"), tr("Currency"))}; // no-tr: key
    const auto of = [&](CompareColumn c) -> TableColumn & { return all[static_cast<std::size_t>(c)]; };
    of(CompareColumn::Machine).isEmphasized = true;
    of(CompareColumn::Machine).width = kOfferNameWidth;
    of(CompareColumn::PerGpuHour).isEmphasized = true;
    of(CompareColumn::Currency).priority = 1; // the titles or the headings of groups say it, too
    of(CompareColumn::Source).priority = 2;
    of(CompareColumn::Interruptions).priority = 7;
    of(CompareColumn::PerTflop).priority = 3;
    of(CompareColumn::PerGib).priority = 4;
    of(CompareColumn::Region).priority = 5;
    of(CompareColumn::Age).priority = 6;
    return all;
}

QString CompareTable::termsName(PurchaseOption purchase)
{
    switch (purchase) {
    case PurchaseOption::OnDemand:
        return tr("on demand");
    case PurchaseOption::Spot:
        return tr("spot");
    case PurchaseOption::OneYear:
        return tr("1 year");
    case PurchaseOption::ThreeYears:
        return tr("3 years");
    case PurchaseOption::Commitment:
        return tr("commitment");
    case PurchaseOption::CapacityBlock:
        return tr("capacity block");
    case PurchaseOption::GpuCloud:
        break;
    }
    return tr("GPU cloud");
}

QString CompareTable::amount(const base::Money &amount, int decimals)
{
    return LocalText::number(amount.toDouble(), decimals);
}

CompareTable::CompareTable(std::shared_ptr<const CompareOffers> offers)
    : m_offers(std::move(offers))
{
    for (const PriceQuote &quote : m_offers->list.quotes) {
        const QString currency = codeOf(quote.perHour.currency());
        if (m_groups.empty() || m_groups.back().id != currency)
            m_groups.push_back({currency, tr("Prices in %1", "a currency").arg(currency), false, false});
        m_groupOf.push_back(static_cast<int>(m_groups.size()) - 1);
    }
}

QString CompareTable::id(int row) const
{
    const PriceQuote &one = quote(row);
    QStringList parts;
    for (const std::string &part :
         {one.provider, one.machine, one.region, one.zone, one.gpuName, one.gpu.model,
          std::string(toString(one.purchase)), one.source, std::string(one.perHour.currency().code())})
        parts.append(QString::fromStdString(part));
    for (const std::int64_t number : {one.microGpus, one.gpu.memoryMib.value_or(0), one.perHour.nanos(),
                                      one.termMonths.value_or(0), one.upfront.value_or(base::Money()).nanos()})
        parts.append(QString::number(number));
    return parts.join(QChar(0x1f));
}

QString CompareTable::offerAge(int days)
{
    return days == 1 ? tr("1 day") : tr("%n days", nullptr, days);
}

TableValue CompareTable::value(int row, int column) const
{
    const PriceQuote &one = quote(row);
    switch (const auto c = static_cast<CompareColumn>(column)) {
    case CompareColumn::Gpus:
        return static_cast<double>(one.microGpus) / static_cast<double>(savings::kMicroOfGpu);
    case CompareColumn::Interruptions:
        return one.interruptions ? TableValue(one.interruptions->perHour) : TableValue();
    case CompareColumn::PerGpuHour:
    case CompareColumn::PerGib:
    case CompareColumn::PerTflop: {
        const auto price = unitPrice(one, c);
        return price ? TableValue(price->toDouble()) : TableValue();
    }
    case CompareColumn::Age:
        return one.seen && one.seen->number <= m_offers->today.number
            ? TableValue(static_cast<double>(m_offers->today.number - one.seen->number) * 86400)
            : TableValue();
    default:
        break;
    }
    const QString shown = text(row, column);
    return shown == dash() ? TableValue(QString()) : TableValue(shown);
}

QString CompareTable::text(int row, int column) const
{
    const PriceQuote &one = quote(row);
    switch (const auto c = static_cast<CompareColumn>(column)) {
    case CompareColumn::Provider:
        return offerText(one.provider);
    case CompareColumn::Machine:
        return offerText(one.machine);
    case CompareColumn::Gpu:
        return offerText(one.gpu.model.empty() ? one.gpuName : one.gpu.model);
    case CompareColumn::Gpus:
        return offerGpus(one);
    case CompareColumn::Terms:
        return termsName(one.purchase);
    case CompareColumn::Interruptions:
        if (!one.interruptions)
            return dash();
        return one.interruptions->band.empty()
            ? tr("%1 per hour", "measured interruptions").arg(LocalText::number(one.interruptions->perHour, 3))
            : tr("%1 a month", "share of machines that are interrupted").arg(offerText(one.interruptions->band));
    case CompareColumn::PerGpuHour:
    case CompareColumn::PerGib:
    case CompareColumn::PerTflop: {
        const auto price = unitPrice(one, c);
        return price ? amount(*price, c == CompareColumn::PerGpuHour ? kOfferDecimals : kSmallDecimals) : dash();
    }
    case CompareColumn::Region:
        return place(row);
    case CompareColumn::Age:
        if (!one.seen || one.seen->number > m_offers->today.number)
            return dash();
        return offerAge(m_offers->today.number - one.seen->number);
    case CompareColumn::Currency:
        return codeOf(one.perHour.currency());
    case CompareColumn::Source:
        break;
    }
    return one.source == savings::kOwnBills ? tr("own bills") : offerText(one.source);
}

QString CompareTable::place(int row) const
{
    const PriceQuote &one = quote(row);
    if (one.zone.empty() || one.zone == one.region)
        return offerText(one.region);
    return one.region.empty() ? offerText(one.zone)
                              : tr("%1 (%2)", "region, zone").arg(offerText(one.region), offerText(one.zone));
}

QString CompareTable::sourceLine(int row, int column) const
{
    const PriceQuote &one = quote(row);
    if (column == static_cast<int>(CompareColumn::Interruptions)) {
        if (!one.interruptions)
            return {};
        const QString day =
            m_locale.toString(QDate(1970, 1, 1).addDays(one.interruptions->seen.number), QLocale::ShortFormat);
        return one.interruptions->band.empty()
            ? tr("Measured, %1, until %2", "file, date").arg(offerText(one.interruptions->source), day)
            : tr("Published, %1, %2", "source, date").arg(offerText(one.interruptions->source), day);
    }
    const QString source = text(row, static_cast<int>(CompareColumn::Source));
    return one.seen
        ? tr("%1, price of %2", "source, date")
              .arg(source, m_locale.toString(QDate(1970, 1, 1).addDays(one.seen->number), QLocale::ShortFormat))
        : tr("%1, date unknown", "source").arg(source);
}

} // namespace gpuledger::ui
