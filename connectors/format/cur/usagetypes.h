// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// Usage types of AWS bills, such as "EUC1-BoxUsage:p4d.24xlarge". Pure; any thread.
namespace gpuledger::cur {

struct UsageType {
    std::string region; // "eu-central-1"; empty: the prefix is not known
    std::string instanceType; // "p4d.24xlarge", "ml.p4d.24xlarge"; empty: not about machines
    bool isMachineTime = false; // hours of EC2 or SageMaker machines, and not of what is attached to them
    bool isSpot = false;
    bool isSageMaker = false;
    bool isUnusedReservation = false; // of capacity that was reserved, and on which nothing ran

    bool isGpu() const; // a family of machines with GPUs
};
UsageType usageTypeOf(std::string_view text);

// "Compute" and the like, as FOCUS names the categories of services; empty: unknown.
std::string_view categoryOfService(std::string_view service);
// The name of a service by the code that bills use, "AmazonEC2"; empty: unknown.
std::string_view serviceOfCode(std::string_view code);
// Of usage that AWS bills with EC2 although it is storage or traffic; empty: the category of its service.
std::string_view categoryOfUsage(std::string_view code, std::string_view usageType);

} // namespace gpuledger::cur
