// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "connectors/format/xmltree.h"

#include <optional>
#include <string>
#include <vector>

// EC2's description of an instance, and what follows from it for a stop. No calls; values.
namespace gpuledger::aws {

// One instance in an answer to DescribeInstances.
struct InstanceFacts {
    std::string id, account, type, state; // state: "running"; "" for an unknown code
    std::string launched; // as written; changes at every start
    std::string reason; // of the last state change
    std::string zone, lifecycle, spotRequest, rootDevice, privateName;
    std::string capacityReservation, capacityBlock;
    int volumes = 0;
    bool isOperatorManaged = false;
    base::UtcTime created{}; // when its oldest volume was attached, otherwise its last start
    model::Labels tags;
};
// Fails with Parse (an instance without id, account, state or start time).
[[nodiscard]] base::Result<std::vector<InstanceFacts>> instancesIn(const format::XmlNode &answer);

// Facts about an instance from other calls; std::nullopt if they could not be read.
struct InstanceExtras {
    std::optional<bool> isProtected; // DisableApiStop
    std::optional<bool> hasLocalDisks; // instance store
    std::string spotKind; // "one-time", "persistent"; "" if it is not a spot instance, or unknown
};

// Only the low byte of a code counts. "" for an unknown code.
std::string stateName(std::string_view code);
// Changes with every start, stop, change of type and change of tags.
std::string versionOf(const InstanceFacts &facts);
std::string arnOf(const InstanceFacts &facts, const std::string &region);
// Describes the group or operator that keeps the instance running, judged by its tags; std::nullopt if none.
std::optional<std::string> groupOf(const model::Labels &tags);

// Everything except `ref.source` and the holders.
model::TargetState stateOf(const InstanceFacts &facts, const InstanceExtras &extras, const std::string &region,
                           base::UtcTime readAt);

} // namespace gpuledger::aws
