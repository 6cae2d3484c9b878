// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"

namespace gpuledger::services {

// True if the account may not do it, or there is none: it may have been given for something else.
inline bool isOfAccess(const base::Error &error)
{
    return error.code == base::ErrorCode::Forbidden || error.code == base::ErrorCode::Unauthorized
        || error.code == base::ErrorCode::InvalidConfig;
}

} // namespace gpuledger::services
