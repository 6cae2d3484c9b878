// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/gpucatalog.h"
#include "app/ledger/rates/expectedrates.h"
#include "app/savings/assumptions/assumedrules.h"
#include "app/savings/commitments/commitmentcurve.h"
#include "app/savings/commitments/remainingdemand.h"
#include "app/services/commitments/toldends.h"
#include "app/services/engine/engine.h"
#include "app/services/prices/billedcommitments.h"
#include "app/services/prices/ownoffers.h"
#include "app/services/savings/savingsengines.h"
#include "resources/resources.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using base::Day;
using base::GpuTime;
using base::Result;
using savings::CommitmentDemand;
using savings::CommitmentOffer;
using savings::RemarkText;

namespace {

constexpr std::int64_t kHoursOfDay = 24;
constexpr base::Seconds kOneHour{3600};
constexpr int kEndedAfterDays = 3; // without a line of the commitment

base::Money perMonthOf(std::int64_t nanos, std::size_t days, base::Currency currency)
{
    __extension__ using Wide128 = __int128;
    const Wide128 month = days == 0
        ? 0
        : static_cast<Wide128>(nanos) * savings::kHoursPerMonth / (static_cast<std::int64_t>(days) * kHoursOfDay);
    constexpr Wide128 kFits = std::int64_t{1} << 62;
    return {static_cast<std::int64_t>(std::clamp<Wide128>(month, -kFits, kFits)), currency};
}

// nano-units per machine-hour; 0: unknown.
std::int64_t ratePerHour(std::int64_t nanos, std::int64_t ticks)
{
    __extension__ using Wide128 = __int128;
    const Wide128 rate = ticks > 0 ? static_cast<Wide128>(nanos) * 3600 * GpuTime::kTicksPerSecond / ticks : Wide128{0};
    return rate > 0 && rate < std::int64_t{1} << 62 ? static_cast<std::int64_t>(rate) : 0;
}

// What the pure engine is asked, from the bills and, for clouds without any, from the nodes that telemetry saw.
class CommitmentQuestion {
public:
    CommitmentQuestion(const Setup &setup, const ledger::PriceBook &prices, const SavingsQuestion &question,
                       store::FactReader &facts, const std::stop_token &stop)
        : m_setup(setup)
        , m_prices(prices)
        , m_question(question)
        , m_facts(facts)
        , m_stop(stop)
        , m_own(question.own.get(), prices)
        , m_days{base::ceilTo(question.range.start, base::kDay), base::floorTo(question.range.end, base::kDay)}
    {
    }

    void setOwnLists(ListedPrices lists) { m_own.setConfigured(std::move(lists), lastDay()); } // before take()

    Result<savings::CommitmentInput> take()
    {
        m_input.until = m_days.end;
        m_input.from = m_days.start;
        if (m_days.empty())
            return std::move(m_input);
        GPULEDGER_TRY(readNodes());
        m_bills.emplace(m_prices, m_machines);
        GPULEDGER_TRY(m_bills->read(base::dayOf(m_days.start), lastDay(), m_facts, m_stop));
        for (const auto &[key, type] : m_bills->types()) {
            if (type.ticks > 0 || type.linesWithoutTime > 0)
                addBilled(key, type);
        }
        GPULEDGER_TRY(addExisting());
        GPULEDGER_TRY(addUnbilled());
        return std::move(m_input);
    }

    std::vector<savings::Remark> warnings() const { return m_own.warnings(); } // after take()

private:
    using TypeKey = BilledCommitments::TypeKey;
    using Type = BilledCommitments::Type;

    Day lastDay() const { return base::dayOf(m_days.end - base::Seconds{1}); }

    Result<void> readNodes()
    {
        auto nodes = m_facts.nodes();
        GPULEDGER_TRY(nodes);
        m_nodes = std::move(*nodes);
        for (const model::Node &node : m_nodes) {
            m_machines.emplace_back().node = &node;
            m_machines.back().cluster = node.cluster;
        }
        return m_facts.eachPlacement(m_days, [&](const store::Placement &one) -> Result<void> {
            m_devicesOf[one.node].insert(one.device);
            return {};
        });
    }

