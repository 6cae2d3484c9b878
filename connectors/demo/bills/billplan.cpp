// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/bills/billplan.h"

#include "app/base/text/text.h"
#include "connectors/demo/fleet/demorandom.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace gpuledger::demo {

namespace {

using base::Decimal;
using base::Money;
using model::BillLine;
using model::ChargeCategory;

constexpr std::int64_t kHours = 24;
constexpr std::int64_t kPerMille = 1000;
constexpr std::int64_t kContracted = 920; // of the list price, in thousandths: the negotiated price
constexpr std::int64_t kCommitted = 620; // of the list price under the commitment
constexpr std::int64_t kOvercommitted = 1040; // of the running capacity: the commitment is slightly too large
constexpr std::int64_t kLocalDisks = 1130; // of the list price of a2 machines, whose local disks are billed with them
constexpr std::int64_t kSupport = 30, kTax = 60; // of the month's usage; of its support
constexpr double kSpotLow = 0.36, kSpotHigh = 0.52;
constexpr std::int64_t kSpotPeriod = 9; // days over which the spot price varies
constexpr int kContractBegan = 9; // months before telemetry in which the negotiated prices began
constexpr std::int64_t kGrowth = 28; // by how many thousandths less than a month later was stored and sent

// Hourly on-demand prices from resources/prices/instances.csv, which names their sources.
struct ListPrice {
    std::string_view instanceType;
    std::int64_t nanosPerHour;
};
constexpr std::array<ListPrice, 8> kListPrices{{{"p5.48xlarge", 55'040'000'000},
                                                {"p4d.24xlarge", 21'957'642'000},
                                                {"a2-highgpu-8g", 29'387'080'000},
                                                {"g5.12xlarge", 5'672'000'000},
                                                {"g2-standard-96", 8'003'330'000},
                                                {"g2-standard-48", 4'001'665'000},
                                                {"a2-highgpu-4g", 14'693'540'000},
                                                {"a2-highgpu-1g", 3'673'385'000}}};

constexpr std::string_view kAwsAccount = "111122223333", kGcpAccount = "01AB23-CD45EF-678901";
constexpr std::string_view kPlan =
    "arn:aws:savingsplans::111122223333:savingsplan/2b7e1516-28ae-4d2a-a6ab-f7158809cf4f";

// A charge other than GPU machines that is about the same every day.
struct DailyCharge {
    BillingCloud cloud;
    std::string_view resource, name, category, service, meter, unit, region, team;
    std::int64_t cents; // per day, approximate
    bool machine = false; // charged by the hour
};
constexpr BillingCloud kAws = BillingCloud::Aws, kGcp = BillingCloud::Gcp;
constexpr std::array<DailyCharge, 13> kDaily{{
    {kAws, "arn:aws:fsx:us-east-1:111122223333:file-system/fs-0123456789abcdef0", "scratch", "Storage", "Amazon FSx",
     "Lustre storage", "GB-Mo", "us-east-1", "llm-platform", 41'230},
    {kAws, "arn:aws:s3:::training-datasets", "training-datasets", "Storage", "Amazon Simple Storage Service",
     "TimedStorage-ByteHrs", "GB-Mo", "us-east-1", "vision", 12'675},
    {kAws, "arn:aws:ec2:us-east-1:111122223333:volume/vol-0aa11bb22cc33dd44", "checkpoints", "Storage",
     "Amazon Elastic Block Store", "VolumeUsage.gp3", "GB-Mo", "us-east-1", "robotics", 7'418},
    {kAws, "arn:aws:ec2:us-east-1:111122223333:natgateway/nat-0f1e2d3c4b5a69788", "nat-prod", "Networking",
     "Amazon Virtual Private Cloud", "NatGateway-Bytes", "GB", "us-east-1", "", 9'304},
    {kAws, "arn:aws:elasticloadbalancing:us-east-1:111122223333:loadbalancer/app/old-api/50dc6c495c0c9188", "old-api",
     "Networking", "Elastic Load Balancing", "idle load balancer, no targets", "GB", "us-east-1", "", 118},
    {kAws, "", "", "AI and Machine Learning", "Amazon Bedrock", "InputTokens", "1K tokens", "us-east-1", "research",
     8'860},
    {kAws, "arn:aws:eks:us-east-1:111122223333:cluster/prod-us", "prod-us", "Containers", "Amazon EKS",
     "AmazonEKS-Hours:perCluster", "Hours", "us-east-1", "", 240, true},
    {kAws, "arn:aws:ec2:us-east-1:111122223333:instance/i-0c0ffee0c0ffee000", "build-runner", "Compute",
     "Amazon Elastic Compute Cloud", "BoxUsage:m6i.8xlarge", "Hours", "us-east-1", "", 3'686, true},
    // No telemetry is collected from it.
    {kAws, "arn:aws:ec2:us-east-1:111122223333:instance/i-0dead10cc0dead10c", "summer-intern-box", "Compute",
     "Amazon Elastic Compute Cloud", "BoxUsage:g5.12xlarge", "Hours", "us-east-1", "vision", 13'613, true},
    {kGcp, "//storage.googleapis.com/projects/_/buckets/model-weights", "model-weights", "Storage", "Cloud Storage",
     "Standard Storage US Multi-region", "GB-Mo", "us-central1", "ads-ranking", 5'220},
    {kGcp, "//compute.googleapis.com/projects/ml-serving/zones/us-central1-a/disks/serving-cache", "serving-cache",
     "Storage", "Compute Engine", "SSD backed PD Capacity", "GB-Mo", "us-central1", "recsys", 3'145},
    {kGcp, "", "", "Networking", "Networking", "Network Internet Egress from Americas to EMEA", "GB", "us-central1", "",
     6'480},
    {kGcp, "//container.googleapis.com/projects/ml-serving/locations/us-central1/clusters/inference", "inference",
     "Containers", "Kubernetes Engine", "Regional Kubernetes Clusters", "Hours", "us-central1", "", 240, true},
}};

// Since how many months before telemetry a machine was rented: part of the H100 and L4 machines joined over the year,
// those that were given back two months and those that are held whole one month before it.
int rentedSince(const PlannedNode &planned, int ordinal)
{
    constexpr int kAlways = 1000;
    if (planned.role == NodeRole::HeldWhole)
        return 1;
    if (planned.role == NodeRole::Burst)
        return 2;
    const std::string &type = planned.node.instanceType;
    const bool joined = planned.role == NodeRole::Training && type == "p5.48xlarge" ? ordinal % 2 == 1
        : planned.role == NodeRole::Serving && type == "g2-standard-96"             ? ordinal % 3 == 2
                                                                                    : false;
    return joined ? (ordinal * 5 + 2) % 11 : kAlways;
}

// The team that a machine was handed to before the clusters were shared; empty: several.
std::string_view teamBefore(const PlannedNode &planned, int ordinal)
{
    constexpr std::array<std::string_view, 4> kTraining{"vision", "recsys", "speech", "ads-ranking"};
    constexpr std::array<std::string_view, 5> kServing{"ads-ranking", "recsys", "llm-platform", "vision", "recsys"};
    if (planned.role == NodeRole::Mig || planned.role == NodeRole::TimeSliced || planned.role == NodeRole::HeldWhole
        || planned.role == NodeRole::Burst)
        return {};
    if (planned.role == NodeRole::Continual || planned.role == NodeRole::ContinualSpot)
        return "ads-ranking";
    if (planned.role == NodeRole::Oversized)
        return "llm-platform";
    const auto at = static_cast<std::size_t>(ordinal);
    if (planned.node.instanceType == "p5.48xlarge")
        return ordinal % 4 == 3 ? "ads-ranking" : "llm-platform";
    return planned.node.cloud == "aws" ? kTraining[at % kTraining.size()] : kServing[at % kServing.size()];
}

Decimal whole(std::int64_t number)
{
    return Decimal::of(Money(number * Money::kNanosPerUnit, base::Currency::usd()));
}

Money dollars(std::int64_t nanos)
{
    return {nanos, base::Currency::usd()};
}

std::int64_t partOf(std::int64_t nanos, std::int64_t thousandths)
{
    return nanos / kPerMille * thousandths;
}

std::int64_t listPrice(std::string_view instanceType)
{
    const auto it = std::find_if(kListPrices.begin(), kListPrices.end(),
                                 [&](const ListPrice &one) { return one.instanceType == instanceType; });
    return it == kListPrices.end() ? 0 : it->nanosPerHour;
}

class Writer {
public:
    Writer(const FleetPlan &plan, const BillMonth &bill)
        : m_plan(plan)
        , m_bill(bill)
    {
    }

    std::vector<BillLine> take()
    {
        for (base::UtcTime day = m_bill.month.start; day < m_bill.until; day += base::kDay)
            addDay({day, day + base::kDay});
        if (m_bill.until == m_bill.month.end)
            addEnd();
        return std::move(m_lines);
    }

private:
    bool aws() const { return m_bill.cloud == BillingCloud::Aws; }
    std::string_view cloud() const { return toString(m_bill.cloud); }

    BillLine line(base::TimeRange period, ChargeCategory category, std::string description, std::int64_t billed,
                  std::int64_t effective) const
    {
        BillLine line;
        line.row = m_lines.size() + 2; // as if a header line came first
        line.billingAccountId = billingAccountOf(m_bill.cloud);
        line.billingAccountName = aws() ? "ml-prod" : "ml-serving";
        line.billingPeriod = m_bill.month;
        line.chargePeriod = period;
        line.invoiceIssuer = aws() ? "Amazon Web Services" : "Google Cloud";
        line.billed = dollars(billed);
        line.effective = dollars(effective);
        line.category = category;
        line.frequency =
            category == ChargeCategory::Usage ? model::ChargeFrequency::UsageBased : model::ChargeFrequency::Recurring;
        line.pricing = model::PricingCategory::Standard;
        line.description = std::move(description);
        line.product.provider = line.product.publisher = aws() ? "AWS" : "Google Cloud";
        return line;
    }

    BillLine machineLine(base::TimeRange day, const PlannedNode &planned, std::int64_t billed,
                         std::int64_t effective) const
    {
        const model::Node &node = planned.node;
        BillLine one = line(day, ChargeCategory::Usage, std::string(), billed, effective);
        const std::string id = aws()
            ? "arn:aws:ec2:us-east-1:" + std::string(kAwsAccount) + ":instance/"
                + node.providerId.substr(node.providerId.rfind('/') + 1)
            : "//compute.googleapis.com/projects/ml-serving/zones/" + node.zone + "/instances/" + node.name;
        one.resource = {id, node.name, "Virtual machine", node.region, node.region, node.zone};
        one.description = node.instanceType + ", " + node.region;
        one.product.serviceCategory = "Compute";
        one.product.serviceName = aws() ? "Amazon Elastic Compute Cloud" : "Compute Engine";
        one.product.skuMeter = (aws() ? "BoxUsage:" : "Instance ") + node.instanceType;
        one.product.skuDetails["InstanceType"] = node.instanceType;
        one.consumedQuantity = one.pricingQuantity = {whole(kHours), "Hours"};
        one.list = dollars(listPrice(node.instanceType) * kHours);
        one.tags["cost-center"] = aws() ? "ml-training" : "ml-serving";
        if (const std::string_view team = teamBefore(planned, m_ordinal); m_bill.monthsBefore > 0 && !team.empty())
            one.tags["team"] = team;
        return one;
    }

    void addDay(base::TimeRange day)
    {
        std::int64_t committed = 0;
        int training = 0;
        std::map<std::string_view, int> ordinals; // of each type
        for (const PlannedNode &planned : m_plan.nodes) {
            if (planned.node.cloud != cloud())
                continue;
            m_ordinal = ordinals[planned.node.instanceType]++;
            const bool isCovered =
                planned.role == NodeRole::Mig || (planned.node.instanceType == "p5.48xlarge" && ++training % 3 != 0);
            if (m_bill.monthsBefore > rentedSince(planned, m_ordinal) || !planned.existsAt(day.start))
                continue;
            const std::int64_t list = listPrice(planned.node.instanceType) * kHours;
            if (isCovered && m_bill.monthsBefore <= kCommitmentBegan)
                committed += addCommitted(day, planned, list);
            else
                m_lines.push_back(rented(day, planned, list));
        }
        if (committed > 0)
            addCommitment(day, committed);
        for (std::size_t i = 0; i < kDaily.size(); ++i) {
            if (kDaily[i].cloud == m_bill.cloud)
                addCharge(day, kDaily[i], i);
        }
    }

    // On demand or spot.
    BillLine rented(base::TimeRange day, const PlannedNode &planned, std::int64_t list) const
    {
        const bool spot = planned.role == NodeRole::ContinualSpot
            || (aws() && planned.role == NodeRole::Training && planned.key % 3 == 0);
        std::int64_t cost = partOf(list, aws() && m_bill.monthsBefore <= kContractBegan ? kContracted : kPerMille);
        if (spot)
            cost = partOf(list, spotPrice(planned.node.instanceType, day.start));
        else if (planned.node.instanceType == "a2-highgpu-4g")
            cost = partOf(list, kLocalDisks);
        BillLine one = machineLine(day, planned, cost, cost);
        one.pricing = spot ? model::PricingCategory::Dynamic : model::PricingCategory::Standard;
        one.description += spot ? ", spot" : ", on demand";
        return one;
    }

    static std::int64_t spotPrice(std::string_view instanceType, base::UtcTime day)
    {
        const std::uint64_t k = key(0x73706F74, instanceType.size());
        const double share =
            kSpotLow + (kSpotHigh - kSpotLow) * wander(k, base::toUnix(day) / base::kDay.count(), kSpotPeriod);
        return static_cast<std::int64_t>(share * kPerMille);
    }

    // Adds a machine that costs nothing itself because the commitment was billed; returns the part of the commitment
    // that it uses.
    std::int64_t addCommitted(base::TimeRange day, const PlannedNode &planned, std::int64_t list)
    {
        const std::int64_t cost = partOf(list, kCommitted);
        BillLine one = machineLine(day, planned, 0, cost);
        one.pricing = model::PricingCategory::Committed;
        one.description += ", by a savings plan";
        commit(one, model::UseStatus::Used);
        m_lines.push_back(std::move(one));
        return cost;
    }

    static void commit(BillLine &line, model::UseStatus status)
    {
        line.commitment.id = kPlan;
        line.commitment.name = "gpu-plan-1y";
        line.commitment.type = "Compute Savings Plan";
        line.commitment.category = model::CommitmentCategory::Spend;
        line.commitment.status = status;
    }

    // Adds the fee and the unused part of the commitment, so that the billed and the effective cost of a day have the
    // same sum.
    void addCommitment(base::TimeRange day, std::int64_t used)
    {
        const std::int64_t fee = partOf(used, kOvercommitted);
        BillLine bought =
            line(day, ChargeCategory::Purchase, "Savings plan, 1 year, no upfront: recurring fee", fee, 0);
        commit(bought, model::UseStatus::Unknown);
        BillLine rest = line(day, ChargeCategory::Usage, "Savings plan: not used", 0, fee - used);
        commit(rest, model::UseStatus::Unused);
        for (BillLine *one : {&bought, &rest}) {
            one->pricing = model::PricingCategory::Committed;
            one->resource.id = kPlan;
            one->resource.name = "gpu-plan-1y";
            one->resource.type = "Savings plan";
            one->product.serviceCategory = "Compute";
            one->product.serviceName = "AWS Savings Plans";
            m_lines.push_back(std::move(*one));
        }
    }

    void addCharge(base::TimeRange day, const DailyCharge &charge, std::size_t number)
    {
        constexpr std::int64_t kNanosOfCent = Money::kNanosPerUnit / 100;
        constexpr double kLeast = 900, kMost = 1100; // thousandths
        const std::uint64_t k =
            key(0x62696C6C, number, static_cast<std::uint64_t>(base::toUnix(day.start) / base::kDay.count()));
        const std::int64_t size = std::max<std::int64_t>(kPerMille - kGrowth * m_bill.monthsBefore, kGrowth);
        const std::int64_t share =
            charge.machine ? kPerMille : partOf(static_cast<std::int64_t>(between(k, kLeast, kMost)) * size, 1);
        const std::int64_t cost = partOf(charge.cents * kNanosOfCent, share);
        BillLine one = line(day, ChargeCategory::Usage, std::string(charge.meter), cost, cost);
        one.resource = {std::string(charge.resource), std::string(charge.name),   std::string(charge.category),
                        std::string(charge.region),   std::string(charge.region), std::string()};
        one.product.serviceCategory = charge.category;
        one.product.serviceName = charge.service;
        one.product.skuMeter = charge.meter;
        one.list = dollars(cost);
        one.consumedQuantity = one.pricingQuantity = {whole(charge.machine ? kHours : share), std::string(charge.unit)};
        if (!charge.team.empty())
            one.tags["team"] = charge.team;
        m_lines.push_back(std::move(one));
    }

    void addEnd()
    {
        std::int64_t usage = 0;
        for (const BillLine &one : m_lines)
            usage += one.billed.nanos();
        const std::int64_t support = partOf(usage, kSupport);
        add(ChargeCategory::Usage, "Business support", support, "Support");
        if (!aws())
            return;
        add(ChargeCategory::Tax, "Sales tax on support", partOf(support, kTax), "Tax");
        constexpr std::int64_t kCredit = -2'500 * Money::kNanosPerUnit;
        add(ChargeCategory::Credit, "Credit for new regions", kCredit, "Credit");
    }

    void add(ChargeCategory category, const char *description, std::int64_t cost, const char *service)
    {
        BillLine one = line(m_bill.month, category, description, cost, cost);
        one.product.serviceCategory = "Other";
        one.product.serviceName = std::string(aws() ? "AWS " : "Google Cloud ") + service;
        m_lines.push_back(std::move(one));
    }

    const FleetPlan &m_plan;
    const BillMonth &m_bill;
    int m_ordinal = 0; // of the current machine, among those of its type
    std::vector<BillLine> m_lines;
};

} // namespace

std::string_view toString(BillingCloud cloud)
{
    return cloud == BillingCloud::Aws ? "aws" : "gcp";
}

std::string_view billingAccountOf(BillingCloud cloud)
{
    return cloud == BillingCloud::Aws ? kAwsAccount : kGcpAccount;
}

std::vector<BillLine> billLines(const FleetPlan &plan, const BillMonth &bill)
{
    return Writer(plan, bill).take();
}

} // namespace gpuledger::demo
