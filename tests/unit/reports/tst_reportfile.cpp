// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/crypto/sha256.h"
#include "app/reports/files/reportfile.h"
#include "app/reports/files/reportstream.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

namespace tst_reportfile {

using namespace gpuledger;
using base::ErrorCode;
using reports::ReportHeader;

namespace {

std::string readAll(const std::filesystem::path &file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeAll(const std::filesystem::path &file, const std::string &bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

std::string number(std::uint64_t value)
{
    std::string out;
    for (int shift = 0; shift < 32; shift += 8)
        out.push_back(static_cast<char>(value >> shift));
    return out;
}

std::string packed(const std::string &bytes)
{
    std::string out;
    reports::Compressor compressor([&](std::string_view piece) -> base::Result<void> {
        out += piece;
        return {};
    });
    if (!compressor.add(bytes) || !compressor.finish())
        return {};
    return out;
}

// A file as a person with another key could make it.
std::string sealed(const std::string &header, const std::string &payload, std::uint32_t version = 1)
{
    const auto key = base::SigningKey::make().value();
    const std::string all = std::string("\x89GPUREP\n", 8) + number(version) + number(header.size())
        + std::string(key.publicKey().data(), key.publicKey().size()) + header + payload;
    const auto signature = key.sign("gpuledger report 1\n" + base::sha256Hex(all)).value();
    return all + std::string(signature.data(), signature.size());
}

std::string headerText(std::uint64_t settings, std::uint64_t statement, std::uint64_t cache,
                       const std::string &month = "2026-10")
{
    return R"({"month":")" + month + R"(","made":"2026-11-03T09:00:00Z","program":"1","actor":"a","state":"draft",)"
        + R"("settings_bytes":)" + std::to_string(settings) + R"(,"statement_bytes":)" + std::to_string(statement)
        + R"(,"cache_bytes":)" + std::to_string(cache) + '}';
}

} // namespace

class TestReportFile : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    std::filesystem::path at(const char *name) const { return m_folder.filePath(QLatin1String(name)).toStdString(); }

    std::string make(const std::string &cache = std::string(300, 'c') + "end")
    {
        writeAll(at("cache"), cache);
        ReportHeader header;
        header.month = {2026, 10};
        header.made = base::parseTime("2026-11-03T09:00:00Z").value();
        header.program = "0.1";
        header.actor = "alex";
        header.state = "closed";
        const auto key = base::SigningKey::make().value();
        if (!reports::writeReportFile(at("r.gpureport"), header, {"settings", "statement", at("cache")}, key))
            return {};
        return readAll(at("r.gpureport"));
    }

    // The result of opening bytes that claim to be a report; nothing may be left at the cache's path.
    base::Result<reports::UnpackedReport> open(const std::string &bytes)
    {
        writeAll(at("changed"), bytes);
        std::filesystem::remove(at("out"));
        auto unpacked = reports::unpackReportFile(at("changed"), at("out"));
        if (!unpacked && std::filesystem::exists(at("out")))
            return base::fail(ErrorCode::Internal, "something was unpacked all the same");
        return unpacked;
    }

private Q_SLOTS:
    void comesBackAsItWas()
    {
        const std::string bytes = make();
        const auto header = reports::checkReportFile(at("r.gpureport"));
        QVERIFY(header);
        QVERIFY(header->month == (insight::Month{2026, 10}));
        QCOMPARE(header->actor, std::string("alex"));
        QCOMPARE(header->state, std::string("closed"));
        QCOMPARE(header->bytes, std::uint64_t{bytes.size()});
        QCOMPARE(header->fingerprint().size(), std::size_t{64});
        const auto unpacked = open(bytes);
        QVERIFY(unpacked);
        QCOMPARE(unpacked->settings, std::string("settings"));
        QCOMPARE(unpacked->statement, std::string("statement"));
        QCOMPARE(readAll(at("out")), std::string(300, 'c') + "end");
    }

    void everyChangedBitIsRefused()
    {
        const std::string bytes = make();
        QVERIFY(!bytes.empty());
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            for (int bit = 0; bit < 8; ++bit) {
                std::string changed = bytes;
                changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
                const auto opened = open(changed);
                QVERIFY2(!opened, qPrintable(QString::number(i)));
                const ErrorCode code = opened.error().code;
                QVERIFY(code == ErrorCode::StorageCorrupt || (code == ErrorCode::StorageNewer && i >= 8 && i < 12));
                QVERIFY(!opened.error().text.empty());
            }
        }
    }

    void everyCutAndEveryAdditionIsRefused()
    {
        const std::string bytes = make();
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY(open(bytes.substr(0, size)).error().code == ErrorCode::StorageCorrupt);
        QVERIFY(open(bytes + 'x').error().code == ErrorCode::StorageCorrupt);
        QVERIFY(open(bytes + bytes).error().code == ErrorCode::StorageCorrupt);
    }

