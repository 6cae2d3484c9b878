// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/compareviewmodel.h"

#include "app/base/text/text.h"
#include "app/services/engine/configservice.h"
#include "app/services/prices/listedprices.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/pricefiles.h"
#include "app/services/savingsinputs/spot/offerrisk.h"
#include "app/services/spend/spendservice.h"
#include "ui/format/local/celltext.h"
#include "ui/viewmodels/savings/compare/ownedtext.h"

#include <algorithm>

namespace gpuledger::ui {

using savings::PriceQuote;
using savings::PurchaseOption;
using savings::QuoteFilter;

namespace {

constexpr std::size_t kLongestListName = 120;

// The configured currency, or if nothing was paid in it, the first one in which something was.
std::optional<base::Currency> paidCurrencyOf(const savings::QuoteList &paid, base::Currency configured)
{
    std::optional<base::Currency> first;
    for (const PriceQuote &quote : paid.quotes) {
        const base::Currency one = quote.perHour.currency();
        if (one == configured)
            return one;
        if (!first || one.code() < first->code())
            first = one;
    }
    return first;
}

// The model of the dearest GPU-hour that was paid for: what a comparison is about most often. Amounts of different
// currencies have no order.
QString paidModelOf(const savings::QuoteList &paid, base::Currency currency)
{
    const PriceQuote *dearest = nullptr;
    for (const PriceQuote &quote : paid.quotes) {
        if (quote.perHour.currency() != currency)
            continue;
        const auto price = perGpuHour(quote);
        if (!quote.gpu.model.empty() && price && (!dearest || perGpuHour(*dearest)->nanos() < price->nanos()))
            dearest = &quote;
    }
    return dearest ? QString::fromStdString(dearest->gpu.model) : QString();
}

LatestQuery<ComparePrices>::Answer askPrices(const services::ConfigService &config, services::SpendService &spend,
                                             const std::vector<std::shared_ptr<const savings::QuoteList>> &files,
                                             model::CostView cost, const std::stop_token &stop)
{
    auto out = std::make_shared<ComparePrices>();
    out->today = base::dayOf(config.clock().now());
    out->currency = codeOf(config.settings().currency);
    auto lists = services::priceLists();
    GPULEDGER_TRY(lists);
    out->list.add(std::move(lists->book));
    for (const auto &file : files)
        out->list.add(*file);
    auto listed = spend.listedPrices();
    GPULEDGER_TRY(listed);
    for (const services::UnreadList &one : listed->unread) {
        if (!one.readAt && config.isReport())
            continue; // a report has no price lists
        QStringList &names = one.isAhead ? out->ahead : one.readAt ? out->unread : out->unstored;
        names.append(QString::fromStdString(base::printable(one.list, kLongestListName)));
    }
    out->list.add(std::move(listed->list));
    if (cost != model::CostView::List) { // list prices are not what was paid
        auto paid = spend.paidPrices(std::nullopt, cost, stop);
        GPULEDGER_TRY(paid);
        out->isPaidAsked = true;
        out->isAnyPaid = !paid->quotes.empty();
        if (const auto currency = paidCurrencyOf(*paid, config.settings().currency)) {
            out->currency = codeOf(*currency);
            out->paidModel = paidModelOf(*paid, *currency);
        }
        out->list.add(std::move(*paid));
    }
    const std::vector<model::OwnedMachine> &owned = config.settings().prices.owned;
    if (!owned.empty()) {
        const auto seen = spend.ownedModels();
        GPULEDGER_TRY(seen);
        out->owned = services::ownedCosts(owned, *seen, out->list);
    }
    GPULEDGER_TRY(
        services::setOfferInterruptions(out->list, config.settings().savings.spotHistory, config.clock().now()));
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
    , m_tasks(tasks)
    , m_table(CompareTable::columns())
    , m_planned(spend, tasks)
    , m_claims(spend, tasks)
    , m_budgets(spend, tasks)
    , m_commitments(config, spend, tasks)
    , m_prices(tasks, this, [this] { takePrices(); })
    , m_offers(tasks, this, [this] { takeOffers(); })
{
    m_table.setGroupTitle(tr("Currency"));
    m_prices.setActive(false);
    m_offers.setActive(false);
    refresh();
}

bool CompareViewModel::isAsking() const
{
    return m_prices.isAsking() || m_offers.isAsking() || m_planned.isAsking() || m_claims.isAsking()
        || m_budgets.isAsking() || m_commitments.isAsking()
        || std::any_of(m_files.begin(), m_files.end(), [](const File &file) { return !file.quotes; });
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
    m_planned.setCost(cost);
    m_claims.setCost(cost);
    m_budgets.setCost(cost);
    refresh();
}

QStringList CompareViewModel::files() const
{
    QStringList out;
    for (const File &file : m_files) {
        if (file.quotes)
            out.append(file.path);
    }
    return out;
}

// The same file again replaces what was read of it.
void CompareViewModel::addFile(const QString &path, bool isCatalogue)
{
    std::erase_if(m_files, [&](const File &file) { return file.path == path; });
    const quint64 number = ++m_addedFiles;
    m_files.push_back({number, path, nullptr});
    services::PriceFiles files;
    (isCatalogue ? files.prices : files.own).push_back(path.toStdString());
    using Answer = base::Result<Quotes>;
    m_tasks.run<Answer>(
        this,
        [files](const std::stop_token &) -> Answer {
            const auto lists = services::priceLists();
            GPULEDGER_TRY(lists);
            auto read = services::readPriceFiles(files, *lists);
            GPULEDGER_TRY(read);
            return std::make_shared<const savings::QuoteList>(std::move(*read));
        },
        [this, number](Answer answer) { takeFile(number, std::move(answer)); });
    Q_EMIT changed();
}

void CompareViewModel::takeFile(quint64 number, base::Result<Quotes> answer)
{
    const auto file =
        std::find_if(m_files.begin(), m_files.end(), [&](const File &one) { return one.number == number; });
    if (file == m_files.end())
        return; // removed, or added again since then
    if (answer) {
        file->quotes = std::move(*answer);
        m_fileError.reset();
        refresh();
    } else {
        m_files.erase(file);
        m_fileError = std::move(answer).error();
    }
    Q_EMIT changed();
}

void CompareViewModel::removeFile(const QString &path)
{
    std::erase_if(m_files, [&](const File &file) { return file.path == path; });
    m_fileError.reset();
    refresh();
    Q_EMIT changed();
}

void CompareViewModel::refresh()
{
    std::vector<Quotes> files;
    for (const File &file : m_files) {
        if (file.quotes)
            files.push_back(file.quotes);
    }
    m_prices.ask([config = &m_config, spend = &m_spend, cost = m_cost, files](const std::stop_token &stop) {
        return askPrices(*config, *spend, files, cost, stop);
    });
    m_planned.refresh();
    m_claims.refresh();
    m_budgets.refresh();
    m_commitments.refresh();
}

void CompareViewModel::setActive(bool active)
{
    m_prices.setActive(active);
    m_offers.setActive(active);
    m_planned.setActive(active);
    m_claims.setActive(active);
    m_budgets.setActive(active);
    m_commitments.setActive(active);
}

void CompareViewModel::takePrices()
{
    if (m_prices.error()) {
        m_state = PageState::Error;
        Q_EMIT changed();
        return;
    }
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
    const std::vector<TableGroup> currencies = m_rows->groups();
    m_table.setColumns(CompareTable::columns(currencies.size() == 1 ? currencies.front().id : QString()));
    m_table.setGrouped(currencies.size() > 1);
    m_table.setSnapshot(m_rows);
    m_state = m_rows->rowCount() == 0 ? PageState::Empty : PageState::Data;
    Q_EMIT changed();
}

int CompareViewModel::chartGroup() const
{
    const std::vector<TableGroup> groups = m_rows ? m_rows->groups() : std::vector<TableGroup>();
    const QString wanted = prices() ? prices()->currency : QString();
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const TableGroup &group) { return group.id == wanted; });
    if (found != groups.end())
        return static_cast<int>(found - groups.begin());
    return groups.empty() ? -1 : 0;
}

QString CompareViewModel::chartCurrency() const
{
    const int group = chartGroup();
    return group < 0 ? QString() : m_rows->groups()[static_cast<std::size_t>(group)].id;
}

std::vector<int> CompareViewModel::cheapestRows() const
{
    std::vector<int> out;
    std::set<std::string> providers;
    const int group = chartGroup();
    for (int row = 0; m_rows && row < m_rows->rowCount(); ++row) {
        if (m_rows->groupOf(row) != group)
            continue;
        const PriceQuote &quote = m_rows->quote(row);
        // What was paid stands beside the offers of the same provider.
        const std::string name = quote.source == savings::kOwnBills ? quote.provider + '\n' : quote.provider;
        if (!quote.provider.empty() && perGpuHour(quote) && providers.insert(name).second)
            out.push_back(row);
    }
    return out;
}

QString CompareViewModel::unreadText() const
{
    const QStringList unread = prices() ? prices()->unread : QStringList();
    const QStringList unstored = prices() ? prices()->unstored : QStringList();
    const QStringList ahead = prices() ? prices()->ahead : QStringList();
    QStringList parts;
    if (!unread.isEmpty())
        parts.append(unread.size() == 1
                         ? tr("The price list %1 could not be read at the last sync; its stored prices are compared")
                               .arg(unread.front())
                         : tr("%n price lists could not be read at the last sync; their stored prices are compared",
                              nullptr, static_cast<int>(unread.size())));
    if (!unstored.isEmpty())
        parts.append(unstored.size() == 1
                         ? tr("No price of the price list %1 is stored yet").arg(unstored.front())
                         : tr("%n price lists have no stored prices yet", nullptr, static_cast<int>(unstored.size())));
    if (!ahead.isEmpty())
        parts.append(
            ahead.size() == 1
                ? tr("The time of the price list %1 lies in the future: the clock of this computer is behind, or it was"
                     " ahead at the last sync, which the next one corrects")
                      .arg(ahead.front())
                : tr("The times of %n price lists lie in the future: the clock of this computer is behind, or it was"
                     " ahead at the last sync, which the next one corrects",
                     nullptr, static_cast<int>(ahead.size())));
    return parts.join(QStringLiteral(". "));
}

QStringList CompareViewModel::ownedLines() const
{
    QStringList lines;
    for (const services::OwnedCost &one : prices() ? prices()->owned : std::vector<services::OwnedCost>())
        lines.append(OwnedText::line(one));
    return lines;
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
