// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/exports/exportsource.h"

#include "app/base/crypto/sha256.h"
#include "app/base/files/privatefolder.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/exports/keptquery.h"
#include "connectors/format/focus/billimport.h"
#include "connectors/format/focus/billprobe.h"
#include "connectors/format/parquet/parquetreader.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace gpuledger::format {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownName = 512;

std::string folderOf(const std::string &key)
{
    const std::size_t slash = key.rfind('/');
    return slash == std::string::npos ? std::string() : key.substr(0, slash + 1);
}

bool endsLike(std::string text, std::string_view ending)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text.ends_with(ending);
}

} // namespace

struct ExportSource::Copies {
    std::unique_ptr<base::PrivateFolder> folder;
    ports::BillDelivery delivery; // in that folder
    std::vector<std::string> names; // of the originals
};

std::uint64_t ExportSource::Month::bytes() const
{
    std::uint64_t sum = 0;
    for (const StoredObject &file : files)
        sum += file.bytes;
    return sum;
}

std::string ExportSource::Month::identity(const std::string &kind) const
{
    std::string text = kind + '1';
    for (const StoredObject &file : files)
        text += '\n' + file.key + '\n' + file.etag + '\n' + std::to_string(file.bytes);
    return base::sha256Hex(text);
}

ExportSource::ExportSource(std::string name, std::string prefix, const base::Clock &clock,
                           std::unique_ptr<ObjectStore> store, ExportLayout layout, std::unique_ptr<MonthQuery> query)
    : m_name(std::move(name))
    , m_prefix(std::move(prefix))
    , m_clock(clock)
    , m_store(std::move(store))
    , m_layout(std::move(layout))
    , m_query(std::move(query))
{
}

std::optional<ports::PaidCalls> ExportSource::paid() const
{
    return m_query ? std::optional(m_query->paid()) : std::nullopt;
}

std::optional<std::uint64_t> ExportSource::scanned() const
{
    return m_query ? std::optional(m_query->scanned()) : std::nullopt;
}

// By period.
Result<std::map<std::string, StoredObject>> ExportSource::newestManifests(const std::stop_token &stop)
{
    std::map<std::string, StoredObject> newest;
    std::set<std::string> roots;
    const auto listed = m_store->list(m_prefix, stop, [&](StoredObject object) {
        const auto place = m_layout.placeOf(object.key);
        if (!place)
            return;
        roots.insert(place->root);
        const auto [at, isFirst] = newest.try_emplace(place->period, object);
        // Names of executions begin with their time, which decides within a second.
        if (!isFirst && std::pair(at->second.modified, at->second.key) < std::pair(object.modified, object.key))
            at->second = std::move(object);
    });
    GPULEDGER_TRY(listed);
    const std::string where = base::printable(m_store->nameOf(m_prefix), kShownName);
    if (newest.empty())
        return base::fail(ErrorCode::NotFound,
                          "no export of " + std::string(m_layout.service) + " below " + where + ": there is no "
                              + m_layout.manifestForm,
                          m_layout.whereIsIt);
    if (roots.size() > 1)
        return base::fail(ErrorCode::InvalidConfig,
                          std::to_string(roots.size()) + " exports below " + where + ", such as "
                              + base::printable(*roots.begin(), kShownName) + " and "
                              + base::printable(*roots.rbegin(), kShownName),
                          base::Remedy::NameOneExport);
    return newest;
}

Result<std::vector<ExportSource::Month>> ExportSource::months(const std::stop_token &stop)
{
    const auto manifests = newestManifests(stop);
    GPULEDGER_TRY(manifests);
    std::vector<Month> out;
    for (const auto &[period, manifest] : *manifests) {
        const auto place = m_layout.placeOf(manifest.key);
        auto month = monthOf(*place, manifest, stop);
        GPULEDGER_TRY(month);
        out.push_back(std::move(*month));
    }
    return out;
}

