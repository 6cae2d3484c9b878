// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "connectors/prometheus/query/queryrunner.h"
#include "connectors/prometheus/usage/batchpods.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::prometheus {

// Reads how often pods that worked began to write much to disks of their node, which is how checkpoints show
// (cAdvisor's container_fs_writes_bytes_total: not what goes over the network, to NFS or an object store). A server
// without this metric is not asked. One chunk, one thread; what it is created with must outlive it.
class WriteAssembler {
public:
    // `names` are those of the server's metrics; `batch` is the stretch's, with all its series.
    WriteAssembler(const ClusterNaming &clusters, const std::set<std::string> &names, const ports::FactBatch &batch);
    ~WriteAssembler();
    WriteAssembler(const WriteAssembler &) = delete;
    WriteAssembler &operator=(const WriteAssembler &) = delete;

    // Empty if no pod worked.
    std::vector<Query> queries();
    // Adds the bursts of hours in which a pod worked.
    void finish(ports::FactBatch &batch) const;

    // A pod works in an hour if a device of its has a bucket above this activity.
    static constexpr double kWorks = 0.1;

private:
    class HourVisitor;
    using Place = std::pair<std::uint32_t, std::int64_t>; // a subject, and an hour
    struct Bursts {
        std::int32_t seconds = 0;
        double count = 0;
    };

    void findWorkingHours();
    void addHourly(std::vector<Query> &out, const std::string &matchers);

    const ports::FactBatch &m_batch;
    const bool m_isRecorded;
    const BatchPods m_pods;
    std::set<Place> m_working;
    std::vector<std::unique_ptr<HourVisitor>> m_visitors;
};

} // namespace gpuledger::prometheus
