// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/connectordescriptor.h"

#include <string_view>
#include <vector>

// Collects the source kinds of all folders in connectors.def, each with its settings, rights and factories. Pure; any
// thread.
#define GPULEDGER_CONNECTOR(folder)                                                                                    \
    namespace gpuledger::folder {                                                                                      \
    std::vector<connectors::ConnectorDescriptor> connectors();                                                         \
    }
#include "connectors/connectors.def"
#undef GPULEDGER_CONNECTOR

namespace gpuledger::connectors {

// All descriptors, in the order of connectors.def; valid for the life of the program.
const std::vector<ConnectorDescriptor> &descriptors();
// Null if no connector has this kind.
const ConnectorDescriptor *descriptorOf(std::string_view kind);

} // namespace gpuledger::connectors
