// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/costview.h"
#include "app/services/prices/ownedhardware.h"
#include "ui/viewmodels/savings/compare/budgetsviewmodel.h"
#include "ui/viewmodels/savings/compare/claimsviewmodel.h"
#include "ui/viewmodels/savings/compare/commitmentsviewmodel.h"
#include "ui/viewmodels/savings/compare/comparetable.h"
#include "ui/viewmodels/savings/compare/plannedviewmodel.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <set>

namespace gpuledger::services {
class ConfigService;
class SpendService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// Every price that is known, before the filter.
struct ComparePrices {
    savings::QuoteList list;
    QStringList models; // of the catalogue that have an offer, ascending
    QStringList unread; // price lists of the configuration that the last sync could not read; older prices are stored
    QStringList unstored; // those of which no sync stored a price so far
    QStringList ahead; // those that were read while the clock was ahead
    bool isPaidAsked = false; // list prices are not compared with own bills
    bool isAnyPaid = false; // own bills have GPU machine time
    QString paidModel; // of the own bills: that with the dearest GPU-hour in `currency`; empty: none was paid for
    QString currency; // the configured one, or that of the own bills if all are in others
    base::Day today{};
    std::vector<services::OwnedCost> owned; // the owned machines of the configuration, beside the cheapest rent
};

// Which terms are compared.
enum class CompareTerms { Any, OnDemand, Spot, Committed };

// State and commands of the Compare tab: what the same GPUs cost elsewhere, by the price book, the own bills, the
// price lists of the configuration and those that the user adds. Changes nothing. GUI thread; queries on worker
// threads.
class CompareViewModel : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    CompareViewModel(const services::ConfigService &config, services::SpendService &spend, TaskRunner &tasks,
                     QObject *parent = nullptr);

    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_prices.error(); }
    // Why the last file could not be read; until one is read, or one is removed.
    const std::optional<base::Error> &fileError() const { return m_fileError; }
    bool isAsking() const;
    const std::shared_ptr<const ComparePrices> &prices() const { return m_prices.snapshot(); }
    TableModel &table() { return m_table; }
    const CompareTable *rows() const { return m_rows.get(); } // null: nothing was answered yet
    // The other parts of the tab; they ask when this does.
    PlannedViewModel &planned() { return m_planned; }
    ClaimsViewModel &claims() { return m_claims; }
    BudgetsViewModel &budgets() { return m_budgets; }
    CommitmentsViewModel &commitments() { return m_commitments; }

    // Empty: every model. Until the user chooses, that of the own bills.
    QString model() const;
    void setModel(const QString &model);
    std::optional<int> gpus() const { return m_gpus; } // of a machine; std::nullopt: any
    void setGpus(std::optional<int> gpus);
    CompareTerms terms() const { return m_terms; }
    void setTerms(CompareTerms terms);
    void setCost(model::CostView cost);
    // Reads a price catalogue of SkyPilot, a folder of them, or a file of own offers as well, besides those read
    // before. Each file is read once, when it is added; one that can't be read is an error and is forgotten.
    void addCatalogue(const QString &path) { addFile(path, true); }
    void addOffers(const QString &path) { addFile(path, false); }
    void removeFile(const QString &path);
    QStringList files() const; // read, in the order in which they were added

    // That of the own bills, or the first one if no offer is in it; empty: no offer.
    QString chartCurrency() const;
    // The cheapest offer of each provider in that currency, cheapest first: rows of the table.
    std::vector<int> cheapestRows() const;
    QString unreadText() const; // which price lists could not be read; empty: none
    QStringList ownedLines() const; // own or rent, of each entry of owned machines; empty: there is none
    QString leftOutText() const; // why rows of price lists are not compared; empty: all are

    void refresh();
    void setActive(bool active);

Q_SIGNALS:
    void changed();

private:
    using Quotes = std::shared_ptr<const savings::QuoteList>;
    struct File {
        quint64 number = 0;
        QString path;
        Quotes quotes; // null: being read
    };
    void takePrices();
    void takeOffers();
    void askOffers();
    void addFile(const QString &path, bool isCatalogue);
    void takeFile(quint64 number, base::Result<Quotes> answer);
    int chartGroup() const; // -1: no offer

    const services::ConfigService &m_config;
    services::SpendService &m_spend;
    TaskRunner &m_tasks;
    TableModel m_table;
    PlannedViewModel m_planned;
    ClaimsViewModel m_claims;
    BudgetsViewModel m_budgets;
    CommitmentsViewModel m_commitments;
    LatestQuery<ComparePrices> m_prices;
    LatestQuery<CompareOffers> m_offers;
    std::shared_ptr<const CompareTable> m_rows;
    PageState m_state = PageState::Loading;
    std::optional<QString> m_model; // as chosen
    std::optional<int> m_gpus;
    CompareTerms m_terms = CompareTerms::Any;
    model::CostView m_cost = model::CostView::Effective;
    std::vector<File> m_files;
    quint64 m_addedFiles = 0;
    std::optional<base::Error> m_fileError;
};

} // namespace gpuledger::ui
