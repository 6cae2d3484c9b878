// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/commitments/reservationpage.h"

#include "app/base/text/text.h"
#include "connectors/aws/awswire.h"

#include <algorithm>

namespace gpuledger::aws {

using base::Result;
using Json = nlohmann::json;
using model::CloudCommitment;

namespace {

constexpr const char *kCloudOfReservations = "AWS"; // as in the bill of aws-costs
constexpr std::size_t kLongestSubscription = 512; // bytes

bool hasTwelveDigits(const std::string &account)
{
    constexpr std::size_t kDigits = 12;
    return account.size() == kDigits && account.find_first_not_of("0123456789") == std::string::npos;
}

// The bill has the ARN, "arn:aws:ec2:us-east-1:123456789012:reserved-instances/LEASE". Where it can't be known, the
// number of the subscription.
std::string reservationIdOf(const CommitmentAttributes &attributes, const Json &group)
{
    const std::string arn = attributes.text("reservationarn"), lease = attributes.text("leaseid"),
                      region = attributes.text("region"), account = attributes.text("accountid");
    if (!arn.empty())
        return arn;
    if (lease.starts_with("arn:"))
        return lease;
    if (!lease.empty() && isRegion(region) && hasTwelveDigits(account))
        return "arn:" + partitionOf(region) + ":ec2:" + region + ':' + account + ":reserved-instances/" + lease;
    const std::string subscription = attributes.text("subscriptionid");
    return !subscription.empty() ? subscription
                                 : base::printableLine(format::textOf(group, "Value"), kLongestSubscription);
}

// One that was sold or exchanged is cancelled before its term ends.
std::optional<base::UtcTime> endOfReservation(const CommitmentAttributes &attributes)
{
    const auto end = attributes.time("enddatetime"), cancelled = attributes.time("cancellationdatetime");
    return end && cancelled ? std::min(*end, *cancelled) : end ? end : cancelled;
}

std::optional<std::int64_t> instancesOf(const CommitmentAttributes &attributes)
{
    const auto count = base::parseInt(attributes.text("numberofinstances"));
    return count && *count >= 0 ? count : std::nullopt;
}

// std::nullopt: it can't be read.
std::optional<CloudCommitment> reservationOf(const Json &group, const AskedCommitments &asked)
{
    const CommitmentAttributes attributes(format::memberOf(group, "Attributes"));
    const Json &use = format::memberOf(group, "Utilization");
    const auto unused = CommitmentNumber::amountOf(CommitmentNumber::of(use, "RICostForUnusedHours"), asked.currency);
    CloudCommitment reservation;
    reservation.cloud = kCloudOfReservations;
    reservation.kind = model::CloudCommitmentKind::Reservation;
    reservation.id = reservationIdOf(attributes, group);
    if (reservation.id.empty() || !unused.isReadable)
        return std::nullopt;
    reservation.account = attributes.text("accountid");
    reservation.terms = joinedTerms({"Reserved Instance", attributes.text("offeringtype"),
                                     attributes.text("subscriptiontype"), attributes.text("platform")});
    reservation.machine = attributes.text("instancetype");
    reservation.region = attributes.text("region");
    reservation.count = instancesOf(attributes);
    reservation.unused = unused.value;
    if (reservation.unused)
        reservation.currency = asked.currency;
    reservation.start = attributes.time("startdatetime");
    reservation.end = endOfReservation(attributes);
    reservation.utilization =
        commitmentShare(CommitmentNumber::of(use, "TotalActualHours"), CommitmentNumber::of(use, "PurchasedHours"),
                        CommitmentNumber::of(use, "UtilizationPercentage"));
    return reservation;
}

} // namespace

Result<std::string> addReservationPage(const std::string &body, const AskedCommitments &asked, CommitmentPart &out)
{
    auto page = commitmentPageOf(body, "UtilizationsByTime", "NextPageToken");
    GPULEDGER_TRY(page);
    for (const Json &period : page->entries) {
        const auto days = commitmentDaysOf(format::memberOf(period, "TimePeriod"), asked);
        const Json &groups = format::memberOf(period, "Groups"); // absent where there are none
        if (!period.is_object() || (!groups.is_null() && !groups.is_array())) {
            ++out.rejected;
            continue;
        }
        for (const Json &group : groups)
            out.add(reservationOf(group, asked), days, asked);
    }
    return std::move(page->next);
}

} // namespace gpuledger::aws