    // Of devices: the row ids of the facts.
    void addResources(const model::Node &node, std::vector<std::string> &out) const
    {
        const auto found = m_devicesOf.find(node.id);
        if (found == m_devicesOf.end())
            return;
        for (const base::DeviceId device : found->second)
            out.push_back(std::to_string(device.value));
    }

    // The price book's price of a machine of this type; in the list view, this is what counts.
    std::optional<ledger::PriceBook::Price> listPrice(const std::string &cloud, const std::string &type,
                                                      const std::string &region) const
    {
        const auto *machine = m_prices.machine(type);
        model::Node node;
        node.cloud = cloud;
        node.instanceType = machine ? machine->instanceType : type;
        node.region = region;
        node.gpuCapacity = machine ? machine->devices : 0;
        model::Device device;
        device.model = machine ? machine->gpuModel : std::string();
        auto price = machine ? m_prices.priceOf(device, &node, m_days.end) : std::nullopt;
        std::int64_t whole = 0;
        if (!price || __builtin_mul_overflow(price->perGpuHour.nanosPerHour(), machine->devices, &whole))
            return std::nullopt;
        price->perGpuHour = base::Rate(whole, price->perGpuHour.currency());
        return price;
    }

    void setRate(const TypeKey &key, const Type &type, CommitmentDemand &out) const
    {
        if (m_question.cost == model::CostView::List) {
            out.onDemand = base::Rate(0, key.currency);
            const auto price = listPrice(key.cloud, type.instanceType, key.region);
            if (price && price->perGpuHour.currency() == key.currency) {
                out.onDemand = price->perGpuHour;
                out.onDemandSource = savings::priceSourceTerm(price->source);
            }
            return;
        }
        const bool billed = m_question.cost == model::CostView::Billed;
        out.onDemand = base::Rate(ratePerHour(billed ? type.billed : type.effective, type.ticks), key.currency);
        out.onDemandSource = savings::remarkTerm({RemarkText::MeanOfBills, {}});
    }

    // A day's hours of a bill are spread evenly: bills are kept by day.
    std::vector<std::optional<GpuTime>> hoursOf(const std::set<Day> &known, const Type &type) const
    {
        std::vector<std::optional<GpuTime>> hours;
        for (Day day = base::dayOf(m_days.start); day <= lastDay(); ++day.number) {
            const auto found = type.onDemand.find(day);
            const std::int64_t ticks = found == type.onDemand.end() ? 0 : found->second;
            hours.insert(hours.end(), static_cast<std::size_t>(kHoursOfDay),
                         known.contains(day) ? std::optional(GpuTime{ticks / kHoursOfDay}) : std::nullopt);
        }
        return hours;
    }

    // Those that the bills show for the same type. No list of a cloud has committed prices; the user's offers come
    // after these.
    std::vector<CommitmentOffer> offersFor(const TypeKey &key) const
    {
        std::vector<CommitmentOffer> offers;
        if (m_question.cost == model::CostView::List)
            return offers;
        for (const auto &[other, type] : m_bills->types()) {
            if (other.cloud != key.cloud || other.instanceType != key.instanceType || other.region != key.region
                || other.currency != key.currency)
                continue;
            for (const auto &[id, covered] : type.covered) {
                const auto found = m_bills->commitments().find({id, other.currency});
                const std::int64_t rate = ratePerHour(covered.cost, covered.ticks);
                if (found == m_bills->commitments().end() || rate <= 0)
                    continue;
                const BilledCommitments::Commitment &like = found->second;
                const std::string &name = like.name.empty() ? id : like.name;
                offers.push_back({like.type,
                                  like.termMonths,
                                  {},
                                  base::Rate(rate, key.currency),
                                  like.whole,
                                  savings::Remark{RemarkText::AsBilled,
                                                  {savings::textTerm(name), savings::dayTerm(like.last.start())}}});
            }
        }
        return offers;
    }

