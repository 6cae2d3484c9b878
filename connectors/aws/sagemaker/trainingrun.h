// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::aws {

// Machines of one type that a training job has.
struct TrainingMachines {
    std::string type;
    std::int64_t instances = 0;
};

struct TrainingRun {
    std::vector<TrainingMachines> machines; // at least one
    base::UtcTime since{};
    std::optional<base::UtcTime> until; // empty: it goes on
    bool isSpot = false;
};

enum class TrainingAnswer {
    Run,
    NoRun, // it has not started, ended too long ago, or has no machines
    Unreadable,
};

// Whether what ListTrainingJobs says of a job can be a run that goes on, or ended at `earliest` or later.
TrainingAnswer mayRun(const nlohmann::json &summary, base::UtcTime earliest);
// The same for DescribeTrainingJob. Sets `to` if it is a run.
TrainingAnswer readTraining(const nlohmann::json &job, base::UtcTime earliest, TrainingRun &to);

} // namespace gpuledger::aws
