// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcekind.h"

namespace gpuledger::azure {

// Settings that the kinds of Azure share.
inline constexpr ports::SourceField kTenantField{.key = "tenant",
                                                 .type = ports::SourceField::Type::Text,
                                                 .title = "Tenant",
                                                 .help = "Id of the directory that the application belongs to",
                                                 .fallback = "none",
                                                 .example = "contoso.onmicrosoft.com"};
inline constexpr ports::SourceField kLoginField{.key = "login",
                                                .type = ports::SourceField::Type::Text,
                                                .title = "Login",
                                                .help = "Address of the service that gives tokens",
                                                .fallback = "that of the cloud of the address",
                                                .example = "https://login.microsoftonline.us",
                                                .isRare = true};
// Of kinds that ask the Resource Manager.
inline constexpr ports::SourceField kManagerField{.key = "url",
                                                  .type = ports::SourceField::Type::Url,
                                                  .title = "Address",
                                                  .help = "Only for a private endpoint or a national cloud",
                                                  .fallback = "https://management.azure.com",
                                                  .example = "https://management.usgovcloudapi.net",
                                                  .isRare = true};

inline ports::SourceField accessField(std::string_view help)
{
    ports::SourceField access = ports::kAccessField;
    access.help = help;
    access.fallback = "the managed identity of this machine";
    access.logins = "none basic bearer";
    access.example = "{ type: basic, user: APPLICATION-ID, password: keychain:azure }";
    return access;
}

inline ports::SourceField authorityField()
{
    ports::SourceField authority = ports::kAuthorityField;
    authority.isRare = true;
    return authority;
}

inline constexpr std::string_view kApplicationOrToken =
    "Id and secret of an application in Microsoft Entra, or a token";

} // namespace gpuledger::azure
