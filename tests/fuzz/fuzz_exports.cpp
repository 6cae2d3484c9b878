// SPDX-License-Identifier: GPL-3.0-or-later
// Bills that clouds export: lists of buckets, keys of manifests, and manifests.
#include "app/base/text/text.h"
#include "connectors/aws/exports/manifest.h"
#include "connectors/aws/exports/objectlist.h"
#include "connectors/azure/exports/bloblist.h"
#include "connectors/azure/exports/manifest.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

namespace gpuledger::fuzz {

namespace {

void checkPlace(const std::optional<format::ManifestPlace> &place, std::string_view key)
{
    if (!place)
        return;
    check(format::isPeriod(place->period), "a period is a month");
    check(key.starts_with(place->root), "a manifest lies in its export");
    check(!format::hasDotSegment(place->root), "the folder of an export has no dots");
}

// Whatever a manifest names is looked for inside of its export.
void checkManifest(const base::Result<format::ExportManifest> &manifest, const std::string &root)
{
    if (!manifest)
        return;
    check(!manifest->keys.empty() && manifest->keys.size() <= format::kMostExportFiles, "a manifest names files");
    check(std::is_sorted(manifest->keys.begin(), manifest->keys.end()), "keys are in order");
    for (const std::string &key : manifest->keys) {
        check(root.empty() || key.starts_with(root + '/'), "a file lies in its export");
        check(!format::hasDotSegment(key) && !key.ends_with('/'), "a key is that of a file");
    }
    check(base::printable(manifest->otherTable) == manifest->otherTable, "the name of a table is printable");
}

void checkPage(const base::Result<format::ObjectPage> &page)
{
    if (!page)
        return;
    for (const format::StoredObject &object : page->objects)
        check(!object.key.empty() && !object.etag.empty(), "an object has a key and an ETag");
}

} // namespace

void fuzz(std::string_view bytes)
{
    checkPlace(aws::manifestPlaceOf(bytes), bytes);
    checkPlace(azure::manifestPlaceOf(bytes), bytes);
    checkPage(aws::objectPageOf(bytes));
    checkPage(azure::blobPageOf(bytes));
    for (const char *root : {"", "a/focus"}) {
        checkManifest(aws::exportManifestOf(bytes, {root, "2026-10"}), root);
        checkManifest(azure::exportManifestOf(bytes, {root, "2026-10"}), root);
    }
}

} // namespace gpuledger::fuzz
