// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/connectordescriptor.h"

#include <string_view>
#include <vector>

// What each folder of connectors.def adds to the program: its kinds of source, each with settings, rights and
// factories. Pure; any thread.
#define GPULEDGER_CONNECTOR(folder)                                                                                    \
    namespace gpuledger::folder {                                                                                      \
    std::vector<connectors::ConnectorDescriptor> connectors();                                                         \
    }
#include "connectors/connectors.def"
#undef GPULEDGER_CONNECTOR

namespace gpuledger::connectors {

// All of them, in the order of connectors.def; they live as long as the program.
const std::vector<ConnectorDescriptor> &descriptors();
// Null where no connector has this kind.
const ConnectorDescriptor *descriptorOf(std::string_view kind);

} // namespace gpuledger::connectors
