// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/commitments/commitmentpages.h"

#include "app/base/text/text.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/azure/commitments/benefitfacts.h"
#include "connectors/azure/readamount.h"
#include "connectors/azure/resourcemanager.h"
#include "connectors/format/json.h"

#include <optional>
#include <utility>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using model::CloudCommitment;
using model::CloudCommitmentKind;
using Json = nlohmann::json;

namespace {

constexpr const char *kCommitmentCloud = "Microsoft"; // as in bills
constexpr std::size_t kLongestBenefitId = 500, kLongestBenefitName = 200, kLongestBenefitPart = 100; // bytes
constexpr std::string_view kMachineReservation = "virtualmachines", kMachinePlan = "compute"; // in lower case
constexpr std::string_view kEverywhere = "global"; // in place of a region

std::string lineIn(const Json &object, const char *key, std::size_t most)
{
    return base::printableLine(format::textOf(object, key), most);
}

// As the product keeps ids of Azure's bills; empty: none.
std::string billedId(const Json &one)
{
    std::string id = lowerCase(lineIn(one, "id", kLongestBenefitId));
    if (!id.empty() && !id.starts_with('/')) // some answers leave out the first slash
        id.insert(0, 1, '/');
    return id;
}

std::string regionOf(const Json &one)
{
    std::string region = lowerCase(lineIn(one, "location", kLongestBenefitPart));
    return region == kEverywhere ? std::string() : region;
}

// A list that has more than those for machines says of each entry what it is for.
bool isForMachines(CloudCommitmentKind kind, const Json &one)
{
    if (kind == CloudCommitmentKind::Reservation) {
        const Json &type = format::memberOf(format::memberOf(one, "properties"), "reservedResourceType");
        return !type.is_string() || lowerCase(type.get<std::string>()) == kMachineReservation;
    }
    const std::string sku = lowerCase(format::textOf(format::memberOf(one, "sku"), "name"));
    return sku.empty() || sku.find(kMachinePlan) != std::string::npos;
}

std::optional<base::UtcTime> firstInstant(const Json &properties, std::initializer_list<const char *> keys)
{
    for (const char *key : keys) {
        if (const auto time = instantIn(properties, key))
            return time;
    }
    return std::nullopt;
}

// A whole number of machines that is there and can't be read makes a reservation unreadable.
bool readCount(const Json &properties, CloudCommitment &out)
{
    const Json &quantity = format::memberOf(properties, "quantity");
    if (quantity.is_null())
        return true;
    const auto number =
        base::Decimal::parse(quantity.is_string() ? quantity.get_ref<const std::string &>() : std::string());
    out.count = number ? base::parseInt(number->toText()) : std::nullopt;
    return out.count && *out.count > 0;
}

bool readReservation(const Json &one, CloudCommitment &out)
{
    const Json &properties = format::memberOf(one, "properties");
    out.machine = lineIn(format::memberOf(one, "sku"), "name", kLongestBenefitPart);
    // `effectiveDateTime` is that of the last change.
    out.start = firstInstant(properties, {"benefitStartTime", "purchaseDateTime", "purchaseDate", "effectiveDateTime"});
    return !out.machine.empty() && format::memberOf(properties, "reservedResourceType").is_string()
        && readCount(properties, out);
}

// {"grain":"Hourly","currencyCode":"USD","amount":0.001}
bool readPlan(const Json &one, CloudCommitment &out)
{
    const Json &properties = format::memberOf(one, "properties");
    out.start = firstInstant(properties, {"benefitStartTime", "effectiveDateTime", "purchaseDateTime"});
    const Json &spend = format::memberOf(properties, "commitment");
    if (format::memberOf(spend, "amount").is_null() || lowerCase(format::textOf(spend, "grain")) != "hourly")
        return spend.is_object() || spend.is_null();
    const auto currency = base::Currency::parse(format::textOf(spend, "currencyCode"));
    if (!currency)
        return false;
    const ReadAmount perHour = ReadAmount::in(spend, "amount", *currency);
    if (!perHour.isReadable || perHour.amount->isNegative())
        return false;
    out.currency = *currency;
    out.perHour = perHour.amount;
    return true;
}

// std::nullopt: it can't be read.
std::optional<CloudCommitment> commitmentOf(CloudCommitmentKind kind, const Json &one, base::UtcTime now)
{
    const Json &properties = format::memberOf(one, "properties");
    CloudCommitment out;
    out.cloud = kCommitmentCloud;
    out.kind = kind;
    out.id = billedId(one);
    out.account =
        base::printableLine(subscriptionIn(format::textOf(properties, "billingScopeId")), kLongestBenefitPart);
    out.name = lineIn(properties, "displayName", kLongestBenefitName);
    out.terms = benefitTerms(properties);
    out.region = regionOf(one);
    out.end = benefitEnd(properties);
    const BenefitUse use = BenefitUse::of(properties, base::dayOf(now));
    out.utilization = use.share;
    out.first = use.first;
    out.last = use.last;
    const bool isRead = kind == CloudCommitmentKind::Reservation ? readReservation(one, out) : readPlan(one, out);
    return isRead && !out.id.empty() ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace

void CommitmentPages::addOne(CloudCommitmentKind kind, const Json &one)
{
    if (!isForMachines(kind, one) || isBenefitOver(format::memberOf(one, "properties"), m_now))
        return;
    auto commitment = commitmentOf(kind, one, m_now);
    if (!commitment)
        ++report.rejected;
    else if (m_ids.insert(commitment->id).second)
        report.commitments.push_back(std::move(*commitment));
}

Result<void> CommitmentPages::add(CloudCommitmentKind kind, const Json &page)
{
    const Json &values = format::memberOf(page, "value");
    if (!values.is_array())
        return base::fail(ErrorCode::Parse, "Azure's list of commitments can't be read: it has no values");
    for (const Json &one : values) {
        if (++m_entries > kMostEntries)
            return base::fail(ErrorCode::TooMuch, "Azure lists more than 10,000 reservations and savings plans");
        addOne(kind, one);
    }
    return {};
}

} // namespace gpuledger::azure
