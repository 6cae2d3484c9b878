// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/usage/exporterpods.h"
#include "connectors/prometheus/usage/machinefacts.h"
#include "connectors/prometheus/usage/usageassembler.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace gpuledger::prometheus {

// The last step of an assembler: merges the raw series of the same device and holder, determines how holders share a
// device, and writes the facts. Lives for one call.
class UsageMerger {
public:
    UsageMerger(UsageAssembler &assembler, const KubeFacts &facts, ports::FactBatch &batch);
    void run();

private:
    struct Merged {
        std::array<std::uint16_t, kSignals> activity{model::kNoShare, model::kNoShare, model::kNoShare,
                                                     model::kNoShare};
        std::array<std::uint16_t, kSignals> seconds{};
        std::uint16_t tensor = model::kNoShare;
        std::uint16_t power = model::kNoPower;
        std::uint32_t memoryMean = model::kNoMemory;
        std::uint32_t memoryMax = model::kNoMemory;
        std::uint32_t node = ports::FactBatch::kNone;
        model::SeriesRole role = model::SeriesRole::Slice;
        bool processOnly = false; // only the utilization is specific to this holder

        int observed() const;
    };
    struct Slot { // a device, instance and holder
        std::uint32_t device = 0;
        std::string gpuInstance;
        std::uint32_t subject = ports::FactBatch::kNone;
        std::vector<std::uint32_t> raw;
        std::size_t first = 0, end = 0; // the buckets that its series keep
        std::vector<Merged> cells; // of all buckets
    };
    using DeviceKey = std::pair<std::string, std::string>;

    std::uint32_t deviceOf(const RawSeries &series);
    // Whether the scheduler has records of the machine.
    bool isOfScheduler(const SeriesIdentity &id) const;
    std::uint32_t subjectOf(const RawSeries &series);
    std::uint32_t nodeOf(const RawSeries &series);
    void hearMachine(std::uint32_t subject, std::uint32_t node, const RawSeries &series);
    void describeMemory();
    void mergeSlot(Slot &slot);
    void mergeSignal(const Slot &slot, std::size_t bucket, std::size_t signal, Merged &out);
    std::uint16_t secondsOf(const RawSeries &series, std::uint16_t samples) const;
    void relate(std::vector<Slot *> &group);
    void relateBucket(std::vector<Slot *> &group, std::size_t bucket);
    void emit(const Slot &slot);
    void release(Slot &slot);

    UsageAssembler &m_assembler;
    const KubeFacts &m_facts;
    ports::FactBatch &m_batch;
    const ExporterPods m_exporters;
    std::map<DeviceKey, std::uint32_t> m_devices;
    std::map<std::tuple<std::string, int, std::string, std::string, std::string>, std::uint32_t> m_subjects;
    std::map<std::pair<std::string, std::string>, std::uint32_t> m_nodes;
    std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, Slot> m_slots;
    MachineFacts m_machines;
    std::vector<std::uint32_t> m_nodeOfSeries;
    std::map<std::string, int> m_intervalOfJob; // seconds
};

} // namespace gpuledger::prometheus
