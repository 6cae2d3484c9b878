// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/metadataserver.h"

#include "app/base/text/text.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <cstdlib>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

namespace {

// cloud.google.com/compute/docs/metadata. By its address: a resolver of another network may know its name, too.
constexpr const char *kMetadataAddress = "http://169.254.169.254", *kMetadataName = "metadata.google.internal";
constexpr const char *kTokenPath = "/computeMetadata/v1/instance/service-accounts/default/token";
constexpr const char *kFlavor = "metadata-flavor";
constexpr std::chrono::milliseconds kMetadataConnect{1'000}, kMetadataAnswer{5'000};

// A server elsewhere could hand out any token over plain http, and learn that one is asked for.
Result<std::string> metadataAddress(const std::string &host)
{
    if (host.empty())
        return std::string(kMetadataAddress);
    const std::string address = "http://" + host;
    const auto url = http::parseUrl(address);
    const bool isHost = url && host.find_first_of("/?#@ ") == std::string::npos;
    if (isHost && url->host == kMetadataName)
        return std::string(kMetadataAddress) + (url->port == "80" ? "" : ':' + url->port);
    if (!isHost || !(url->loopback() || http::isMetadataHost(url->host)))
        return base::fail(ErrorCode::InvalidConfig,
                          "GCE_METADATA_HOST is \"" + base::printable(host, 100)
                              + "\", which is not the metadata server of this machine: no token was asked for there",
                          base::Remedy::UnsetMetadataHost);
    return address;
}

bool isOfGoogle(const http::Response &response)
{
    return std::any_of(response.headers.begin(), response.headers.end(),
                       [](const auto &header) { return header.first == kFlavor && header.second == "Google"; });
}

auto noAccount(const std::string &why)
{
    return base::fail(ErrorCode::NotFound, "this machine has no service account of Google Cloud: " + why,
                      base::Remedy::AttachGoogleAccount);
}

} // namespace

std::string metadataHostOfProcess()
{
    const char *host = std::getenv("GCE_METADATA_HOST");
    return host ? host : "";
}

Result<FreshToken> machineToken(const TokenWire &wire, const std::stop_token &stop)
{
    const auto address = metadataAddress(wire.metadataHost);
    GPULEDGER_TRY(address);
    http::Request request;
    request.url = *address + kTokenPath;
    request.headers = {{"Metadata-Flavor", "Google"}};
    request.toMachine = true;
    request.followsRedirects = false;
    request.keepHeaders = {"date", kFlavor};
    request.timeouts = {kMetadataConnect, kMetadataAnswer, kMetadataAnswer};
    request.maxBytes = kMostTokenAnswer;
    const auto response = wire.client->perform(std::move(request), stop);
    if (!response && response.error().code != ErrorCode::Cancelled)
        return noAccount(response.error().text);
    GPULEDGER_TRY(response);
    if (!isOfGoogle(*response))
        return noAccount("what answers at " + *address + " is not Google's metadata server");
    if (response->status == 404)
        return noAccount("its metadata server knows none");
    return tokenIn(*response, *address, base::Remedy::AttachGoogleAccount, wire);
}

} // namespace gpuledger::gcp
