// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/files/reportfile.h"

#include "app/base/crypto/sha256.h"
#include "app/base/files/newfilewriter.h"
#include "app/base/remedy.h"
#include "app/reports/files/reportstream.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace gpuledger::reports {

using base::ErrorCode;
using base::Result;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic("\x89GPUREP\n", 8);
constexpr std::size_t kPreamble = 8 + 4 + 4 + base::kPublicKeyBytes;
constexpr std::uint64_t kMostHeader = 64u << 10; // bytes, like all that follow
constexpr std::uint64_t kMostFile = std::uint64_t{32} << 30;
constexpr std::uint64_t kMostSettings = 1u << 20; // as for a configuration file
constexpr std::uint64_t kMostStatement = 256u << 20;
constexpr std::uint64_t kMostCache = std::uint64_t{64} << 30;
// A cache compresses to a third or a tenth; a file that expands by more than this is not a report.
constexpr std::uint64_t kMostRatio = 100, kRatioSlack = 1u << 20;
constexpr mode_t kDocumentMode = 0600; // the user decides who may read it

std::string littleEndian(std::uint32_t value)
{
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8)
        bytes.push_back(static_cast<char>(value >> shift));
    return bytes;
}

std::uint32_t littleEndianAt(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return value;
}

// Includes the purpose, so that no other signature of the same key can be used here.
std::string signedText(const base::Sha256 &all)
{
    return "gpuledger report " + std::to_string(kReportVersion) + '\n' + all.hex();
}

