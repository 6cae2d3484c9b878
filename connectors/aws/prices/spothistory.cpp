// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/prices/spothistory.h"

#include "app/base/text/text.h"
#include "connectors/format/xmltree.h"

#include <algorithm>

namespace gpuledger::aws {

using base::Result;

namespace {

constexpr std::string_view kLinux = "Linux/UNIX", kLinuxInVpc = "Linux/UNIX (Amazon VPC)";

} // namespace

std::vector<std::vector<std::string>> chunksOf(const KnownMachines &machines)
{
    std::vector<std::vector<std::string>> chunks;
    for (const auto &[type, machine] : machines) {
        if (chunks.empty() || chunks.back().size() == kMostSpotTypes)
            chunks.emplace_back();
        chunks.back().push_back(type);
    }
    return chunks;
}

// A filter, because EC2 refuses the parameter InstanceType with a type that it does not know.
Call spotHistoryCall(const std::vector<std::string> &types, base::UtcTime since, const std::string &token)
{
    http::Parameters parameters{{"StartTime", base::toRfc3339(since)},
                                {"ProductDescription.1", std::string(kLinux)},
                                {"ProductDescription.2", std::string(kLinuxInVpc)},
                                {"MaxResults", "1000"},
                                {"Filter.1.Name", "instance-type"}};
    for (std::size_t i = 0; i < types.size(); ++i)
        parameters.emplace_back("Filter.1.Value." + std::to_string(i + 1), types[i]);
    if (!token.empty())
        parameters.emplace_back("NextToken", token);
    return queryCall("ec2", "DescribeSpotPriceHistory", std::move(parameters));
}

Result<std::string> SpotHistory::add(const std::string &page)
{
    const auto root = format::parseXml(page);
    GPULEDGER_TRY(root);
    if (root->name != "DescribeSpotPriceHistoryResponse" || !root->at("spotPriceHistorySet"))
        return base::fail(base::ErrorCode::Parse, "EC2's spot prices can't be read: the answer is none");
    for (const format::XmlNode &item : root->listAt("spotPriceHistorySet")) {
        const std::string type = item.textAt("instanceType"), system = item.textAt("productDescription");
        if (!m_machines.contains(type) || (system != kLinux && system != kLinuxInVpc))
            continue;
        const std::string id = item.textAt("availabilityZoneId");
        const std::string zone = id.empty() ? item.textAt("availabilityZone") : id;
        const auto from = base::parseTime(item.textAt("timestamp"));
        if (zone.empty() || !from) {
            ++m_unreadable;
            continue;
        }
        const auto price = base::Money::parse(item.textAt("spotPrice"), m_currency);
        const bool isPrice = price && price->nanos() > 0;
        m_steps[{type, zone}].push_back({*from, system == kLinuxInVpc, isPrice ? std::optional(*price) : std::nullopt});
    }
    return root->textAt("nextToken");
}

ports::PricesTold SpotHistory::take(const std::string &region, base::UtcTime now) const
{
    ports::PricesTold told;
    std::size_t unreadable = m_unreadable;
    for (const auto &[place, all] : m_steps) {
        const bool isVpc = std::any_of(all.begin(), all.end(), [](const Step &step) { return step.isOfVpc; });
        std::vector<Step> steps;
        std::copy_if(all.begin(), all.end(), std::back_inserter(steps),
                     [&](const Step &step) { return step.isOfVpc == isVpc; });
        std::stable_sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.from < b.from; });
        unreadable += static_cast<std::size_t>(
            std::count_if(steps.begin(), steps.end(), [](const Step &step) { return !step.price; }));
        if (!steps.back().price)
            continue;
        const ports::KnownMachine &machine = m_machines.at(place.first);
        model::PriceQuote quote;
        quote.region = region;
        quote.zone = place.second;
        quote.machine = place.first;
        quote.gpuName = machine.gpuName;
        quote.microGpus = machine.microGpus;
        quote.purchase = model::PurchaseOption::Spot;
        for (const Step &step : steps) {
            if (!step.price)
                continue;
            quote.perHour = *step.price;
            told.begins.push_back({quote, std::min(step.from, now)});
        }
        told.now.quotes.push_back(std::move(quote));
    }
    if (unreadable > 0)
        told.now.leftOut[model::LeftOut::Unreadable] = unreadable;
    return told;
}

} // namespace gpuledger::aws
