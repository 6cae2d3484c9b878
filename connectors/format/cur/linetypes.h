// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/bill.h"

#include <string_view>

// The types of records in AWS bills: line_item_line_item_type of a Cost and Usage Report, RECORD_TYPE of Cost Explorer.
namespace gpuledger::cur {

enum class LineType {
    Usage,
    DiscountedUsage, // covered by a reservation
    CoveredUsage, // covered by a savings plan, at the on-demand price
    Negation, // what takes that price away again
    RecurringFee, // of a savings plan
    UpfrontFee, // of a savings plan
    ReservationFee, // recurring
    Fee, // up front: of a reservation, or of a subscription
    Tax,
    Credit,
    Refund,
    Discount,
    New, // not known to this program
};
LineType lineTypeOf(std::string_view record);

// What it is called in FOCUS. New types are adjustments: they change the bill, and no machine. So are discounts, which
// AWS's FOCUS has already taken off the usage.
model::ChargeCategory categoryOf(LineType type);

} // namespace gpuledger::cur
