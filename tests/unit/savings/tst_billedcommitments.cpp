// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/time/gputime.h"
#include "app/services/prices/billedcommitments.h"
#include "app/services/prices/paidprices.h"
#include "resources/resources.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <list>
#include <map>
#include <string>
#include <vector>

namespace tst_billedcommitments {

using namespace gpuledger;
using base::Day;
using services::BilledCommitments;

namespace {

constexpr Day kFirst{20000};
constexpr std::int64_t kTicksOfDay = 86400 * base::GpuTime::kTicksPerSecond;

const ledger::PriceBook &prices()
{
    static const ledger::PriceBook kBook = [] {
        const auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
        return ledger::PriceBook::create({}, base::Currency::usd(), resources::find("prices/instances.csv").value(),
                                         catalog)
            .value();
    }();
    return kBook;
}

Day day(int number)
{
    return {kFirst.number + number};
}

// Facts that have bills and nothing else.
class Bills final : public store::FactReader {
public:
    // A machine's hours of one day, unless the caller changes the line.
    model::BillLine &add(int number, std::int64_t cost, std::optional<std::int64_t> hours)
    {
        model::BillLine &line = m_lines.emplace_back();
        line.billed = line.effective = base::Money(0, base::Currency::usd());
        line.billingAccountId = "1";
        line.billingPeriod = {kFirst.start(), day(30).start()};
        line.product.provider = "AWS";
        line.product.skuDetails["InstanceType"] = "p5.48xlarge";
        line.resource.id = "arn:aws:ec2:us-east-1:1:instance/i-1";
        line.resource.regionId = "us-east-1";
        line.consumedQuantity.unit = line.pricingQuantity.unit = "Hours";
        line.pricing = model::PricingCategory::Standard;
        store::BilledItem item;
        item.id = static_cast<std::int64_t>(m_lines.size());
        item.line = &line;
        item.billed = item.effective = cost;
        if (hours)
            item.quantity = *hours * 1'000'000;
        item.covers = true;
        m_days[day(number)].push_back(item);
        return line;
    }
    void commit(model::BillLine &line, model::UseStatus status)
    {
        line.pricing = model::PricingCategory::Committed;
        line.commitment.id = "plan";
        line.commitment.type = "Compute Savings Plan";
        line.commitment.status = status;
    }

    base::Result<std::vector<model::Node>> nodes() override { return std::vector<model::Node>{}; }
    base::Result<std::vector<model::Device>> devices() override { return std::vector<model::Device>{}; }
    base::Result<std::vector<model::Subject>> subjects() override { return std::vector<model::Subject>{}; }
    base::Result<std::vector<model::Holder>> holders(base::TimeRange) override { return std::vector<model::Holder>{}; }
    base::Result<std::vector<store::HolderSpan>> holderSpans(base::TimeRange) override
    {
        return std::vector<store::HolderSpan>{};
    }
    base::Result<std::vector<std::string>> clustersWithHolders() override { return std::vector<std::string>{}; }
    base::Result<std::vector<store::NodeSpan>> nodeSpans(base::TimeRange) override
    {
        return std::vector<store::NodeSpan>{};
    }
    base::Result<std::vector<store::Placement>> placements(base::TimeRange) override
    {
        return std::vector<store::Placement>{};
    }
    base::Result<void> deviceDays(Day, Day, std::span<const base::DeviceId>, const DayVisitor &) override { return {}; }
    base::Result<base::TimeRange> coveredRange() override { return base::TimeRange{}; }
    base::Result<void> billedOn(Day asked, const store::BilledVisitor &visit) override
    {
        const auto found = m_days.find(asked);
        if (found == m_days.end())
            return {};
        for (const store::BilledItem &item : found->second)
            GPULEDGER_TRY(visit(item));
        return {};
    }

private:
    std::list<model::BillLine> m_lines;
    std::map<Day, std::vector<store::BilledItem>> m_days;
};

} // namespace

class BilledCommitmentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsOnDemandFromTheRest()
    {
        Bills bills;
        for (int i = 0; i < 5; ++i) {
            bills.add(i, 100, 24);
            bills.add(i, 40, 24).pricing = model::PricingCategory::Dynamic;
            bills.add(i, 100, std::nullopt);
            bills.commit(bills.add(i, 60, 48), model::UseStatus::Used);
            model::BillLine &rest = bills.add(i, 7, std::nullopt);
            bills.commit(rest, model::UseStatus::Unused);
            model::BillLine &guess = bills.add(i, 100, 24); // doesn't say how it is priced
            guess.pricing = model::PricingCategory::Unknown;
            guess.description = i % 2 == 0 ? "p5.48xlarge" : "p5.48xlarge, Spot";
            bills.add(i, -5, 24).chargeClass = model::ChargeClass::Correction;
            bills.add(i, 1, 24).product.skuDetails["InstanceType"] = "m5.large"; // no GPUs
        }
        const std::vector<ledger::NodeDay> none;
        BilledCommitments billed(prices(), none);
        QVERIFY(billed.read(kFirst, day(9), bills, {}).has_value());
        // The newest two of five days may still change.
        QCOMPARE(billed.days().begin()->second.size(), std::size_t{3});
        QCOMPARE(billed.types().size(), std::size_t{1});
        const auto &[key, type] = *billed.types().begin();
        QCOMPARE(key.account, std::string("1"));
        QCOMPARE(key.region, std::string("us-east-1"));
        QCOMPARE(type.instanceType, std::string("p5.48xlarge"));
        QCOMPARE(type.ticks, 5 * kTicksOfDay); // one machine, and on two of the days another
        QCOMPARE(type.effective, std::int64_t{500});
        QCOMPARE(type.onDemand.at(day(0)), 2 * kTicksOfDay);
        QCOMPARE(type.onDemand.at(day(1)), kTicksOfDay);
        QCOMPARE(type.linesWithoutTime, std::uint64_t{3});
        QCOMPARE(type.unmatched, std::uint64_t{5}); // telemetry has no node
        QCOMPARE(type.covered.at("plan").ticks, 6 * kTicksOfDay);
        QCOMPARE(type.covered.at("plan").cost, std::int64_t{180});
        const auto &plan = billed.commitments().at({"plan", base::Currency::usd()});
        QCOMPARE(plan.used, std::int64_t{180});
        QCOMPARE(plan.unused, std::int64_t{21});
        QVERIFY(plan.last == day(2));
        QVERIFY(!plan.whole);
    }

