// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/model/settings.h"
#include "app/ports/noticetarget.h"

#include <memory>
#include <string>

namespace gpuledger::notify {

// Sends notices as mail over SMTP. smtp:// needs STARTTLS, except to this machine without a login, where nothing is
// encrypted; a password is never sent in clear text. A temporary refusal of some recipients is Retry, and the next
// attempt of this object goes to these only; those who are refused for good are named in Delivery::detail.
// `caFile`: PEM; empty: the system's authorities.
std::unique_ptr<ports::NoticeTarget> mailTarget(const model::AlertTarget &target, base::Secret password,
                                                std::string caFile = {});

} // namespace gpuledger::notify
