// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/spend/spendservice.h"

#include "app/reports/statement/splitlens.h"
#include "app/services/commitments/cloudcommitments.h"
#include "app/services/prices/listedprices.h"
#include "app/services/prices/ownedhardware.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/sourceprices.h"
#include "app/services/spend/claimedsavings.h"
#include "app/services/spend/cloudbudgets.h"
#include "app/services/spend/doublecounts.h"
#include "app/services/spend/ledgeranswers.h"
#include "app/services/spend/plannedmachines.h"
#include "app/services/spend/spenddays.h"
#include "resources/resources.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <tuple>

namespace gpuledger::services {

using base::Result;

namespace {

constexpr base::Seconds kPaidPast{28 * 86400}, kSeenPast{7 * 86400};

// By offer, then by time; prices of one reading stay in their order.
void sortHistory(std::vector<ListedPrice> &all)
{
    const auto key = [](const ListedPrice &one) {
        const savings::PriceQuote &q = one.quote;
        return std::tuple(std::tie(q.provider, q.machine, q.gpuName), q.microGpus,
                          std::tie(q.region, q.zone, one.list, q.source), q.purchase, q.termMonths, q.payment,
                          q.perHour.currency(), one.from);
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const ListedPrice &a, const ListedPrice &b) { return key(a) < key(b); });
}

// Selects at least what the filter matches.
store::PriceQuestion storeQuestion(const savings::QuoteFilter &filter, const std::optional<base::TimeRange> &range)
{
    store::PriceQuestion question;
    question.providers = filter.providers;
    question.regions = filter.regions;
    for (const savings::PurchaseOption purchase : filter.purchases)
        question.purchases.emplace_back(toString(purchase));
    if (filter.gpus)
        question.microGpus = *filter.gpus * savings::kMicroOfGpu;
    if (!filter.gpuModel.empty())
        question.wantsGpu = [wanted = filter.gpuModel](const std::string &gpu, const std::string &model) {
            return savings::isVariantOf(gpu, wanted) || (!model.empty() && savings::isVariantOf(model, wanted));
        };
    question.range = range;
    return question;
}

} // namespace

Result<base::TimeRange> paidDays(Engine &engine, const std::optional<base::TimeRange> &asked, store::FactReader &facts)
{
    const auto covered = facts.coveredRange();
    GPULEDGER_TRY(covered);
    const base::UtcTime end = base::floorTo(covered->empty() ? engine.clock().now() : covered->end, base::kDay);
    const base::TimeRange wanted = asked.value_or(base::TimeRange{end - kPaidPast, end});
    return base::TimeRange{base::ceilTo(wanted.start, base::kDay), base::floorTo(wanted.end, base::kDay)};
}

Result<ClaimsAnswer> SpendService::claims(reports::CostView view, const std::stop_token &stop)
{
    return claimedSavings(m_engine, view, stop);
}

Result<BudgetsAnswer> SpendService::budgets(reports::CostView view, const std::stop_token &stop) const
{
    return cloudBudgets(m_engine, view, stop);
}

Result<CommitmentsAnswer> SpendService::commitments(const std::stop_token &stop) const
{
    return cloudCommitments(m_engine, stop);
}

Result<PlannedAnswer> SpendService::planned(reports::CostView view, const std::stop_token &stop)
{
    return plannedMachines(m_engine, view, stop);
}

Result<insight::LedgerAnswer> SpendService::ledger(const insight::LedgerQuery &query)
{
    if (query.range.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "the range of days is empty");
    return ofOneState(m_engine.cache(), [&] { return ledgerOf(m_engine.cache(), m_engine.setup(), query); });
}

Result<reports::SplitLens> SpendService::splitLens(const insight::Month &month, reports::CostView view)
{
    std::vector<insight::LedgerQuery> queries;
    for (const model::SplitPolicy policy : reports::kSplitPolicies)
        queries.push_back(reports::lensQuery(month, policy));
    return ofOneState(m_engine.cache(), [&]() -> Result<reports::SplitLens> {
        auto answers = ledgersOf(m_engine.cache(), m_engine.setup(), queries);
        GPULEDGER_TRY(answers);
        std::array<insight::LedgerAnswer, reports::kSplitPolicies.size()> byPolicy;
        std::move(answers->begin(), answers->end(), byPolicy.begin());
        return reports::makeSplitLens(month, view, byPolicy);
    });
}

