// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

// What a budget of AWS Budgets covers. Plain functions and values.
namespace gpuledger::aws {

// A word of AWS Budgets, whatever its case.
bool isBudgetWord(std::string_view text, std::string_view word);

struct BudgetScope {
    // "Service: Amazon EC2; LinkedAccount: 123456789012; without credits". Empty: all costs, as they are billed.
    // Printable.
    std::string words;
    bool isMoney = true; // false: hours or another quantity is counted
    // It covers all costs of the account that has it, and its sum is that of the bill: of unblended costs, or net ones,
    // which differ in single lines only.
    bool isWhole() const { return isMoney && words.empty(); }

    // Of a budget's CostFilters or FilterExpression, BillingViewArn, CostTypes and Metrics. What can't be read is said
    // to be there.
    static BudgetScope of(const nlohmann::json &budget);
};

} // namespace gpuledger::aws
