// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/time/time.h"
#include "connectors/format/keptnames.h"

#include <array>
#include <map>
#include <string>
#include <vector>

// What RunPod's billing said about days. Plain values.
namespace gpuledger::runpod {

// What a record is for. Each but Account has a path of its own.
enum class BillFamily : char {
    Pods = 'p',
    Serverless = 's',
    Volumes = 'v', // network volumes
    Clusters = 'c', // Instant Clusters
    Endpoints = 'e', // public endpoints
    Account = 'a', // of the account's total, and in no family
};

// One amount of one record, in USD.
struct BillRow {
    base::TimeRange period; // a UTC day; of Account without one: all days that were asked
    BillFamily family = BillFamily::Account;
    std::string id; // of the pod, endpoint, volume or cluster, printable; empty: it has none
    std::string part; // member of the record: "gpuAmount"; empty: what the parts lack of its total
    base::Decimal amount;

    bool operator==(const BillRow &) const = default;
};

// The account's totals, which the rows are compared with.
struct AccountTotals {
    std::map<base::Day, base::Decimal> days;
    base::Decimal all; // of all days, as the answer gives it
};

// A pod that was listed. It is forgotten by RunPod when it is terminated, and its bill is not.
struct PodName {
    std::string name, gpu, cloud, dataCenter; // printable; empty: unknown

    static constexpr std::array kTexts{&PodName::name, &PodName::gpu, &PodName::cloud, &PodName::dataCenter};
    bool operator==(const PodName &) const = default;
};
using PodNames = format::KeptNames<PodName>;

} // namespace gpuledger::runpod
