// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/exports/objectlist.h"

#include "app/base/text/text.h"
#include "connectors/format/xmltree.h"

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using format::ObjectPage;
using format::StoredObject;

namespace {

int digitOf(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char small = static_cast<char>(c | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// The text of a list with encoding-type=url.
std::string decodedKey(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && digitOf(text[i + 1]) >= 0 && digitOf(text[i + 2]) >= 0) {
            out += static_cast<char>(digitOf(text[i + 1]) * 16 + digitOf(text[i + 2]));
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

} // namespace

Result<ObjectPage> objectPageOf(std::string_view body)
{
    const auto root = format::parseXml(body);
    if (!root || root->name != "ListBucketResult")
        return base::fail(ErrorCode::Parse, "s3:ListBucket was not answered with a list");
    const bool isEncoded = root->textAt("EncodingType") == "url";
    ObjectPage page;
    for (const format::XmlNode &node : root->children) {
        if (node.name != "Contents")
            continue;
        StoredObject one;
        one.key = isEncoded ? decodedKey(node.textAt("Key")) : node.textAt("Key");
        one.etag = node.textAt("ETag");
        const auto bytes = base::parseInt(node.textAt("Size"));
        const auto modified = base::parseTime(node.textAt("LastModified"));
        if (one.key.empty() || one.etag.empty() || !bytes || *bytes < 0 || !modified)
            return base::fail(ErrorCode::Parse, "s3:ListBucket has an object without a key, ETag, size or time");
        one.bytes = static_cast<std::uint64_t>(*bytes);
        one.modified = *modified;
        page.objects.push_back(std::move(one));
    }
    page.next = root->textAt("NextContinuationToken");
    if (root->textAt("IsTruncated") == "true" && page.next.empty())
        return base::fail(ErrorCode::Parse, "s3:ListBucket says that there is more, but not how to go on");
    return page;
}

} // namespace gpuledger::aws