    void addBilled(const TypeKey &key, const Type &type)
    {
        const std::set<Day> &known = m_bills->days().at({key.cloud, key.account});
        CommitmentDemand demand;
        demand.cloud = key.cloud;
        demand.account = key.account;
        demand.instanceType = type.instanceType;
        demand.region = key.region;
        setRate(key, type, demand);
        demand.hours = hoursOf(known, type);
        demand.coveredCost = base::Money(0, key.currency);
        for (const auto &[id, covered] : type.covered) {
            demand.covered += GpuTime{covered.ticks};
            if (const auto sum = demand.coveredCost.plus(base::Money(covered.cost, key.currency)))
                demand.coveredCost = *sum;
        }
        std::int64_t unused = 0;
        for (const auto &[id, one] : m_bills->commitments()) {
            if (one.cloud == key.cloud && one.account == key.account && id.second == key.currency)
                std::ignore = store::addAmount(unused, one.unused); // keeps what fits: only a hint
        }
        demand.unusedPerMonth = perMonthOf(unused, known.size(), key.currency);
        demand.offers = offersFor(key);
        const bool isAsBilled = !demand.offers.empty();
        const bool isOwn = m_own.addTo(demand);
        if (m_question.cost == model::CostView::List)
            demand.whyNoOffers = savings::Remark{RemarkText::ListHasNoCommitted, {}};
        demand.assumptions = {{"hours-within-a-day", "even"}, {"days-of-bills", std::to_string(known.size())}};
        if (isAsBilled || isOwn)
            demand.assumptions.push_back({"committed-price",
                                          !isOwn           ? "as existing commitments"
                                              : isAsBilled ? "as existing commitments or own offers"
                                                           : "own offers"});
        if (type.linesWithoutTime > 0)
            demand.risks.push_back({RemarkText::LinesWithoutHours,
                                    {savings::countTerm(static_cast<std::int64_t>(type.linesWithoutTime))}});
        for (const std::size_t node : nodesOf(key, type))
            addResources(m_nodes[node], demand.resources);
        if (demand.resources.empty()) // telemetry has none of the machines
            demand.resources = {"bill:" + key.cloud + '/' + key.account + '/' + key.region + '/' + key.instanceType};
        m_input.demand.push_back(std::move(demand));
    }

    // The nodes that the lines name. Where a line names none, all nodes that may be meant: no money counts twice.
    std::set<std::size_t> nodesOf(const TypeKey &key, const Type &type) const
    {
        std::set<std::size_t> own = type.nodes;
        for (std::size_t i = 0; type.unmatched > 0 && i < m_nodes.size(); ++i) {
            const model::Node &node = m_nodes[i];
            const bool near = node.region.empty() || key.region.empty() || ledger::lowerCase(node.region) == key.region;
            if (near && node.cloud == key.cloud && ledger::lowerCase(node.instanceType) == key.instanceType
                && !ledger::isSpotNode(node))
                own.insert(i);
        }
        return own;
    }

    // What a commitment covered, at on-demand prices: of the bills' own on-demand usage of the type, else as the line
    // states. std::nullopt if one of them is unknown.
    std::optional<base::Money> equivalentOf(const BilledCommitments::CommitmentKey &commitment) const
    {
        base::Money sum(0, commitment.second);
        bool any = false;
        for (const auto &[key, type] : m_bills->types()) {
            const auto covered = type.covered.find(commitment.first);
            if (covered == type.covered.end() || key.currency != commitment.second)
                continue;
            const std::int64_t own = ratePerHour(type.effective, type.ticks);
            const auto rate = own > 0 ? std::optional(base::Rate(own, key.currency)) : covered->second.listRate;
            const auto cost = rate ? rate->times(GpuTime{covered->second.ticks}) : Result<base::Money>(base::Money());
            if (!rate || !cost || type.linesWithoutTime > 0)
                return std::nullopt;
            const auto next = sum.plus(*cost);
            if (!next)
                return std::nullopt;
            sum = *next;
            any = true;
        }
        return any ? std::optional(sum) : std::nullopt;
    }

