// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gpuledger::aws {

// How CloudWatch names the metrics of a machine of SageMaker: a variant of an endpoint, or a training job. Names are
// spelled as whoever gave them did; in ARNs they may be in lower case.
struct SageMakerMeter {
    std::string endpoint, variant; // empty: it is a training job
    std::string trainingJob;
    std::int64_t instances = 0, gpusOfInstance = 0; // of the machine
    // Before this time, instances of another type may have had the name.
    std::optional<base::UtcTime> from{};

    bool isOfJob() const { return !trainingJob.empty(); }
};
using SageMakerMeters = std::map<std::string, SageMakerMeter>; // by ListedMachine::id

} // namespace gpuledger::aws
