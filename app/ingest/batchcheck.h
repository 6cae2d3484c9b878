// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/factbatch.h"

namespace gpuledger::ingest {

// Takes out of a batch what can't be true (reliability.md, G10): records without a name, buckets outside of the covered
// time or more than five minutes in the future, shares above 1, observed time without a reading. What is taken out is
// counted in batch.rejected; references stay right. Fails with Parse when the batch as a whole makes no sense (no or
// unaligned covered time, a reference to nothing).
[[nodiscard]] base::Result<void> rejectUnsound(ports::FactBatch &batch, base::UtcTime now);

} // namespace gpuledger::ingest
