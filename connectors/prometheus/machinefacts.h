// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/telemetrysource.h"

#include <cstdint>
#include <map>
#include <string>

namespace gpuledger::prometheus {

// What the series of machines that no scheduler runs say of them by their labels. Lives for one batch; one thread.
class MachineFacts {
public:
    // A series said it until the bucket `last`. `node`: index into the batch's nodes; `name`: what telemetry calls the
    // machine.
    void hear(std::uint32_t node, const std::string &name, const model::Labels &labels, std::size_t last);
    // Labels of the nodes, and by these where the machine is and what a bill calls it.
    void describe(ports::FactBatch &batch) const;

private:
    struct Told {
        std::string value;
        std::size_t last = 0;
        bool disputed = false; // series of that bucket differ: it is about a device, not the machine
    };
    struct Machine {
        std::string name;
        std::map<std::string, Told> labels;
    };
    std::map<std::uint32_t, Machine> m_machines;
};

} // namespace gpuledger::prometheus
