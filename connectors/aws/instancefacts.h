// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "connectors/aws/xmltree.h"

#include <optional>
#include <string>
#include <vector>

// What EC2 says of a machine, and what follows from it for a stop. No calls; values.
namespace gpuledger::aws {

// One machine of an answer to DescribeInstances.
struct InstanceFacts {
    std::string id, account, type, state; // state: "running"; "" for a code that is not known
    std::string launched; // as written; moves at every start
    std::string reason; // of the last change of its state
    std::string zone, lifecycle, spotRequest, rootDevice, privateName;
    std::string capacityReservation, capacityBlock;
    int volumes = 0;
    bool isOperatorManaged = false;
    base::UtcTime created{}; // when its oldest volume was attached, else its last start
    model::Labels tags;
};
// Fails with Parse (a machine without id, account, state or start).
[[nodiscard]] base::Result<std::vector<InstanceFacts>> instancesIn(const XmlNode &answer);

// What other calls tell of it; nothing: could not be read.
struct InstanceExtras {
    std::optional<bool> isProtected; // DisableApiStop
    std::optional<bool> hasLocalDisks; // instance store
    std::string spotKind; // "one-time", "persistent"; "": no spot machine, or not known
};

// The low byte of a code counts. "" for one that is not known.
std::string stateName(std::string_view code);
// Changes with a start, a stop, another type and every tag.
std::string versionOf(const InstanceFacts &facts);
std::string arnOf(const InstanceFacts &facts, const std::string &region);
// Which words tell that a group or an operator keeps it up; nothing: none.
std::optional<std::string> groupOf(const model::Labels &tags);

// All but `ref.source` and the holders.
model::TargetState stateOf(const InstanceFacts &facts, const InstanceExtras &extras, const std::string &region,
                           base::UtcTime readAt);

} // namespace gpuledger::aws