Result<ExportSource::Month> ExportSource::monthOf(const ManifestPlace &place, StoredObject object,
                                                  const std::stop_token &stop)
{
    Month month;
    month.period = place.period;
    month.manifest = std::move(object);
    const std::string shown = base::printable(m_store->nameOf(month.manifest.key), kShownName);
    const auto body = m_store->text(month.manifest, stop);
    GPULEDGER_TRY(body);
    const auto manifest = m_layout.manifestOf(*body, place);
    if (!manifest) {
        month.broken = base::Error(manifest.error()).withSource(shown);
        return month;
    }
    const auto parquet = std::find_if(manifest->keys.begin(), manifest->keys.end(),
                                      [](const std::string &key) { return endsLike(key, ".parquet"); });
    if (parquet != manifest->keys.end() && !m_query && !parquetAvailable())
        month.broken = base::Error::make(ErrorCode::Unsupported,
                                         base::printable(m_store->nameOf(*parquet), kShownName)
                                             + " is Parquet, which this build can't read",
                                         m_layout.chooseFocus);
    else if (!manifest->otherTable.empty())
        month.broken = base::Error::make(ErrorCode::Unsupported,
                                         shown + " belongs to " + manifest->otherTable + ", which can't be read",
                                         m_layout.chooseFocus);
    if (!month.broken)
        GPULEDGER_TRY(findFiles(month, manifest->keys, stop));
    return month;
}

Result<void> ExportSource::findFiles(Month &month, const std::vector<std::string> &keys, const std::stop_token &stop)
{
    std::set<std::string> folders;
    for (const std::string &key : keys)
        folders.insert(folderOf(key));
    std::map<std::string, StoredObject> there;
    for (const std::string &folder : folders)
        GPULEDGER_TRY(m_store->list(folder, stop, [&](StoredObject object) {
            if (std::binary_search(keys.begin(), keys.end(), object.key))
                there.insert_or_assign(object.key, std::move(object));
        }));
    const base::UtcTime now = m_clock.now();
    std::optional<base::UtcTime> changed; // the last change by an execution that is not complete
    for (const std::string &key : keys) {
        const auto found = there.find(key);
        if (found == there.end())
            changed = std::max(changed.value_or(month.manifest.modified), month.manifest.modified);
        else if (found->second.modified > month.manifest.modified)
            changed = std::max(changed.value_or(found->second.modified), found->second.modified);
    }
    if (changed && now < *changed + kWriting && *changed < now + kWriting) {
        month.waitsUntil = *changed + kWriting;
        return {};
    }
    for (const std::string &key : keys) {
        const auto found = there.find(key);
        if (found == there.end()) {
            month.broken = base::Error::make(ErrorCode::NotFound,
                                             base::printable(m_store->nameOf(key), kShownName)
                                                 + " is missing, and the manifest of " + month.period + " names it",
                                             base::Remedy::RestoreExportFile);
            return {};
        }
        month.files.push_back(std::move(found->second));
    }
    return {};
}

ports::BillDelivery ExportSource::deliveryOf(const Month &month) const
{
    ports::BillDelivery delivery;
    for (const StoredObject &file : month.files)
        delivery.files.emplace_back(m_store->nameOf(file.key));
    if (month.broken)
        delivery.files = {m_store->nameOf(month.manifest.key)};
    return delivery;
}

Result<std::vector<ports::BillDelivery>> ExportSource::deliveries(std::stop_token stop)
{
    m_waiting.clear();
    m_months.clear();
    auto all = months(stop);
    GPULEDGER_TRY(all);
    m_months = std::move(*all);
    std::vector<ports::BillDelivery> out;
    for (const Month &month : m_months) {
        const auto before = m_imported.find(month.period);
        if (month.waitsUntil)
            m_waiting.push_back({m_store->nameOf(month.manifest.key), *month.waitsUntil});
        else if (month.broken || before == m_imported.end() || before->second != identityOf(month))
            out.push_back(deliveryOf(month));
    }
    return out;
}

Result<ExportSource::Copies> ExportSource::fetch(const Month &month, const std::stop_token &stop)
{
    auto folder = base::PrivateFolder::make();
    GPULEDGER_TRY(folder);
    Copies copies;
    copies.folder = std::move(*folder);
    for (const StoredObject &file : month.files) {
        constexpr std::size_t kDigits = 5; // ascending names
        const std::string number = std::to_string(copies.names.size());
        const auto to = copies.folder->path() / (std::string(kDigits - std::min(kDigits, number.size()), '0') + number);
        GPULEDGER_TRY(m_store->download(file, to, stop));
        copies.delivery.files.push_back(to);
        copies.names.push_back(m_store->nameOf(file.key));
    }
    return copies;
}