Result<insight::Reconciliation> SpendService::reconcile(const insight::Month &month)
{
    return ofOneState(m_engine.cache(), [&]() -> Result<insight::Reconciliation> {
        auto answer = reconciliationOf(m_engine.cache(), m_engine.setup().settings.currency, month);
        GPULEDGER_TRY(answer);
        if (!answer->hasUnknownTypes())
            return answer;
        auto types = unknownTypesOf(m_engine.cache(), m_engine.setup(), month);
        GPULEDGER_TRY(types);
        answer->unknownTypes = std::move(*types);
        return answer;
    });
}

Result<std::vector<insight::CountedTwice>> SpendService::countedTwice(const std::optional<insight::Month> &month)
{
    return countedTwiceIn(m_engine.cache(), m_engine.setup(), m_engine.catalog(), month);
}

Result<savings::QuoteList> SpendService::paidPrices(std::optional<base::TimeRange> range, reports::CostView view,
                                                    const std::stop_token &stop)
{
    const model::Settings &settings = m_engine.setup().settings;
    const auto lists = priceLists();
    GPULEDGER_TRY(lists);
    const auto prices = ledger::PriceBook::create(settings.prices, settings.currency,
                                                  resources::find("prices/instances.csv").value_or(""), lists->catalog);
    GPULEDGER_TRY(prices);
    return ofOneState(m_engine.cache(), [&]() -> Result<savings::QuoteList> {
        const auto facts = m_engine.cache().facts();
        GPULEDGER_TRY(facts);
        const auto days = paidDays(m_engine, range, **facts);
        GPULEDGER_TRY(days);
        if (days->empty())
            return savings::QuoteList();
        const std::vector<ledger::NodeDay> noNodes; // which node a line is for does not matter here
        BilledCommitments bills(*prices, noNodes);
        GPULEDGER_TRY(bills.read(base::dayOf(days->start), base::dayOf(days->end - base::Seconds{1}), **facts, stop));
        return services::paidPrices(bills, *prices, lists->catalog, view);
    });
}

Result<ListedPrices> SpendService::listedPrices()
{
    const model::Settings &settings = m_engine.setup().settings;
    std::vector<std::string> ofSources;
    for (const model::SourceSettings &source : settings.sources) {
        if (!source.mayRead || !m_engine.kindOf(source).tellsPrices())
            continue;
        const auto prices = m_engine.catalog().createPrices(source, m_engine.secrets(), m_engine.clock());
        for (const std::string &list : prices ? (*prices)->lists() : std::vector<std::string>())
            ofSources.push_back(sourceListName(source.name, list));
    }
    return services::listedPrices(settings.prices, ofSources, m_engine.cache().prices(), m_engine.clock().now());
}

Result<std::vector<ListedPrice>> SpendService::priceHistory(const savings::QuoteFilter &filter,
                                                            const std::optional<base::TimeRange> &range)
{
    const auto stored = m_engine.cache().prices().history(storeQuestion(filter, range));
    GPULEDGER_TRY(stored);
    std::vector<ListedPrice> out;
    for (const store::StoredPrice &one : *stored) {
        ListedPrice listed = listedPrice(one);
        if (filter.matches(listed.quote))
            out.push_back(std::move(listed));
    }
    sortHistory(out);
    return out;
}

Result<std::vector<std::set<std::string>>> SpendService::ownedModels()
{
    const std::vector<model::OwnedMachine> &machines = m_engine.setup().settings.prices.owned;
    if (machines.empty())
        return std::vector<std::set<std::string>>();
    const auto lists = priceLists();
    GPULEDGER_TRY(lists);
    return ofOneState(m_engine.cache(), [&]() -> Result<std::vector<std::set<std::string>>> {
        const auto facts = m_engine.cache().facts();
        GPULEDGER_TRY(facts);
        const auto covered = (*facts)->coveredRange();
        GPULEDGER_TRY(covered);
        const auto nodes = (*facts)->nodes();
        GPULEDGER_TRY(nodes);
        const auto devices = (*facts)->devices();
        GPULEDGER_TRY(devices);
        const auto placements = (*facts)->placements({covered->end - kSeenPast, covered->end});
        GPULEDGER_TRY(placements);
        return services::ownedModels(machines, *nodes, *devices, *placements, lists->catalog);
    });
}

} // namespace gpuledger::services
