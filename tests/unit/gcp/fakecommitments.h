// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/json.h"
#include "tests/unit/prometheus/testtools.h"

#include <nlohmann/json.hpp>

#include <string>

// Commitments as Compute Engine describes them (compute/v1 Commitment).
namespace tst_committeduse {

using namespace gpuledger;
using namespace gpuledger::tests;
using Json = nlohmann::json;

// 16 H100 for a year, with a merge patch.
inline Json commitment(const std::string &id, const char *patch = "{}")
{
    Json out{{"kind", "compute#commitment"},
             {"id", id},
             {"name", "h100-" + id},
             {"region", "https://www.googleapis.com/compute/v1/projects/ml/regions/us-central1"},
             {"status", "ACTIVE"},
             {"plan", "TWELVE_MONTH"},
             {"category", "MACHINE"},
             {"type", "ACCELERATOR_OPTIMIZED_A3"},
             {"autoRenew", true},
             {"startTimestamp", "2026-03-01T00:00:00.000-08:00"},
             {"endTimestamp", "2027-03-01T00:00:00.000-08:00"},
             {"resources",
              Json::array({{{"type", "VCPU"}, {"amount", "416"}},
                           {{"type", "MEMORY"}, {"amount", "3833856"}},
                           {{"type", "LOCAL_SSD"}, {"amount", "12000"}},
                           {{"type", "ACCELERATOR"}, {"amount", "16"}, {"acceleratorType", "nvidia-h100-80gb"}}})},
             {"reservations", Json::array()}};
    out.merge_patch(*format::parseJson(js(patch)));
    return out;
}

} // namespace tst_committeduse
