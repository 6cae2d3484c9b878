// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/exports/bloblist.h"

#include "app/base/text/text.h"
#include "connectors/format/xmltree.h"
#include "connectors/http/serverclock.h"

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using format::ObjectPage;
using format::StoredObject;

namespace {

// The list gives it bare, the header of a blob has quotes.
std::string quoted(std::string etag)
{
    return etag.starts_with('"') || etag.starts_with("W/") ? etag : '"' + etag + '"';
}

} // namespace

Result<ObjectPage> blobPageOf(std::string_view body)
{
    const auto root = format::parseXml(body);
    if (!root || root->name != "EnumerationResults")
        return base::fail(ErrorCode::Parse, "List Blobs was not answered with a list");
    ObjectPage page;
    for (const format::XmlNode &node : root->listAt("Blobs")) {
        if (node.name != "Blob")
            continue;
        StoredObject one;
        one.key = node.textAt("Name");
        const std::string etag = node.textAt("Properties/Etag");
        const auto bytes = base::parseInt(node.textAt("Properties/Content-Length"));
        const auto modified = http::timeOf(node.textAt("Properties/Last-Modified"));
        if (one.key.empty() || etag.empty() || !bytes || *bytes < 0 || !modified)
            return base::fail(ErrorCode::Parse, "List Blobs has a blob without a name, ETag, length or time");
        one.etag = quoted(etag);
        one.bytes = static_cast<std::uint64_t>(*bytes);
        one.modified = *modified;
        page.objects.push_back(std::move(one));
    }
    page.next = root->textAt("NextMarker");
    return page;
}

} // namespace gpuledger::azure
