// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/data/benchbill.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace gpuledger::bench {

namespace {

constexpr const char *kHeader =
    "AvailabilityZone,BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodEnd,"
    "BillingPeriodStart,ChargeCategory,ChargeClass,ChargeDescription,ChargeFrequency,ChargePeriodEnd,"
    "ChargePeriodStart,ConsumedQuantity,ConsumedUnit,ContractedCost,EffectiveCost,InvoiceIssuerName,ListCost,"
    "PricingCategory,PricingQuantity,PricingUnit,ProviderName,PublisherName,RegionId,RegionName,ResourceId,"
    "ResourceType,ServiceCategory,ServiceName,SkuId,SkuPriceId,SubAccountId,SubAccountName,Tags\n";

std::string timeText(std::int64_t seconds)
{
    return base::toRfc3339(base::fromUnix(seconds));
}

} // namespace

void writeBill(const std::filesystem::path &path, const BillPlan &plan)
{
    static constexpr std::array kServices{"Amazon Elastic Compute Cloud", "Amazon Simple Storage Service",
                                          "Amazon Virtual Private Cloud", "Elastic Load Balancing"};
    static constexpr std::array kCategories{"Compute", "Storage", "Networking", "Networking"};
    std::ofstream out(path, std::ios::binary);
    out << kHeader;
    std::string line;
    const std::string period = timeText(base::toUnix(plan.monthEnd)) + ',' + timeText(base::toUnix(plan.month));
    for (std::int64_t n = 0; n < plan.periods; ++n) {
        const std::int64_t start = base::toUnix(plan.month) + n * plan.seconds;
        const std::string times = timeText(start + plan.seconds) + ',' + timeText(start);
        for (std::int64_t r = 0; r < plan.resources; ++r) {
            const auto kind = static_cast<std::size_t>(r % 4);
            const std::string cost = "0." + std::to_string(100000000 + (r * 7919 + n * 104729) % 900000000);
            const std::string account = std::to_string(r % 20);
            line = "us-east-1a," + cost + ",999999999999,Example,USD," + period + ",Usage,,\"$0."
                + std::to_string(100 + r % 300) + " per hour of use, on demand\",Usage-Based," + times + ",1,Hours,"
                + cost + ',' + cost + ",\"Amazon Web Services, Inc.\"," + cost
                + ",Standard,1,Hours,AWS,\"Amazon Web Services, Inc.\",us-east-1,US East (N. Virginia),"
                  "arn:aws:ec2:us-east-1:99:instance/i-0"
                + std::to_string(1000000 + r) + ",instance," + kCategories[kind] + ',' + kServices[kind] + ",SKU"
                + std::to_string(r % 300) + ",SKU" + std::to_string(r % 300) + ".RATE,acct-" + account + ",Account "
                + account + ",\"{\"\"team\"\": \"\"team-" + std::to_string(r % plan.teams) + "\"\"}\"\n";
            out << line;
        }
    }
    out.close();
    if (!out) {
        std::fprintf(stderr, "bench: can't write a bill to %s\n", path.c_str());
        std::exit(1);
    }
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
}

} // namespace gpuledger::bench
