// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/noticetarget.h"
#include "app/ports/secretstore.h"
#include "connectors/auth/requestsigner.h"
#include "connectors/http/httpclient.h"

#include <functional>
#include <memory>

namespace gpuledger::notify {

// Called for each target, so that the network thread begins with the first one.
using ClientSource = std::function<std::shared_ptr<http::HttpClient>()>;

// Makes every kind of target but `desktop`, which is Unsupported here. Secrets are read when a target is made, except
// the keys of `signers`, which are found when a message is sent; without signers, targets with AWS signatures can't be
// made. `secrets` and `realClock` must outlive the result and its targets. Any thread.
std::unique_ptr<ports::NoticeTargets> targets(ClientSource client, ports::SecretStore &secrets,
                                              const base::Clock &realClock, auth::SignerSource signers = {});

} // namespace gpuledger::notify
