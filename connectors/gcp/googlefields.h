// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcekind.h"

namespace gpuledger::gcp {

// Settings that the kinds of Google Cloud share.
inline ports::SourceField accessField()
{
    ports::SourceField access = ports::kAccessField;
    access.help = "A key file of a service account, a credential file of gcloud or of an identity pool, or a token";
    access.fallback = "the service account of this machine";
    access.logins = "none bearer";
    access.example = "{ type: bearer, token: file:key.json }";
    return access;
}

inline ports::SourceField authorityField()
{
    ports::SourceField authority = ports::kAuthorityField;
    authority.isRare = true;
    return authority;
}

} // namespace gpuledger::gcp
