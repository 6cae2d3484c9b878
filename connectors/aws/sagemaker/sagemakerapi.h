// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/fleet.h"
#include "connectors/aws/awsapi.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::aws {

// A list of SageMaker: its action, and where its answers have it.
struct SageMakerList {
    const char *action = nullptr; // "ListEndpoints"
    const char *member = nullptr; // "Endpoints"
};

// Asks SageMaker what exists. One thread.
class SageMakerApi {
public:
    static constexpr std::size_t kMostListPages = 1000; // of up to 100 things

    explicit SageMakerApi(AwsApi &api); // which must outlive it

    base::UtcTime now() const { return m_api.now(); }
    // Whether it ever answered, be it with a refusal.
    bool isReached() const { return m_isReached; }

    // All pages of a list, which `filter` narrows. Fails as AwsApi::read and eachPage do, and with Parse.
    [[nodiscard]] base::Result<std::vector<nlohmann::json>>
    list(const SageMakerList &what, const nlohmann::json &filter, const std::stop_token &stop);
    // The description of one thing; null: it does not exist any more. Fails as AwsApi::read does, and with Parse.
    [[nodiscard]] base::Result<nlohmann::json> describe(const std::string &action, const nlohmann::json &which,
                                                        const std::stop_token &stop);
    // None if the thing does not exist any more. Fails as list() does.
    [[nodiscard]] base::Result<model::Labels> tagsOf(const std::string &arn, const std::stop_token &stop);
    // The answer to a list that is only asked for whether it is allowed. Fails as AwsApi::read does.
    [[nodiscard]] base::Result<void> tryList(const SageMakerList &what, const std::stop_token &stop);

private:
    void noteReached(const base::Error &error);

    AwsApi &m_api;
    bool m_isReached = false;
};

// Whether the service has no such action: private stacks, and moto, do not have all of them.
bool isUnknownAction(const base::Error &error, const SageMakerList &what);

// Seconds since 1970 with a fraction, which is cut off; std::nullopt: there is no usable time.
std::optional<base::UtcTime> instantIn(const nlohmann::json &object, const char *key);
// A number of instances; std::nullopt: it is none. One that is absurdly large becomes one that still can be multiplied.
std::optional<std::int64_t> instanceCountIn(const nlohmann::json &object, const char *key);
// Whether it can be the ARN of something in SageMaker, and be written into one line.
bool isSageMakerArn(std::string_view text);
// "123456789012" of "arn:aws:sagemaker:us-east-1:123456789012:endpoint/x"; empty: there is none.
std::string accountIn(std::string_view arn);

} // namespace gpuledger::aws
