// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/money/money.h"
#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Bill lines, in the terms of FOCUS (FinOps Open Cost and Usage Specification 1.0 to 1.2). An empty text and an empty
// optional mean that the bill does not give the value; a zero was given. The values of the enumerations are stored on
// disk.
namespace gpuledger::model {

enum class ChargeCategory : std::uint8_t { Usage = 0, Purchase = 1, Tax = 2, Credit = 3, Adjustment = 4 };
// Correction: for a billing period that was already closed; then the charge period lies in the past.
enum class ChargeClass : std::uint8_t { Regular = 0, Correction = 1 };
enum class ChargeFrequency : std::uint8_t { Unknown = 0, OneTime = 1, Recurring = 2, UsageBased = 3 };
// Dynamic means spot.
enum class PricingCategory : std::uint8_t { Unknown = 0, Standard = 1, Dynamic = 2, Committed = 3, Other = 4 };
enum class CommitmentCategory : std::uint8_t { Unknown = 0, Spend = 1, Usage = 2 };
// For a commitment discount or a capacity reservation. Unused: paid for, but nothing ran on it.
enum class UseStatus : std::uint8_t { Unknown = 0, Used = 1, Unused = 2 };

// The FOCUS terms ("One-Time"); empty for Unknown and Regular.
std::string_view toString(ChargeCategory value);
std::string_view toString(ChargeClass value);
std::string_view toString(ChargeFrequency value);
std::string_view toString(PricingCategory value);
std::string_view toString(CommitmentCategory value);
std::string_view toString(UseStatus value);
// Parses such a term, case-insensitively; std::nullopt for any other text.
template <typename Word> std::optional<Word> billWord(std::string_view text);
extern template std::optional<ChargeCategory> billWord<ChargeCategory>(std::string_view);
extern template std::optional<ChargeClass> billWord<ChargeClass>(std::string_view);
extern template std::optional<ChargeFrequency> billWord<ChargeFrequency>(std::string_view);
extern template std::optional<PricingCategory> billWord<PricingCategory>(std::string_view);
extern template std::optional<CommitmentCategory> billWord<CommitmentCategory>(std::string_view);
extern template std::optional<UseStatus> billWord<UseStatus>(std::string_view);

// The unit that an import replaces: all lines of one source for one billing account and billing period. A bill has no
// key for its lines, so nothing smaller can be replaced, and adding to it would count lines twice.
struct BillKey {
    std::string source; // name in the configuration
    std::string billingAccountId;
    base::UtcTime periodStart{}; // the invoice's month; its end may be restated and is not part of the key

    auto operator<=>(const BillKey &) const = default;
};

// A measured amount, e.g. 24 Hours or 1.5 GB-Mo.
struct Quantity {
    std::optional<base::Decimal> amount;
    std::string unit; // as the provider writes it
    bool operator==(const Quantity &) const = default;
};

// A column that FOCUS does not define, or whose text could not be parsed.
struct ExtraColumn {
    std::string name;
    std::string value;
    auto operator<=>(const ExtraColumn &) const = default;
};

// The resource that a line is for.
struct BillResource {
    std::string id; // ARN, Azure resource id, …; for an unused commitment: the commitment itself
    std::string name;
    std::string type;
    std::string regionId, regionName;
    std::string zone;
    bool operator==(const BillResource &) const = default;
};

// What was bought, who offers it, and its keys in the price list.
struct BillProduct {
    std::string provider; // AWS, Microsoft, Google Cloud, Oracle, …
    std::string publisher; // differs from the provider for marketplace products
    std::string serviceCategory, serviceSubcategory, serviceName;
    std::string skuId, skuPriceId, skuMeter;
    Labels skuDetails; // SkuPriceDetails: InstanceType, GpuCount, …, each per pricing unit
    std::optional<base::Decimal> listUnitPrice, contractedUnitPrice; // per pricing unit, in the billing currency
    bool operator==(const BillProduct &) const = default;
};

// A commitment (reservation, savings plan, committed use) that the line buys, uses or leaves unused.
struct BillCommitment {
    std::string id, name;
    std::string type; // the provider's term
    CommitmentCategory category = CommitmentCategory::Unknown;
    UseStatus status = UseStatus::Unknown; // of Usage lines only
    Quantity quantity; // never add it up over lines that buy and lines that use
    bool operator==(const BillCommitment &) const = default;
};

// A sub-account of this type is a cluster, and the line is for its nodes.
inline constexpr char kClusterAccount[] = "Cluster";

// One line. All its amounts are in the billing currency; negative ones are refunds and credits, in every category.
// Billed and effective cost are two views of the same spend and are never added to each other.
struct BillLine {
    std::uint32_t file = 0; // index of the file in the delivery, from 0
    std::uint64_t row = 0; // line of the file where it starts, from 1 (the header is line 1)

    std::string billingAccountId, billingAccountName, billingAccountType;
    std::string subAccountId, subAccountName, subAccountType;
    base::TimeRange billingPeriod; // half-open, UTC
    base::TimeRange chargePeriod; // half-open, UTC; may be outside the billing period
    std::string invoiceId, invoiceIssuer;

    base::Money billed; // as on the invoice
    base::Money effective; // amortized: fees of commitments are spread over what they cover
    std::optional<base::Money> list; // at public prices
    std::optional<base::Money> contracted; // at negotiated prices, without commitments
    std::string pricingCurrency; // if the price is quoted in another currency

    ChargeCategory category = ChargeCategory::Usage;
    ChargeClass chargeClass = ChargeClass::Regular;
    ChargeFrequency frequency = ChargeFrequency::Unknown;
    PricingCategory pricing = PricingCategory::Unknown;
    std::string description;

    Quantity pricingQuantity; // cost = unit price x this, except for corrections
    Quantity consumedQuantity; // of Usage lines only
    BillProduct product;
    BillResource resource;
    BillCommitment commitment;
    std::string capacityReservationId;
    UseStatus capacityReservation = UseStatus::Unknown;
    Labels tags; // a tag without a value has the value "true"
    std::vector<ExtraColumn> extra; // in the file's order, only those with a value

    BillKey key(std::string source) const { return {std::move(source), billingAccountId, billingPeriod.start}; }
    bool operator==(const BillLine &) const = default;
};

} // namespace gpuledger::model
