// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// Usage types of AWS bills, such as "EUC1-BoxUsage:p4d.24xlarge". Pure; any thread.
namespace gpuledger::aws {

struct UsageType {
    std::string region; // "eu-central-1"; empty: the prefix is not known
    std::string instanceType; // "p4d.24xlarge", "ml.p4d.24xlarge"; empty: not about machines
    bool isSpot = false;
    bool isSageMaker = false;
    bool isUnusedReservation = false; // of capacity that was reserved, and on which nothing ran

    bool isGpu() const; // a family of machines with GPUs
};
UsageType usageTypeOf(std::string_view text);

// "Compute" and the like, as FOCUS names the categories of services; empty: unknown.
std::string_view categoryOfService(std::string_view service);

} // namespace gpuledger::aws