    Result<void> addExisting()
    {
        if (m_bills->commitments().empty())
            return {};
        const auto ends = m_bills->ends(lastDay(), m_facts, m_stop);
        GPULEDGER_TRY(ends);
        for (const auto &[key, one] : m_bills->commitments()) {
            const std::set<Day> &known = m_bills->days().at({one.cloud, one.account});
            savings::ExistingCommitment existing;
            existing.id = key.first;
            existing.name = one.name;
            existing.type = one.type;
            existing.used = base::Money(one.used, key.second);
            existing.unused = base::Money(one.unused, key.second);
            existing.onDemandEquivalent = equivalentOf(key);
            if (const auto end = ends->find(key.first); end != ends->end())
                existing.end = end->second.end();
            existing.days = static_cast<std::int64_t>(known.size());
            existing.ended = one.last.number + kEndedAfterDays <= known.rbegin()->number;
            m_input.existing.push_back(std::move(existing));
        }
        return {};
    }

    // Machines of clouds that no bill covers in the range: on demand, as far as the cost terms and labels say.
    Result<void> addUnbilled()
    {
        std::vector<model::PlacedDevice> placed;
        for (const model::Node &node : m_nodes) {
            if (!isUnbilled(node))
                continue;
            if (const auto found = m_devicesOf.find(node.id); found != m_devicesOf.end()) {
                for (const base::DeviceId device : found->second)
                    placed.push_back({device, node.cluster, node.name});
            }
        }
        if (placed.empty())
            return {};
        const auto terms = m_setup.ledger->costTerms(m_facts, placed, m_days.end);
        GPULEDGER_TRY(terms);
        const auto covered = m_facts.coveredRange();
        GPULEDGER_TRY(covered);
        const auto spans = m_facts.nodeSpans(m_days);
        GPULEDGER_TRY(spans);
        std::map<base::NodeId, std::vector<base::TimeRange>> spansOf;
        for (const store::NodeSpan &span : *spans)
            spansOf[span.node].push_back(span.range.intersect(m_days));
        std::map<TypeKey, CommitmentDemand> byType;
        for (const model::Node &node : m_nodes) {
            if (isUnbilled(node) && isRented(node, *terms))
                addNode(node, spansOf[node.id], *covered, byType);
        }
        for (auto &[key, demand] : byType) {
            if (m_own.addTo(demand))
                demand.assumptions.push_back({"committed-price", "own offers"});
            m_input.demand.push_back(std::move(demand));
        }
        return {};
    }

    bool isUnbilled(const model::Node &node) const
    {
        const auto &days = m_bills->days();
        return !node.cloud.empty() && !node.instanceType.empty() && !ledger::isSpotNode(node)
            && std::none_of(days.begin(), days.end(), [&](const auto &account) {
                   return account.first.first == node.cloud && !account.second.empty();
               });
    }

    bool isRented(const model::Node &node, const model::CostTerms &terms) const
    {
        const auto found = m_devicesOf.find(node.id);
        return found != m_devicesOf.end()
            && std::all_of(found->second.begin(), found->second.end(), [&](base::DeviceId device) {
                   const auto term = terms.find(device);
                   return term != terms.end() && term->second == model::Recovery::Now;
               });
    }

