// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/inventory/gpusizes.h"

#include "app/base/text/text.h"
#include "connectors/aws/eachpage.h"
#include "connectors/format/xmltree.h"

#include <algorithm>
#include <charconv>

namespace gpuledger::aws {

using base::Result;

namespace {

constexpr std::int64_t kMicro = 1'000'000;
constexpr std::size_t kTypesAsked = 100; // in one call
constexpr std::size_t kMostTypePages = 20;

std::int64_t wholeAt(const format::XmlNode &item, const char *path)
{
    const std::string text = item.textAt(path);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value > 0 ? value : 0;
}

GpuSize sizeOf(const format::XmlNode &type)
{
    GpuSize size;
    for (const format::XmlNode &gpu : type.listAt("gpuInfo/gpus")) {
        const std::string maker = gpu.textAt("manufacturer"), model = gpu.textAt("name");
        size.name = base::printable(maker.empty() ? model : maker + ' ' + model, 100);
        size.gpus = wholeAt(gpu, "count"); // 0 of types that have a part of one
        size.memoryMib = wholeAt(gpu, "memoryInfo/sizeInMiB");
    }
    return size;
}

Call typesCall(const std::vector<std::string> &types, const std::string &token)
{
    // A filter, because a type that EC2 does not know would fail the whole call.
    http::Parameters parameters{{"Filter.1.Name", "instance-type"}, {"MaxResults", "100"}};
    for (std::size_t i = 0; i < types.size(); ++i)
        parameters.emplace_back("Filter.1.Value." + std::to_string(i + 1), types[i]);
    if (!token.empty())
        parameters.emplace_back("NextToken", token);
    return queryCall("ec2", "DescribeInstanceTypes", std::move(parameters));
}

} // namespace

Result<std::map<std::string, GpuSize>> sizesIn(std::string_view page, std::string &nextToken)
{
    const auto root = format::parseXml(page);
    GPULEDGER_TRY(root);
    std::map<std::string, GpuSize> out;
    for (const format::XmlNode &type : root->listAt("instanceTypeSet"))
        out[type.textAt("instanceType")] = sizeOf(type);
    nextToken = root->textAt("nextToken");
    return out;
}

Result<void> GpuSizes::learn(const std::set<std::string> &types, const std::stop_token &stop)
{
    std::vector<std::string> unknown;
    for (const std::string &type : types) {
        if (m_sizes.contains(type))
            continue;
        const auto known = m_known.find(type);
        if (known == m_known.end()) {
            unknown.push_back(type);
            m_sizes[type] = {};
        } else {
            const std::int64_t micro = known->second.microGpus;
            m_sizes[type] = {known->second.gpuName, micro % kMicro == 0 ? micro / kMicro : 0, 0};
        }
    }
    for (std::size_t from = 0; from < unknown.size(); from += kTypesAsked) {
        const auto first = unknown.begin() + static_cast<std::ptrdiff_t>(from);
        const std::vector<std::string> some(
            first, first + static_cast<std::ptrdiff_t>(std::min(kTypesAsked, unknown.size() - from)));
        GPULEDGER_TRY(eachPage(
            m_api, kMostTypePages, [&](const std::string &token) { return typesCall(some, token); },
            [&](const std::string &page) -> Result<std::string> {
                std::string next;
                auto told = sizesIn(page, next);
                GPULEDGER_TRY(told);
                for (auto &[type, size] : *told)
                    m_sizes[type] = std::move(size);
                return next;
            },
            stop));
    }
    return {};
}

const GpuSize &GpuSizes::of(const std::string &type) const
{
    static const GpuSize kNone;
    const auto known = m_sizes.find(type);
    return known == m_sizes.end() ? kNone : known->second;
}

} // namespace gpuledger::aws
