// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/ports/costsource.h"
#include "connectors/aws/accounts/accountnames.h"

namespace gpuledger::aws {

// The names of the organization for a bill, which they never hold up. They are asked for at most once in `refresh`, and
// the sink keeps them. A failure is logged, and leaves what was known; without the right or an organization, there are
// none. Fails with Cancelled, and with the errors of the sink.
[[nodiscard]] base::Result<AccountNames> knownAccountNames(AwsApi &api, ports::BillSink &sink, base::UtcTime now,
                                                           base::Seconds refresh, const std::stop_token &stop);

} // namespace gpuledger::aws