std::string toText(const ReportHeader &header)
{
    return Json{{"month", insight::toString(header.month)},
                {"made", base::toRfc3339(header.made)},
                {"program", header.program},
                {"actor", header.actor},
                {"state", header.state},
                {"settings_bytes", header.settingsBytes},
                {"statement_bytes", header.statementBytes},
                {"cache_bytes", header.cacheBytes}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

tl::unexpected<base::Error> refused(const ReportInput &in, ErrorCode code, const std::string &what,
                                    base::Hint hint = {})
{
    return base::fail(base::Error::make(code, in.name() + ' ' + what, std::move(hint)).withSource(in.name()));
}

// For a file with a valid signature: its author may still have written nonsense.
Result<ReportHeader> headerOf(const ReportInput &in, const std::string &text)
{
    const Json json = Json::parse(text, nullptr, false);
    bool fits = json.is_object();
    const auto textAt = [&](const char *key) {
        const auto it = fits ? json.find(key) : json.end();
        fits = fits && it != json.end() && it->is_string();
        return fits ? it->get<std::string>() : std::string();
    };
    const auto sizeAt = [&](const char *key) -> std::uint64_t {
        const auto it = fits ? json.find(key) : json.end();
        fits = fits && it != json.end() && it->is_number_unsigned();
        return fits ? it->get<std::uint64_t>() : 0;
    };
    ReportHeader header;
    const auto month = insight::monthFromString(textAt("month"));
    const auto made = base::parseTime(textAt("made"));
    header.program = textAt("program");
    header.actor = textAt("actor");
    header.state = textAt("state");
    header.settingsBytes = sizeAt("settings_bytes");
    header.statementBytes = sizeAt("statement_bytes");
    header.cacheBytes = sizeAt("cache_bytes");
    if (!fits || !month || !made)
        return refused(in, ErrorCode::StorageCorrupt, "has a header that can't be read",
                       base::Remedy::RequestReportFile);
    header.month = *month;
    header.made = *made;
    return header;
}

Result<void> checkLimits(const ReportInput &in, const ReportHeader &header, std::uint64_t payload)
{
    const bool isLarge = header.settingsBytes > kMostSettings || header.statementBytes > kMostStatement
        || header.cacheBytes > kMostCache
        || header.settingsBytes + header.statementBytes + header.cacheBytes > payload * kMostRatio + kRatioSlack;
    if (isLarge)
        return refused(in, ErrorCode::StorageCorrupt,
                       "would unpack to more than the maximum size of a report; it was not unpacked",
                       base::Remedy::RequestReportFile);
    return {};
}

// The positions of the parts in a verified file.
struct Checked {
    ReportHeader header;
    std::uint64_t payloadAt = 0, payloadBytes = 0;
    std::string payloadHash;
};

Result<std::string> preambleOf(ReportInput &in)
{
    auto preamble = in.bytes(0, std::min<std::uint64_t>(kPreamble, in.size()));
    GPULEDGER_TRY(preamble);
    if (preamble->substr(0, kMagic.size()) != kMagic.substr(0, preamble->size()) || preamble->empty())
        return refused(in, ErrorCode::StorageCorrupt, "is not a GPU Ledger report");
    if (in.size() < kPreamble + base::kSignatureBytes)
        return refused(in, ErrorCode::StorageCorrupt, "is truncated", base::Remedy::RequestReportFile);
    if (const std::uint32_t version = littleEndianAt(*preamble, 8); version != kReportVersion)
        return refused(in, ErrorCode::StorageNewer,
                       "is a report of version " + std::to_string(version) + "; this program reads version "
                           + std::to_string(kReportVersion),
                       base::Remedy::InstallNewerVersion);
    if (in.size() > kMostFile)
        return refused(in, ErrorCode::StorageCorrupt, "is larger than the maximum size of a report");
    return preamble;
}

Result<Checked> checkAll(ReportInput &in)
{
    const auto preamble = preambleOf(in);
    GPULEDGER_TRY(preamble);
    const std::uint64_t headerBytes = littleEndianAt(*preamble, 12);
    const std::uint64_t signedBytes = in.size() - base::kSignatureBytes;
    if (headerBytes > kMostHeader || kPreamble + headerBytes > signedBytes)
        return refused(in, ErrorCode::StorageCorrupt, "is damaged or truncated: its header does not match its content",
                       base::Remedy::RequestReportFile);
    Checked checked;
    checked.payloadAt = kPreamble + headerBytes;
    checked.payloadBytes = signedBytes - checked.payloadAt;
    const auto header = in.bytes(kPreamble, headerBytes);
    GPULEDGER_TRY(header);
    base::Sha256 all, payload;
    all.add(*preamble);
    all.add(*header);
    GPULEDGER_TRY(in.each(checked.payloadAt, checked.payloadBytes, [&](std::string_view piece) -> Result<void> {
        all.add(piece);
        payload.add(piece);
        return {};
    }));
    const auto end = in.bytes(signedBytes, base::kSignatureBytes);
    GPULEDGER_TRY(end);
    base::PublicKey key{};
    base::Signature signature{};
    std::copy_n(preamble->data() + kPreamble - key.size(), key.size(), key.data());
    std::copy_n(end->data(), signature.size(), signature.data());
    if (!base::isSignedBy(key, signedText(all), signature))
        return refused(in, ErrorCode::StorageCorrupt,
                       "has a signature that does not fit: it was changed, damaged or truncated; none of it is shown",
                       base::Remedy::RequestReportFile);
    auto read = headerOf(in, *header);
    GPULEDGER_TRY(read);
    checked.header = std::move(*read);
    checked.header.signer = key;
    checked.header.bytes = in.size();
    checked.payloadHash = payload.hex();
    GPULEDGER_TRY(checkLimits(in, checked.header, checked.payloadBytes));
    return checked;
}

} // namespace

Result<void> writeReportFile(const std::filesystem::path &file, ReportHeader header, const ReportParts &parts,
                             const base::SigningKey &key)
{
    auto cache = ReportInput::open(parts.cache);
    GPULEDGER_TRY(cache);
    header.settingsBytes = parts.settings.size();
    header.statementBytes = parts.statement.size();
    header.cacheBytes = cache->size();
    auto out = base::NewFileWriter::begin(file, kDocumentMode);
    GPULEDGER_TRY(out);
    base::Sha256 all;
    const auto put = [&](std::string_view bytes) {
        all.add(bytes);
        return (*out)->write(bytes);
    };
    const std::string text = toText(header);
    GPULEDGER_TRY(put(std::string(kMagic) + littleEndian(kReportVersion)
                      + littleEndian(static_cast<std::uint32_t>(text.size()))
                      + std::string(key.publicKey().data(), key.publicKey().size()) + text));
    Compressor compressor(put);
    GPULEDGER_TRY(compressor.add(parts.settings));
    GPULEDGER_TRY(compressor.add(parts.statement));
    GPULEDGER_TRY(cache->each(0, cache->size(), [&](std::string_view piece) { return compressor.add(piece); }));
    GPULEDGER_TRY(compressor.finish());
    const auto signature = key.sign(signedText(all));
    GPULEDGER_TRY(signature);
    GPULEDGER_TRY((*out)->write({signature->data(), signature->size()}));
    return (*out)->commit();
}

Result<ReportHeader> checkReportFile(const std::filesystem::path &file)
{
    auto in = ReportInput::open(file);
    GPULEDGER_TRY(in);
    auto checked = checkAll(*in);
    GPULEDGER_TRY(checked);
    return std::move(checked->header);
}

Result<UnpackedReport> unpackReportFile(const std::filesystem::path &file, const std::filesystem::path &cache)
{
    auto in = ReportInput::open(file);
    GPULEDGER_TRY(in);
    auto checked = checkAll(*in);
    GPULEDGER_TRY(checked);
    UnpackedReport out{std::move(checked->header), {}, {}};
    auto writer = base::NewFileWriter::begin(cache, 0600);
    GPULEDGER_TRY(writer);
    std::uint64_t cacheBytes = 0;
    // The parts follow one another, each as long as the header says.
    const auto take = [&](std::string_view bytes) -> Result<void> {
        for (auto [part, size] : {std::pair(&out.settings, out.header.settingsBytes),
                                  std::pair(&out.statement, out.header.statementBytes)}) {
            const std::size_t n = std::min<std::size_t>(bytes.size(), size - part->size());
            part->append(bytes.substr(0, n));
            bytes.remove_prefix(n);
        }
        cacheBytes += bytes.size();
        if (cacheBytes > out.header.cacheBytes)
            return refused(*in, ErrorCode::StorageCorrupt, "unpacks to more than its header says; none of it is shown",
                           base::Remedy::RequestReportFile);
        return (*writer)->write(bytes);
    };
    base::Sha256 again;
    Decompressor decompressor(take);
    GPULEDGER_TRY(in->each(checked->payloadAt, checked->payloadBytes, [&](std::string_view piece) -> Result<void> {
        again.add(piece);
        return decompressor.add(piece);
    }));
    if (again.hex() != checked->payloadHash)
        return refused(*in, ErrorCode::StorageCorrupt, "changed while it was read; none of it is shown",
                       base::Remedy::TryAgain);
    if (!decompressor.isWhole() || out.settings.size() != out.header.settingsBytes
        || out.statement.size() != out.header.statementBytes || cacheBytes != out.header.cacheBytes)
        return refused(*in, ErrorCode::StorageCorrupt, "has content that differs from its header",
                       base::Remedy::RequestReportFile);
    GPULEDGER_TRY((*writer)->commit());
    return out;
}

} // namespace gpuledger::reports
