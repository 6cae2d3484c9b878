// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/prices/pricequote.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>
#include <QLocale>

#include <memory>
#include <vector>

namespace gpuledger::ui {

// The offers that match a filter, sorted as by savings::compareQuotes. Immutable.
struct CompareOffers {
    savings::QuoteList list;
    base::Day today{}; // for the age of prices
};

enum class CompareColumn {
    Provider,
    Machine,
    Gpu,
    Gpus,
    Terms,
    Interruptions,
    PerGpuHour,
    PerGib,
    PerTflop,
    Region,
    Age,
    Source,
    Currency
};

// Offers as rows, the cheapest GPU-hour first; grouped by currency, because amounts of different currencies have no
// order.
class CompareTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::CompareTable)
public:
    // `currency`: the only one, for the titles of prices; empty: there are several, or none.
    static std::vector<TableColumn> columns(const QString &currency = {});
    static QString termsName(savings::PurchaseOption purchase); // "on demand"
    static QString amount(const base::Money &amount, int decimals); // "2.4900", without a currency

    explicit CompareTable(std::shared_ptr<const CompareOffers> offers);

    int rowCount() const override { return static_cast<int>(m_offers->list.quotes.size()); }
    QString id(int row) const override;
    TableValue value(int row, int column) const override;
    QString text(int row, int column) const override;
    QString sourceLine(int row, int column) const override;
    std::vector<TableGroup> groups() const override { return m_groups; }
    int groupOf(int row) const override { return m_groupOf[static_cast<std::size_t>(row)]; }

    const savings::PriceQuote &quote(int row) const { return m_offers->list.quotes[static_cast<std::size_t>(row)]; }
    QString place(int row) const; // "us-east-1 (us-east-1a)"; a dash if not stated

private:
    static QString offerAge(int days);

    std::shared_ptr<const CompareOffers> m_offers;
    std::vector<TableGroup> m_groups; // one for each currency
    std::vector<int> m_groupOf;
    QLocale m_locale;
};

} // namespace gpuledger::ui
