// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/telemetrysource.h"

#include <cstdint>
#include <map>
#include <string>

namespace gpuledger::prometheus {

// Collects what the labels of series say about machines that no scheduler manages. Lives for one batch; one thread.
class MachineFacts {
public:
    // Records that a series reported these labels until the bucket `last`. `node`: index into the batch's nodes;
    // `name`: what telemetry calls the machine.
    void hear(std::uint32_t node, const std::string &name, const model::Labels &labels, std::size_t last);
    // Sets the labels of the nodes and, derived from them, each machine's location and its name on bills.
    void describe(ports::FactBatch &batch) const;

private:
    struct Told {
        std::string value;
        std::size_t last = 0;
        bool disputed = false; // series of that bucket disagree: the label describes a device, not the machine
    };
    struct Machine {
        std::string name;
        std::map<std::string, Told> labels;
    };
    std::map<std::uint32_t, Machine> m_machines;
};

} // namespace gpuledger::prometheus
