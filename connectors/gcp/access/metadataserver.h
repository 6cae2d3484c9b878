// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/gcp/access/tokenwire.h"

#include <stop_token>
#include <string>

namespace gpuledger::gcp {

// GCE_METADATA_HOST of the process: another metadata server, as Google's libraries read it; empty: not set.
std::string metadataHostOfProcess();

// The token of the service account that this machine, node of GKE or container of Cloud Run runs as. Any thread. Fails
// with NotFound (no metadata server within a second, or no service account), InvalidConfig (a metadata server that is
// not on this machine), Parse, Server or Cancelled.
[[nodiscard]] base::Result<FreshToken> machineToken(const TokenWire &wire, const std::stop_token &stop);

} // namespace gpuledger::gcp
