// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/serviceaddress.h"

#include "connectors/http/url.h"

namespace gpuledger::gcp {

using base::Result;

namespace {

constexpr std::string_view kGoogleHosts = ".googleapis.com"; // how hosts end

} // namespace

Result<std::string> serviceAddress(const std::string &url, std::string_view service, std::string_view named)
{
    std::string address = url.empty() ? "https://" + std::string(service) + std::string(kGoogleHosts) : url;
    const auto parsed = http::parseUrl(address);
    GPULEDGER_TRY(parsed);
    while (address.ends_with('/'))
        address.pop_back();
    const std::string &host = parsed->host;
    if (host.starts_with(named) && host.find_first_of(".-") == named.size() && host.ends_with(kGoogleHosts))
        address.replace(address.find("://") + 3, named.size(), service);
    return address;
}

} // namespace gpuledger::gcp
