// SPDX-License-Identifier: GPL-3.0-or-later
// gpuledger:// links, addresses that users type, and addresses shown in messages.
#include "connectors/http/url.h"
#include "tests/fuzz/fuzz.h"
#include "ui/viewmodels/shell/navigator.h"

namespace gpuledger::fuzz {

namespace {

void readLink(const QUrl &url)
{
    const auto place = ui::Place::fromUrl(url);
    if (!place)
        return;
    check(!place->page.isEmpty(), "a place has a page");
    const auto again = ui::Place::fromUrl(place->toUrl());
    check(again.has_value(), "the link of a place can be read");
    check(again->scope == place->scope, "the link of a place leads to the same range and filter");
    check(again->toUrl() == place->toUrl(), "the link of a place leads back to it");
}

void readAddress(std::string_view bytes)
{
    const std::string shown = http::shownUrl(bytes);
    check(shown.find('@') == std::string::npos || bytes.find('@') != std::string_view::npos,
          "an @ comes from the input");
    const auto url = http::parseUrl(bytes);
    if (!url)
        return;
    check(url->scheme == "http" || url->scheme == "https", "the scheme is http or https");
    check(!url->host.empty() && !url->port.empty(), "an address has a host and a port");
    check(http::sameOrigin(*url, *url), "an address is of its own origin");
    const auto again = http::parseUrl(url->origin());
    check(again && http::sameOrigin(*url, *again), "the origin of an address is of the same origin");
}

} // namespace

void fuzz(std::string_view bytes)
{
    const QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    readLink(QUrl(text));
    readLink(QUrl(text, QUrl::StrictMode));
    readAddress(bytes);
}

} // namespace gpuledger::fuzz