Result<std::optional<ports::ImportReport>> ExportSource::known(const Month &month, ports::BillSink &sink) const
{
    const auto kept = sink.kept(m_layout.kept + month.period);
    GPULEDGER_TRY(kept);
    std::istringstream words(*kept);
    std::string identity;
    std::vector<std::string> hashes;
    words >> identity;
    for (std::string hash; words >> hash;)
        hashes.push_back(std::move(hash));
    if (identity != identityOf(month) || hashes.size() != month.files.size())
        return std::optional<ports::ImportReport>();
    ports::ImportReport report;
    report.source = m_name;
    report.outcome = ports::ImportReport::Outcome::Duplicate;
    for (std::size_t i = 0; i < hashes.size(); ++i)
        report.files.push_back(
            {base::repairedUtf8(m_store->nameOf(month.files[i].key)), hashes[i], month.files[i].bytes});
    std::sort(hashes.begin(), hashes.end());
    const auto isThere = sink.knows(hashes);
    GPULEDGER_TRY(isThere);
    return *isThere ? std::optional(std::move(report)) : std::nullopt;
}

Result<ports::ImportReport> ExportSource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                 std::stop_token stop)
{
    const auto month = std::find_if(m_months.begin(), m_months.end(), [&](const Month &one) {
        return !one.waitsUntil && deliveryOf(one).files == delivery.files;
    });
    if (month == m_months.end())
        return base::fail(ErrorCode::NotFound, "the export has no such month");
    if (month->broken)
        return base::fail(*month->broken);
    if (m_query)
        return importQueried(*month, sink, stop);
    const std::string identity = identityOf(*month);
    auto before = known(*month, sink);
    GPULEDGER_TRY(before);
    if (*before) {
        m_imported[month->period] = identity;
        return std::move(**before);
    }
    const auto copies = fetch(*month, stop);
    GPULEDGER_TRY(copies);
    auto report = importCopies(*month, *copies, sink, std::move(stop));
    GPULEDGER_TRY(report);
    std::string kept = identity;
    for (const ports::BillFile &file : report->files)
        kept += ' ' + file.sha256;
    GPULEDGER_TRY(sink.keep(m_layout.kept + month->period, kept));
    m_imported[month->period] = identity;
    return report;
}

Result<ports::ImportReport> ExportSource::importCopies(const Month &month, const Copies &copies, ports::BillSink &sink,
                                                       std::stop_token stop)
{
    focus::BillImport one(m_name, copies.delivery, sink, m_clock, std::move(stop), copies.names);
    auto report = one.run();
    GPULEDGER_TRY(report);
    if (report->outcome == ports::ImportReport::Outcome::Unfinished)
        return base::fail(
            base::Error::make(ErrorCode::Parse,
                              "a file of " + month.period + " is cut off or damaged: " + report->unfinished,
                              base::Remedy::NextSyncTriesAgain)
                .withSource(base::printable(copies.names.front(), kShownName)));
    return report;
}

AskedMonthFiles ExportSource::filesOf(const Month &month, const std::vector<Month> &all) const
{
    AskedMonthFiles out;
    out.period = month.period;
    out.bytes = month.bytes();
    for (const StoredObject &file : month.files)
        out.names.push_back(m_store->nameOf(file.key));
    for (const Month &one : all)
        out.allBytes += one.bytes();
    out.identity = identityOf(month);
    return out;
}

std::string ExportSource::identityOf(const Month &month) const
{
    return month.identity(m_query ? std::string(m_layout.kept) + m_query->identity() + ' ' : m_layout.kept);
}