    // Google Cloud bills processors, memory and GPUs apart: hours of GPUs are no hours of machines.
    void partsOfASpotMachineAreNoPrice()
    {
        Bills bills;
        for (int i = 0; i < 5; ++i) {
            bills.add(i, 100, 24).pricing = model::PricingCategory::Dynamic;
            model::BillLine &part = bills.add(i, 30, 8 * 24);
            part.pricing = model::PricingCategory::Dynamic;
            part.product.provider = "Google Cloud";
            part.product.skuDetails["InstanceType"] = "a2-highgpu-8g";
            part.description = "Nvidia Tesla A100 GPU attached to Spot Preemptible VMs";
            part.resource.regionId = "us-central1";
        }
        const std::vector<ledger::NodeDay> none;
        BilledCommitments billed(prices(), none);
        QVERIFY(billed.read(kFirst, day(9), bills, {}).has_value());
        QCOMPARE(billed.days().size(), std::size_t{2}); // both clouds were read
        QCOMPARE(billed.spot().size(), std::size_t{1});
        QCOMPARE(billed.spot().begin()->first.cloud, std::string("aws"));
        QCOMPARE(billed.spot().begin()->second.at(day(0)).ticks, kTicksOfDay);
    }

    // For `compare`: cost / time of what the bills name, on demand and under a commitment apart.
    void tellsWhatAMachineHourCost()
    {
        using savings::PurchaseOption;
        constexpr std::int64_t kUnit = base::Money::kNanosPerUnit;
        Bills bills;
        for (int i = 0; i < 5; ++i) {
            bills.add(i, 24 * 55 * kUnit, 24);
            model::BillLine &other = bills.add(i, 24 * 65 * kUnit, 24); // of another account, in the same region
            other.billingAccountId = "2";
            bills.add(i, 0, 24).product.skuDetails["InstanceType"] = "g6.xlarge"; // for nothing
            bills.commit(bills.add(i, 24 * 30 * kUnit, 24), model::UseStatus::Used);
        }
        const std::vector<ledger::NodeDay> none;
        BilledCommitments billed(prices(), none);
        QVERIFY(billed.read(kFirst, day(9), bills, {}).has_value());
        const auto lists = services::priceLists().value();
        const auto paid = services::paidPrices(billed, prices(), lists.catalog, model::CostView::Effective).value();
        QCOMPARE(paid.quotes.size(), std::size_t{2});
        const savings::PriceQuote &onDemand = paid.quotes[0], &committed = paid.quotes[1];
        QVERIFY(onDemand.purchase == PurchaseOption::OnDemand && committed.purchase == PurchaseOption::Commitment);
        QCOMPARE(onDemand.perHour, base::Money(60 * kUnit, base::Currency::usd()));
        QCOMPARE(committed.perHour, base::Money(30 * kUnit, base::Currency::usd()));
        QCOMPARE(perGpuHour(onDemand)->nanos(), 7 * kUnit + kUnit / 2);
        QCOMPARE(onDemand.provider, std::string("aws"));
        QCOMPARE(onDemand.machine, std::string("p5.48xlarge"));
        QCOMPARE(onDemand.region, std::string("us-east-1"));
        QCOMPARE(onDemand.gpu.model, std::string("H100 SXM"));
        QVERIFY(onDemand.seen == day(2)); // the newest two days may still change
        QCOMPARE(paid.leftOut.at(savings::LeftOut::NoPrice), std::size_t{1});
        const auto invoiced = services::paidPrices(billed, prices(), lists.catalog, model::CostView::Billed).value();
        QCOMPARE(invoiced.quotes.size(), std::size_t{1}); // time under a commitment has no price of its own there
        QVERIFY(services::paidPrices(billed, prices(), lists.catalog, model::CostView::List)->quotes.empty());
    }

