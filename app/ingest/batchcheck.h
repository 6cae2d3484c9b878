// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/factbatch.h"

namespace gpuledger::ingest {

// Removes from a batch what cannot be true (reliability.md, G10): records without a name, buckets outside the covered
// time or more than five minutes in the future, shares above 1, observed time without a reading. What is removed is
// counted in batch.rejected; references stay valid. Fails with Parse if the batch as a whole is invalid (no or
// unaligned covered time, a dangling reference).
[[nodiscard]] base::Result<void> rejectUnsound(ports::FactBatch &batch, base::UtcTime now);

} // namespace gpuledger::ingest