    void largeCachesComeBackWhole()
    {
        std::string cache;
        for (int i = 0; i < 300'000; ++i)
            cache += std::to_string(i * 2654435761U);
        QVERIFY(open(make(cache)));
        QVERIFY(readAll(at("out")) == cache);
    }

    void bombsAreRefusedBeforeTheyGrow()
    {
        const std::string bomb = packed(std::string(64u << 20, '\0'));
        QVERIFY(bomb.size() < 64u << 10);
        // The header gives its true size …
        auto opened = open(sealed(headerText(0, 0, 64u << 20), bomb));
        QVERIFY(opened.error().code == ErrorCode::StorageCorrupt);
        QVERIFY(opened.error().text.find("would unpack to more") != std::string::npos);
        // … or a wrong one.
        opened = open(sealed(headerText(0, 0, 1000), bomb));
        QVERIFY(opened.error().code == ErrorCode::StorageCorrupt);
        QVERIFY(opened.error().text.find("unpacks to more than its header says") != std::string::npos);
    }

    void hostileHeadersAreRefusedThoughTheySigned()
    {
        const std::string payload = packed("abc");
        QVERIFY(open(sealed(headerText(1, 1, 1), payload)));
        const std::string huge = "18446744073709551615";
        for (
            const std::string &header :
            {std::string(), std::string("{"), std::string("null"), std::string("[]"), std::string(60'000, '['),
             headerText(1, 1, 1, "../../etc/passwd"), headerText(1, 1, 1, "2026-13"), headerText(2, 1, 1),
             headerText(0, 0, 2), headerText(0, 0, 4), R"({"month":"2026-10","made":1})" + std::string(),
             R"({"month":"2026-10","made":"2026-11-03T09:00:00Z","program":"1","actor":"a","state":"draft","settings_bytes":)"
                 + huge + R"(,"statement_bytes":)" + huge + R"(,"cache_bytes":)" + huge + "}",
             R"({"month":"2026-10","made":"2026-11-03T09:00:00Z","program":"1","actor":"a","state":"draft","settings_bytes":-1,)"
             R"("statement_bytes":1,"cache_bytes":3})"
                 + std::string()})
            QVERIFY(open(sealed(header, payload)).error().code == ErrorCode::StorageCorrupt);
        for (const std::string &bad :
             {std::string(), std::string("no zstd at all"), payload + payload, payload.substr(0, payload.size() - 1)})
            QVERIFY(open(sealed(headerText(1, 1, 1), bad)).error().code == ErrorCode::StorageCorrupt);
    }

    void lengthsOutOfRangeAreRefused()
    {
        const std::string bytes = make();
        for (const std::uint64_t length :
             {std::uint64_t{0xFFFFFFFF}, std::uint64_t{1} << 31, std::uint64_t{64u << 10} + 1,
              std::uint64_t{bytes.size()}, std::uint64_t{0}}) {
            std::string changed = bytes;
            changed.replace(12, 4, number(length));
            QVERIFY(open(changed).error().code == ErrorCode::StorageCorrupt);
        }
    }

    void otherVersionsAndOtherFilesAreNamed()
    {
        auto opened = open(sealed(headerText(1, 1, 1), packed("abc"), 2));
        QVERIFY(opened.error().code == ErrorCode::StorageNewer);
        QVERIFY(opened.error().text.find("version 2") != std::string::npos);
        for (const char *other : {"",
                                  "%PDF-1.7 something that is long enough to be a report, but is none at all of course "
                                  "and goes on and on until it has more than a hundred and twelve bytes"})
            QVERIFY(open(other).error().text.find("is not a GPU Ledger report") != std::string::npos);
        QVERIFY(reports::checkReportFile(at("missing")).error().code == ErrorCode::NotFound);
        QVERIFY(reports::checkReportFile(m_folder.path().toStdString()).error().code == ErrorCode::StorageCorrupt);
    }

    void aFileThatCanNotBeWrittenLeavesNothing()
    {
        writeAll(at("cache"), "cache");
        const auto key = base::SigningKey::make().value();
        const auto written = reports::writeReportFile(at("no/such/r.gpureport"), {}, {"s", "s", at("cache")}, key);
        QVERIFY(written.error().code == ErrorCode::StorageReadOnly);
        const auto missing = reports::writeReportFile(at("new.gpureport"), {}, {"s", "s", at("gone")}, key);
        QVERIFY(!missing);
        QVERIFY(!std::filesystem::exists(at("new.gpureport")));
    }

    void keysComeBackAndSignTheSame()
    {
        const auto key = base::SigningKey::make().value();
        const auto again = base::SigningKey::fromHex(key.hex()).value();
        QCOMPARE(again.publicKey(), key.publicKey());
        const auto signature = again.sign("text").value();
        QVERIFY(base::isSignedBy(key.publicKey(), "text", signature));
        QVERIFY(!base::isSignedBy(key.publicKey(), "texts", signature));
        QVERIFY(!base::isSignedBy(base::SigningKey::make()->publicKey(), "text", signature));
        QVERIFY(base::SigningKey::fromHex(base::Secret(std::string(63, 'a'))).error().code == ErrorCode::Parse);
        QVERIFY(base::SigningKey::fromHex(base::Secret(std::string(64, 'G'))).error().code == ErrorCode::Parse);
        // RFC 8032, 7.1, test 1.
        const auto known = base::SigningKey::fromHex(
            base::Secret(std::string("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")));
        QCOMPARE(QByteArray(known->publicKey().data(), static_cast<int>(known->publicKey().size())).toHex(),
                 QByteArray("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"));
    }
};

GPULEDGER_PLAIN_SUITE(TestReportFile)

} // namespace tst_reportfile

#include "tst_reportfile.moc"