    // The price book rounds them to thousandths.
    void partsOfAGpuAreExact()
    {
        constexpr std::int64_t kUnit = base::Money::kNanosPerUnit;
        Bills bills;
        for (int i = 0; i < 5; ++i) {
            bills.add(i, 24 * kUnit, 24).product.skuDetails["InstanceType"] = "Standard_NV12ads_A10_v5";
            bills.add(i, 24 * kUnit, 24).product.skuDetails["InstanceType"] = "Standard_NV6ads_A10_v5";
            bills.add(i, 24 * kUnit, 24).product.skuDetails["InstanceType"] = "g6f.large";
            bills.add(i, 24 * kUnit, 24).product.skuDetails["InstanceType"] = "Standard_NV18ads_A10_v5"; // no memory
        }
        const std::vector<ledger::NodeDay> none;
        BilledCommitments billed(prices(), none);
        QVERIFY(billed.read(kFirst, day(9), bills, {}).has_value());
        const auto lists = services::priceLists().value();
        const auto paid = services::paidPrices(billed, prices(), lists.catalog, model::CostView::Effective).value();
        std::map<std::string, std::int64_t> gpus;
        for (const savings::PriceQuote &quote : paid.quotes)
            gpus[quote.machine] = quote.microGpus;
        QVERIFY((gpus
                 == std::map<std::string, std::int64_t>{{"Standard_NV12ads_A10_v5", 333'333},
                                                        {"Standard_NV6ads_A10_v5", 166'667},
                                                        {"g6f.large", 125'000}}));
        QCOMPARE(paid.leftOut.at(savings::LeftOut::UnknownType), std::size_t{1});
        QVERIFY(leftOutText(savings::LeftOut::UnknownType, 1).find("number of GPUs") != std::string::npos);
    }

    void endIsTheLastDayOfAFeePaidOnce()
    {
        Bills bills;
        for (int i = 0; i < 5; ++i)
            bills.commit(bills.add(i, 60, 24), model::UseStatus::Used);
        const auto fee = [&](int from, int to, model::ChargeFrequency frequency) {
            for (int i = from; i < to; ++i) {
                model::BillLine &line = bills.add(i, 0, std::nullopt);
                bills.commit(line, model::UseStatus::Unknown);
                line.category = model::ChargeCategory::Purchase;
                line.frequency = frequency;
            }
        };
        const std::vector<ledger::NodeDay> none;
        BilledCommitments billed(prices(), none);
        QVERIFY(billed.read(kFirst, day(9), bills, {}).has_value());
        fee(0, 200, model::ChargeFrequency::Recurring); // a month's fee ends with the month, the commitment doesn't
        QVERIFY(billed.ends(day(9), bills, {})->empty());
        fee(0, 30, model::ChargeFrequency::OneTime); // not beyond the month of the bill
        QVERIFY(billed.ends(day(9), bills, {})->empty());
        fee(30, 300, model::ChargeFrequency::OneTime);
        const auto ends = billed.ends(day(9), bills, {}).value();
        QCOMPARE(ends.size(), std::size_t{1});
        QVERIFY(ends.at("plan") == day(299));
    }

    void readsPricesOfLinesAndStops()
    {
        Bills bills;
        for (int i = 0; i < 4; ++i) {
            model::BillLine &line = bills.add(i, 60, 24);
            bills.commit(line, model::UseStatus::Used);
            line.commitment.category = model::CommitmentCategory::Usage;
            line.product.listUnitPrice = base::Decimal::parse("2").value();
            line.pricingQuantity.unit = "Minutes";
            line.extra.push_back({"x_SkuTerm", "36"});
        }
        const std::vector<ledger::NodeDay> none;
        BilledCommitments billed(prices(), none);
        QVERIFY(billed.read(kFirst, day(9), bills, {}).has_value());
        const auto &covered = billed.types().begin()->second.covered.at("plan");
        QCOMPARE(covered.listRate->nanosPerHour(), 120 * base::Money::kNanosPerUnit);
        const auto &plan = billed.commitments().begin()->second;
        QCOMPARE(plan.termMonths, std::int64_t(36));
        QVERIFY(plan.whole);
        std::stop_source stop;
        stop.request_stop();
        BilledCommitments stopped(prices(), none);
        QVERIFY(stopped.read(kFirst, day(9), bills, stop.get_token()).error().code == base::ErrorCode::Cancelled);
    }
};

GPULEDGER_SUITE(BilledCommitmentsTest)

} // namespace tst_billedcommitments

#include "tst_billedcommitments.moc"