    void addNode(const model::Node &node, const std::vector<base::TimeRange> &spans, base::TimeRange covered,
                 std::map<TypeKey, CommitmentDemand> &byType) const
    {
        const TypeKey key{node.cloud, {}, ledger::lowerCase(node.instanceType), ledger::lowerCase(node.region), {}};
        const auto [it, isNew] = byType.try_emplace(key);
        CommitmentDemand &demand = it->second;
        if (isNew) {
            demand.cloud = node.cloud;
            demand.instanceType = node.instanceType;
            demand.region = node.region;
            if (const auto price = listPrice(node.cloud, node.instanceType, node.region)) {
                demand.onDemand = price->perGpuHour;
                demand.onDemandSource = savings::priceSourceTerm(price->source);
            }
            demand.assumptions = {{"purchase", "on-demand, as no bill covers these machines"}};
            for (base::UtcTime at = m_days.start; at < m_days.end; at += kOneHour)
                demand.hours.push_back(covered.contains(at) ? std::optional(GpuTime{}) : std::nullopt);
        }
        if (spans.empty()) { // it ran, as it has devices, but nothing says when
            std::fill(demand.hours.begin(), demand.hours.end(), std::nullopt);
            demand.risks.push_back({RemarkText::RunTimeUnknown, {savings::textTerm(node.name)}});
        }
        for (const base::TimeRange &span : spans) {
            if (span.empty())
                continue;
            for (base::UtcTime at = base::floorTo(span.start, kOneHour); at < span.end; at += kOneHour) {
                auto &hour = demand.hours[static_cast<std::size_t>((at - m_days.start) / kOneHour)];
                if (hour)
                    *hour += GpuTime::wholeDevice(span.intersect({at, at + kOneHour}).length());
            }
        }
        addResources(node, demand.resources);
    }

    const Setup &m_setup;
    const ledger::PriceBook &m_prices;
    const SavingsQuestion &m_question;
    store::FactReader &m_facts;
    const std::stop_token &m_stop;
    OwnOffers m_own;
    base::TimeRange m_days; // whole days of the question's range
    std::vector<model::Node> m_nodes;
    std::vector<ledger::NodeDay> m_machines; // parallel to the nodes
    std::map<base::NodeId, std::set<base::DeviceId>> m_devicesOf;
    std::optional<BilledCommitments> m_bills;
    savings::CommitmentInput m_input;
};

} // namespace

Result<SavingsReplay> commitmentReplay(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value_or(""));
    GPULEDGER_TRY(catalog);
    const auto prices = ledger::PriceBook::create(setup.settings.prices, setup.settings.currency,
                                                  resources::find("prices/instances.csv").value_or(""), *catalog);
    GPULEDGER_TRY(prices);
    auto facts = engine.cache().facts();
    GPULEDGER_TRY(facts);
    auto lists = ownListedPrices(setup.settings.prices, engine.cache().prices(), engine.clock().now());
    GPULEDGER_TRY(lists);
    CommitmentQuestion reader(setup, *prices, question, **facts, stop);
    reader.setOwnLists(std::move(*lists));
    auto input = reader.take();
    GPULEDGER_TRY(input);
    GPULEDGER_TRY(putToldEnds(engine.cache(), setup.settings.sources, input->existing));
    const auto read = std::make_shared<const savings::CommitmentInput>(std::move(*input));
    const auto assuming = [read](const savings::Assumptions &assumed) {
        savings::CommitmentInput asked = *read;
        savings::assumeDemand(asked, assumed);
        return asked;
    };
    return SavingsReplay{
        [assuming](const savings::Assumptions &assumed, const std::stop_token &) {
            return savings::proposeCommitments(assuming(assumed));
        },
        [assuming](const std::string &id, const savings::Assumptions &assumed, const std::stop_token &) {
            return savings::commitmentCurve(assuming(assumed), id);
        },
        [assuming](const std::string &id, const savings::Assumptions &assumed, const std::stop_token &) {
            return savings::commitmentBasis(assuming(assumed), id);
        },
        [read](std::span<const savings::FreedTime *const> freed, const savings::Assumptions &assumed) {
            savings::CommitmentInput asked = savings::remainingDemand(*read, freed);
            savings::assumeDemand(asked, assumed);
            return savings::proposeCommitments(asked);
        },
        reader.warnings()};
}

} // namespace gpuledger::services
