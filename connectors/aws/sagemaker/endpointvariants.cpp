// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/sagemaker/endpointvariants.h"

#include "connectors/aws/sagemaker/sagemakerapi.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace gpuledger::aws {

using Json = nlohmann::json;

namespace {

constexpr std::array<const char *, 2> kVariantLists{"ProductionVariants", "ShadowProductionVariants"};

using ConfiguredVariants = std::map<std::string, const Json *>; // by name

ConfiguredVariants configuredVariants(const Json &config)
{
    ConfiguredVariants out;
    for (const char *list : kVariantLists) {
        for (const Json &one : format::memberOf(config, list))
            out.emplace(format::textOf(one, "VariantName"), &one);
    }
    return out;
}

bool hasPools(const Json &variant)
{
    const Json &pools = format::memberOf(variant, "InstancePools");
    return pools.is_array() && !pools.empty();
}

void addVariant(const Json &now, const ConfiguredVariants &configured, EndpointVariants &out)
{
    EndpointVariant variant;
    variant.name = format::textOf(now, "VariantName");
    const auto known = configured.find(variant.name);
    static const Json kNotConfigured;
    const Json &config = known == configured.end() ? kNotConfigured : *known->second;
    if (format::memberOf(now, "CurrentServerlessConfig").is_object()
        || format::memberOf(config, "ServerlessConfig").is_object())
        return;
    if (hasPools(now) || hasPools(config)) {
        out.leftOut.emplace_back("endpoint with instance pools");
        return;
    }
    variant.type = format::textOf(config, "InstanceType");
    const auto instances = instanceCountIn(now, "CurrentInstanceCount");
    const bool isTwice = std::any_of(out.variants.begin(), out.variants.end(),
                                     [&](const EndpointVariant &one) { return one.name == variant.name; });
    if (variant.name.empty() || !instances || isTwice) {
        out.leftOut.push_back(kUnreadableEndpoint);
    } else if (variant.type.empty()) {
        out.leftOut.emplace_back("variant of an endpoint whose type is not told");
    } else {
        variant.instances = *instances;
        out.variants.push_back(std::move(variant));
    }
}

} // namespace

EndpointVariants variantsIn(const Json &endpoint, const Json &config)
{
    EndpointVariants out;
    const ConfiguredVariants configured = configuredVariants(config);
    // A configuration never changes, and either may have been deleted and made again under the same name.
    out.since = std::max(instantIn(endpoint, "CreationTime"), instantIn(config, "CreationTime"));
    if (!format::memberOf(endpoint, kVariantLists[0]).is_array())
        out.leftOut.push_back(kUnreadableEndpoint);
    for (const char *list : kVariantLists) {
        for (const Json &now : format::memberOf(endpoint, list))
            addVariant(now, configured, out);
    }
    return out;
}

} // namespace gpuledger::aws
