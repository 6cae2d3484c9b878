// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/savingsinputs/rightsizemachine.h"
#include "app/services/savingsinputs/rightsizeworkloads.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace gpuledger::services {

// How many GPUs of a machine workloads held and used at one time; internal to rightsizefacts. `workloads` must outlive
// it. One thread; no errors.
class SizedCounts {
public:
    explicit SizedCounts(SizedWorkloads &workloads)
        : m_workloads(workloads)
    {
    }
    // Notes work that had parts of two machines in the same bucket. Of every machine of the day.
    void note(const SizedMachine &machine);
    // All parts of one hour of a machine.
    void count(const SizedMachine &machine, std::span<const SizedPart> hour);
    void endDay();

private:
    struct Counted {
        std::int32_t workload;
        std::int64_t holder;
        std::uint16_t device;
        bool used;
    };
    void countBucket(const SizedMachine &machine, std::span<const SizedPart> hour, int bucket);
    void countUsedByHolder();

    SizedWorkloads &m_workloads;
    std::map<std::int64_t, DayBuckets> m_holderBuckets; // of the day, over the machines so far
    std::map<std::int32_t, DayBuckets> m_trainingBuckets;
    std::vector<Counted> m_counted; // of the current bucket
};

} // namespace gpuledger::services
