// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/bill.h"

#include <array>
#include <string>

// The texts of a bill's line that are kept with its item, in the order of the columns of bill_item.
namespace gpuledger::store {

struct BillTextColumn {
    const char *name; // of the column
    const std::string &(*of)(const model::BillLine &);
    std::string &(*in)(model::BillLine &); // the same, to be filled
};

template <typename Member> constexpr BillTextColumn billText(const char *name, Member member)
{
    return {name, member, member};
}

inline constexpr std::array<BillTextColumn, 30> kBillTexts{
    billText(
        "account_name", [](auto &l) -> auto & { return l.billingAccountName; }),
    billText(
        "account_type", [](auto &l) -> auto & { return l.billingAccountType; }),
    billText(
        "sub_account", [](auto &l) -> auto & { return l.subAccountId; }),
    billText(
        "sub_account_name", [](auto &l) -> auto & { return l.subAccountName; }),
    billText(
        "sub_account_type", [](auto &l) -> auto & { return l.subAccountType; }),
    billText(
        "invoice", [](auto &l) -> auto & { return l.invoiceId; }),
    billText(
        "invoice_issuer", [](auto &l) -> auto & { return l.invoiceIssuer; }),
    billText(
        "pricing_currency", [](auto &l) -> auto & { return l.pricingCurrency; }),
    billText(
        "description", [](auto &l) -> auto & { return l.description; }),
    billText(
        "pricing_unit", [](auto &l) -> auto & { return l.pricingQuantity.unit; }),
    billText(
        "consumed_unit", [](auto &l) -> auto & { return l.consumedQuantity.unit; }),
    billText(
        "provider", [](auto &l) -> auto & { return l.product.provider; }),
    billText(
        "publisher", [](auto &l) -> auto & { return l.product.publisher; }),
    billText(
        "service_category", [](auto &l) -> auto & { return l.product.serviceCategory; }),
    billText(
        "service_subcategory", [](auto &l) -> auto & { return l.product.serviceSubcategory; }),
    billText(
        "service", [](auto &l) -> auto & { return l.product.serviceName; }),
    billText(
        "sku", [](auto &l) -> auto & { return l.product.skuId; }),
    billText(
        "sku_price", [](auto &l) -> auto & { return l.product.skuPriceId; }),
    billText(
        "sku_meter", [](auto &l) -> auto & { return l.product.skuMeter; }),
    billText(
        "resource", [](auto &l) -> auto & { return l.resource.id; }),
    billText(
        "resource_name", [](auto &l) -> auto & { return l.resource.name; }),
    billText(
        "resource_type", [](auto &l) -> auto & { return l.resource.type; }),
    billText(
        "region", [](auto &l) -> auto & { return l.resource.regionId; }),
    billText(
        "region_name", [](auto &l) -> auto & { return l.resource.regionName; }),
    billText(
        "zone", [](auto &l) -> auto & { return l.resource.zone; }),
    billText(
        "commitment", [](auto &l) -> auto & { return l.commitment.id; }),
    billText(
        "commitment_name", [](auto &l) -> auto & { return l.commitment.name; }),
    billText(
        "commitment_type", [](auto &l) -> auto & { return l.commitment.type; }),
    billText(
        "commitment_unit", [](auto &l) -> auto & { return l.commitment.quantity.unit; }),
    billText(
        "reservation", [](auto &l) -> auto & { return l.capacityReservationId; }),
};

// Columns of the provider describe the item; any other extra column is the line's own, such as a number of the row.
inline bool isOfItem(const model::ExtraColumn &column)
{
    return column.name.starts_with("x_");
}

// Rows of a part have ids part << 32 | number.
inline constexpr int kBillNumberBits = 32;

} // namespace gpuledger::store
