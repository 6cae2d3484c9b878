// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/pricesource.h"
#include "connectors/aws/awsapi.h"

#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::aws {

// The GPUs of a machine type.
struct GpuSize {
    std::string name; // of the model; empty: the type has no GPU
    std::int64_t gpus = 0; // whole ones; 0: a part of one, or no GPU
    std::int64_t memoryMib = 0; // of one; 0: not told
};

// Which machine types have GPUs: what the program's catalogue knows, and for all others what EC2 tells. One thread.
class GpuSizes {
public:
    GpuSizes(AwsApi &api, const std::map<std::string, ports::KnownMachine> &known)
        : m_api(api)
        , m_known(known)
    {
    }
    // Asks EC2 for those of these types that are not known yet. Fails as AwsApi::read and eachPage do, and with Parse.
    [[nodiscard]] base::Result<void> learn(const std::set<std::string> &types, const std::stop_token &stop);
    // Of a type that was learned; one that EC2 does not know has no GPU.
    const GpuSize &of(const std::string &type) const;

private:
    AwsApi &m_api;
    const std::map<std::string, ports::KnownMachine> &m_known;
    std::map<std::string, GpuSize> m_sizes;
};

// What a page of DescribeInstanceTypes tells, by type. Fails with Parse.
[[nodiscard]] base::Result<std::map<std::string, GpuSize>> sizesIn(std::string_view page, std::string &nextToken);

} // namespace gpuledger::aws