// Files that did not change are never asked about twice, and others at most once in `refresh`.
Result<ports::ImportReport> ExportSource::importQueried(const Month &month, ports::BillSink &sink,
                                                        const std::stop_token &stop)
{
    const AskedMonthFiles files = filesOf(month, m_months);
    const std::string settings = base::sha256Hex(m_query->identity()), name = m_layout.kept + month.period;
    const auto text = sink.kept(name);
    GPULEDGER_TRY(text);
    if (const auto before = KeptQuery::fromText(*text)) {
        const auto isThere = sink.knows({before->sha256});
        GPULEDGER_TRY(isThere);
        const bool isSame = before->identity == files.identity;
        if (*isThere && (isSame || before->isFresh(settings, m_clock.now(), m_query->refresh()))) {
            if (isSame)
                m_imported[month.period] = files.identity;
            ports::ImportReport report;
            report.source = m_name;
            report.outcome = ports::ImportReport::Outcome::Duplicate;
            report.files.push_back({base::repairedUtf8(m_store->nameOf(month.manifest.key)), before->sha256, 0});
            return report;
        }
    }
    auto folder = base::PrivateFolder::make();
    GPULEDGER_TRY(folder);
    Copies copies;
    copies.folder = std::move(*folder);
    copies.delivery.files = {copies.folder->path() / "rows"};
    auto shown = m_query->ask(files, copies.delivery.files.front(), sink, stop);
    GPULEDGER_TRY(shown);
    copies.names = {std::move(*shown)};
    const base::UtcTime asked = m_clock.now();
    auto report = importCopies(month, copies, sink, stop);
    GPULEDGER_TRY(report);
    GPULEDGER_TRY(sink.keep(name, KeptQuery{files.identity, settings, report->files.front().sha256, asked}.toText()));
    m_imported[month.period] = files.identity;
    return report;
}

Result<ports::ProbeReport> ExportSource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    using ports::FindingText;
    ports::ProbeReport report;
    report.product = m_layout.store;
    const auto all = months(stop);
    if (!all && all.error().code == ErrorCode::Forbidden && !m_store->missingRight().empty()) {
        report.findings.push_back({Level::Good, FindingText::PlatformAnswers, {report.product}, {}, {}});
        report.findings.push_back({Level::Problem, m_layout.refused, {m_store->missingRight()}, {}, {}});
        return report;
    }
    GPULEDGER_TRY(all);
    report.findings.push_back({Level::Good, FindingText::PlatformAnswers, {report.product}, {}, {}});
    for (const std::string &right : m_layout.rights)
        report.findings.push_back({Level::Good, FindingText::RightGiven, {right}, {}, {}});
    std::uint64_t files = 0, unsettled = 0;
    std::vector<const Month *> settled; // the newest first
    for (const Month &month : *all) {
        files += month.files.size();
        unsettled += month.waitsUntil ? 1u : 0u;
        if (!month.waitsUntil)
            settled.insert(settled.begin(), &month);
    }
    if (files > 0)
        report.findings.push_back({Level::Good, FindingText::BillFiles, {files}, {}, {}});
    if (unsettled > 0)
        report.findings.push_back(
            {Level::Missing, FindingText::BillFilesNotReady, {unsettled}, ports::FindingRemedy::WaitForFiles, {}});
    // In the first days of a month its files may have no rows yet.
    const ports::ProbeReport found = report;
    for (std::size_t i = 0; i < std::min(settled.size(), kMostProbedMonths) && !report.usable; ++i) {
        ports::ProbeReport one = found;
        const auto probed = probeMonth(*settled[i], *all, one, stop);
        if (i == 0 && !probed)
            return base::fail(probed.error());
        if (i == 0 || (probed && one.usable))
            report = std::move(one);
    }
    return report;
}

Result<void> ExportSource::probeMonth(const Month &month, const std::vector<Month> &all, ports::ProbeReport &report,
                                      const std::stop_token &stop)
{
    if (month.broken)
        return base::fail(*month.broken);
    if (m_query) {
        const auto canRun = m_query->probe(filesOf(month, all), report, stop);
        GPULEDGER_TRY(canRun);
        report.usable = *canRun;
        return {};
    }
    if (month.bytes() > kMostProbed) {
        report.usable = true;
        return {};
    }
    const auto copies = fetch(month, stop);
    GPULEDGER_TRY(copies);
    const std::string shown = base::printable(copies->names.front(), kShownName);
    return focus::probeBill(report, shown.substr(shown.rfind('/') + 1), m_name, copies->delivery, m_clock, stop,
                            copies->names);
}

std::optional<std::string> exportFolder(std::string prefix)
{
    if (prefix != base::printable(prefix) || prefix.find("//") != std::string::npos)
        return std::nullopt;
    prefix.erase(0, prefix.find_first_not_of('/'));
    if (!prefix.empty() && !prefix.ends_with('/'))
        prefix += '/';
    return prefix;
}

} // namespace gpuledger::format
