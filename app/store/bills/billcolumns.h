// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/bill.h"

#include <array>
#include <string>

// The texts of a bill line that are stored with its item, in the order of the columns of bill_item.
namespace gpuledger::store {

// Parses a currency column; returns no currency if it is damaged.
inline base::Currency currencyOf(const std::string &code)
{
    const auto currency = base::Currency::parse(code);
    return currency ? *currency : base::Currency{};
}

// Of the consumed quantity. In millionths it fits into a column.
inline constexpr double kMostQuantity = 9e12;

// A column of bill_item, and the member of BillLine that it stores.
struct BillTextColumn {
    const char *name; // of the column
    std::string &(*in)(model::BillLine &); // for writing
    const std::string &of(const model::BillLine &line) const { return in(const_cast<model::BillLine &>(line)); } // read
};

inline constexpr std::array<BillTextColumn, 30> kBillTexts{
    BillTextColumn{"account_name", [](model::BillLine &l) -> std::string & { return l.billingAccountName; }},
    BillTextColumn{"account_type", [](model::BillLine &l) -> std::string & { return l.billingAccountType; }},
    BillTextColumn{"sub_account", [](model::BillLine &l) -> std::string & { return l.subAccountId; }},
    BillTextColumn{"sub_account_name", [](model::BillLine &l) -> std::string & { return l.subAccountName; }},
    BillTextColumn{"sub_account_type", [](model::BillLine &l) -> std::string & { return l.subAccountType; }},
    BillTextColumn{"invoice", [](model::BillLine &l) -> std::string & { return l.invoiceId; }},
    BillTextColumn{"invoice_issuer", [](model::BillLine &l) -> std::string & { return l.invoiceIssuer; }},
    BillTextColumn{"pricing_currency", [](model::BillLine &l) -> std::string & { return l.pricingCurrency; }},
    BillTextColumn{"description", [](model::BillLine &l) -> std::string & { return l.description; }},
    BillTextColumn{"pricing_unit", [](model::BillLine &l) -> std::string & { return l.pricingQuantity.unit; }},
    BillTextColumn{"consumed_unit", [](model::BillLine &l) -> std::string & { return l.consumedQuantity.unit; }},
    BillTextColumn{"provider", [](model::BillLine &l) -> std::string & { return l.product.provider; }},
    BillTextColumn{"publisher", [](model::BillLine &l) -> std::string & { return l.product.publisher; }},
    BillTextColumn{"service_category", [](model::BillLine &l) -> std::string & { return l.product.serviceCategory; }},
    BillTextColumn{"service_subcategory",
                   [](model::BillLine &l) -> std::string & { return l.product.serviceSubcategory; }},
    BillTextColumn{"service", [](model::BillLine &l) -> std::string & { return l.product.serviceName; }},
    BillTextColumn{"sku", [](model::BillLine &l) -> std::string & { return l.product.skuId; }},
    BillTextColumn{"sku_price", [](model::BillLine &l) -> std::string & { return l.product.skuPriceId; }},
    BillTextColumn{"sku_meter", [](model::BillLine &l) -> std::string & { return l.product.skuMeter; }},
    BillTextColumn{"resource", [](model::BillLine &l) -> std::string & { return l.resource.id; }},
    BillTextColumn{"resource_name", [](model::BillLine &l) -> std::string & { return l.resource.name; }},
    BillTextColumn{"resource_type", [](model::BillLine &l) -> std::string & { return l.resource.type; }},
    BillTextColumn{"region", [](model::BillLine &l) -> std::string & { return l.resource.regionId; }},
    BillTextColumn{"region_name", [](model::BillLine &l) -> std::string & { return l.resource.regionName; }},
    BillTextColumn{"zone", [](model::BillLine &l) -> std::string & { return l.resource.zone; }},
    BillTextColumn{"commitment", [](model::BillLine &l) -> std::string & { return l.commitment.id; }},
    BillTextColumn{"commitment_name", [](model::BillLine &l) -> std::string & { return l.commitment.name; }},
    BillTextColumn{"commitment_type", [](model::BillLine &l) -> std::string & { return l.commitment.type; }},
    BillTextColumn{"commitment_unit", [](model::BillLine &l) -> std::string & { return l.commitment.quantity.unit; }},
    BillTextColumn{"reservation", [](model::BillLine &l) -> std::string & { return l.capacityReservationId; }},
};

// The provider's columns describe the item; any other extra column belongs to the line itself, such as a row number.
inline bool isOfItem(const model::ExtraColumn &column)
{
    return column.name.starts_with("x_");
}

// Rows of a part have ids part << 32 | number.
inline constexpr int kBillNumberBits = 32;

} // namespace gpuledger::store
