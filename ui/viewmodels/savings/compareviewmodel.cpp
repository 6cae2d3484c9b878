// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compareviewmodel.h"

#include "app/services/engine/configservice.h"
#include "app/services/savings/paidprices.h"
#include "app/services/savings/pricefiles.h"
#include "app/services/spend/spendservice.h"

#include <algorithm>

namespace gpuledger::ui {

using savings::PriceQuote;
using savings::PurchaseOption;
using savings::QuoteFilter;

namespace {

// The model of the dearest GPU-hour that was paid for: what a comparison is about most often.
QString paidModelOf(const savings::QuoteList &paid)
{
    const PriceQuote *dearest = nullptr;
    for (const PriceQuote &quote : paid.quotes) {
        const auto price = perGpuHour(quote);
        if (!quote.gpu.model.empty() && price && (!dearest || perGpuHour(*dearest)->nanos() < price->nanos()))
            dearest = &quote;
    }
    return dearest ? QString::fromStdString(dearest->gpu.model) : QString();
}

LatestQuery<ComparePrices>::Answer askPrices(const services::ConfigService &config, services::SpendService &spend,
                                             const services::PriceFiles &files, model::CostView cost,
                                             const std::stop_token &stop)
{
    auto out = std::make_shared<ComparePrices>();
    out->today = base::dayOf(config.clock().now());
    auto lists = services::priceLists();
    GPULEDGER_TRY(lists);
    auto fromFiles = services::readPriceFiles(files, *lists);
    GPULEDGER_TRY(fromFiles);
    out->list.add(std::move(lists->book));
    out->list.add(std::move(*fromFiles));
    if (cost != model::CostView::List) { // list prices are not what was paid
        auto paid = spend.paidPrices(std::nullopt, cost, stop);
        GPULEDGER_TRY(paid);
        out->paidModel = paidModelOf(*paid);
        out->list.add(std::move(*paid));
    }
    std::set<std::string> models;
    for (const PriceQuote &quote : out->list.quotes) {
        if (!quote.gpu.model.empty())
            models.insert(quote.gpu.model);
    }
    for (const std::string &model : models)
        out->models.append(QString::fromStdString(model));
    return out;
}

std::vector<PurchaseOption> purchasesOf(CompareTerms terms)
{
    switch (terms) {
    case CompareTerms::OnDemand:
        return {PurchaseOption::OnDemand, PurchaseOption::GpuCloud};
    case CompareTerms::Spot:
        return {PurchaseOption::Spot};
    case CompareTerms::Committed:
        return {PurchaseOption::OneYear, PurchaseOption::ThreeYears, PurchaseOption::Commitment,
                PurchaseOption::CapacityBlock};
    case CompareTerms::Any:
        break;
    }
    return {};
}

} // namespace

CompareViewModel::CompareViewModel(const services::ConfigService &config, services::SpendService &spend,
                                   TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_spend(spend)
    , m_table(CompareTable::columns())
    , m_prices(tasks, this, [this] { takePrices(); })
    , m_offers(tasks, this, [this] { takeOffers(); })
{
    m_table.setGroupTitle(tr("Currency"));
    m_prices.setActive(false);
    m_offers.setActive(false);
    refresh();
}

const std::optional<base::Error> &CompareViewModel::error() const
{
    return m_fileError ? m_fileError : m_prices.error();
}

QString CompareViewModel::model() const
{
    return m_model ? *m_model : prices() ? prices()->paidModel : QString();
}

void CompareViewModel::setModel(const QString &model)
{
    m_model = model;
    askOffers();
}

void CompareViewModel::setGpus(std::optional<int> gpus)
{
    m_gpus = gpus;
    askOffers();
}

void CompareViewModel::setTerms(CompareTerms terms)
{
    m_terms = terms;
    askOffers();
}

void CompareViewModel::setCost(model::CostView cost)
{
    if (cost == m_cost)
        return;
    m_cost = cost;
    refresh();
}

void CompareViewModel::addCatalogue(const QString &path)
{
    forgetLastFile();
    m_catalogues.push_back(path.toStdString());
    m_files.append(path);
    refresh();
}

void CompareViewModel::addOffers(const QString &path)
{
    forgetLastFile();
    m_own.push_back(path.toStdString());
    m_files.append(path);
    refresh();
}

// A file that was not read: the lists of before stay.
void CompareViewModel::forgetLastFile()
{
    m_fileError.reset();
    while (static_cast<std::size_t>(m_files.size()) > m_readFiles) {
        const std::string last = m_files.takeLast().toStdString();
        for (auto *list : {&m_catalogues, &m_own}) {
            if (!list->empty() && list->back() == last)
                list->pop_back();
        }
    }
}

void CompareViewModel::refresh()
{
    m_prices.ask([config = &m_config, spend = &m_spend, cost = m_cost,
                  files = services::PriceFiles{m_catalogues, m_own, std::nullopt}](const std::stop_token &stop) {
        return askPrices(*config, *spend, files, cost, stop);
    });
}

void CompareViewModel::setActive(bool active)
{
    m_prices.setActive(active);
    m_offers.setActive(active);
}

void CompareViewModel::takePrices()
{
    if (m_prices.error() && static_cast<std::size_t>(m_files.size()) > m_readFiles) {
        const base::Error error = *m_prices.error();
        forgetLastFile();
        m_fileError = error;
        refresh(); // without it
        Q_EMIT changed();
        return;
    }
    if (m_prices.error()) {
        m_state = PageState::Error;
        Q_EMIT changed();
        return;
    }
    m_readFiles = static_cast<std::size_t>(m_files.size());
    askOffers();
}

void CompareViewModel::askOffers()
{
    if (!prices())
        return;
    QuoteFilter filter;
    filter.gpuModel = model().toStdString();
    if (m_gpus)
        filter.gpus = *m_gpus;
    filter.purchases = purchasesOf(m_terms);
    m_offers.ask([all = prices(), filter](const std::stop_token &) -> LatestQuery<CompareOffers>::Answer {
        auto out = std::make_shared<CompareOffers>(CompareOffers{all->list, all->today});
        savings::compareQuotes(out->list, filter);
        return out;
    });
}

void CompareViewModel::takeOffers()
{
    m_rows = std::make_shared<CompareTable>(m_offers.snapshot());
    m_table.setGrouped(m_rows->groups().size() > 1);
    m_table.setSnapshot(m_rows);
    m_state = m_rows->rowCount() == 0 ? PageState::Empty : PageState::Data;
    Q_EMIT changed();
}

std::vector<int> CompareViewModel::cheapestRows() const
{
    std::vector<int> out;
    std::set<std::string> providers;
    for (int row = 0; m_rows && row < m_rows->rowCount(); ++row) {
        if (m_rows->groupOf(row) != 0)
            break;
        const PriceQuote &quote = m_rows->quote(row);
        // What was paid stands beside the offers of the same provider.
        const std::string name = quote.source == savings::kOwnBills ? quote.provider + '\n' : quote.provider;
        if (!quote.provider.empty() && perGpuHour(quote) && providers.insert(name).second)
            out.push_back(row);
    }
    return out;
}

QString CompareViewModel::leftOutText() const
{
    QStringList parts;
    if (const auto &offers = m_offers.snapshot()) {
        std::size_t rows = 0;
        for (const auto &[why, count] : offers->list.leftOut)
            rows += count;
        if (rows > 0)
            return rows == 1 ? tr("1 row of the price lists has no price that can be compared")
                             : tr("%n rows of the price lists have no price that can be compared", nullptr,
                                  static_cast<int>(std::min<std::size_t>(rows, 1'000'000'000)));
    }
    return {};
}

} // namespace gpuledger::ui
