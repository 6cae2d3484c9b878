// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/cloudcommitment.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

// What a commitment of Compute Engine is (compute/v1 Commitment). No calls; values.
namespace gpuledger::gcp {

// Whether it is one for machines that is active, or will be; std::nullopt: its category or its status can't be read.
std::optional<bool> isCommittedUse(const nlohmann::json &commitment);

// `region`: where it was listed, if it does not say so itself. std::nullopt: it has no number as id, or a member of
// another form, so that what was bought, where or until when would not be known.
std::optional<model::CloudCommitment> committedUseOf(const nlohmann::json &commitment, const std::string &project,
                                                     const std::string &region);

} // namespace gpuledger::gcp
