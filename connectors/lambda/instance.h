// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "connectors/format/keptnames.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

// What Lambda's list of instances said. Plain values; all texts are printable.
namespace gpuledger::lambda {

// What an instance is. It is forgotten by Lambda when it is terminated, and its cost is not.
struct InstanceFacts {
    std::string name, type, gpu, gpus, region; // `gpus` is a whole number; empty: unknown
    std::string tags; // a JSON object of texts; empty: none

    static constexpr std::array kTexts{&InstanceFacts::name, &InstanceFacts::type,   &InstanceFacts::gpu,
                                       &InstanceFacts::gpus, &InstanceFacts::region, &InstanceFacts::tags};
    bool operator==(const InstanceFacts &) const = default;
};

// Unhealthy instances are billed if they were active before; the others are not.
enum class InstanceState { Booting, Active, Unhealthy, Ended };

// An instance at the moment of an answer.
struct ListedInstance {
    std::string id;
    InstanceState state{};
    InstanceFacts facts;
    std::optional<std::int64_t> cents; // per hour, above 0; std::nullopt: nobody knows what it costs
    bool isReserved = false; // paid for by a contract, so its price is not what it costs
    std::string price; // as the list has it
    std::string hostName{}; // empty: not told

    bool isBilled() const { return state == InstanceState::Active || state == InstanceState::Unhealthy; }
};

} // namespace gpuledger::lambda
