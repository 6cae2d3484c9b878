// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/decompress.h"
#include "tests/support/fleets/billtext.h"
#include "tests/support/suite.h"
#include "tests/unit/format/bytes.h"

#include <QtTest>

#include <random>

namespace tst_decompress {

using namespace gpuledger;
using namespace gpuledger::format;
using namespace gpuledger::tests;

namespace {

struct Unpacked {
    std::string text;
    std::optional<base::Error> error;
};

Unpacked unpack(std::string bytes, std::size_t piece = 1u << 20, DecompressLimits limits = {}, std::size_t room = 4096)
{
    Unpacked out;
    auto source = decompressed(std::make_unique<TextBytes>(std::move(bytes), piece), limits);
    if (!source) {
        out.error = source.error();
        return out;
    }
    std::string buffer(room, '\0');
    for (;;) {
        const auto n = (*source)->read(buffer);
        if (!n) {
            out.error = n.error();
            return out;
        }
        if (*n == 0)
            return out;
        out.text.append(buffer, 0, *n);
    }
}

std::string sample(std::size_t bytes)
{
    std::mt19937 random(7);
    std::string text;
    while (text.size() < bytes)
        text += std::to_string(random()) + ",abc\n";
    return text;
}

} // namespace

class TestDecompress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainTextStaysAsItIs()
    {
        for (const std::string &text : {std::string(), std::string("a"), std::string("abc"), sample(100'000)})
            QCOMPARE(unpack(text, 3).text, text);
    }

    void gzipAndZstdComeBackHoweverTheyAreCut()
    {
        const std::string text = sample(300'000);
        const std::string half = text.substr(0, text.size() / 2), rest = text.substr(text.size() / 2);
        for (const std::string &packed :
             {gzipped(text), zstandard(text), gzipped(half) + gzipped(rest), zstandard(half) + zstandard(rest),
              gzipped(text) + std::string(512, '\0'), gzipped("") + gzipped(text), zstandard("") + zstandard(text)}) {
            for (const std::size_t piece : {std::size_t{1}, std::size_t{17}, std::size_t{100'000}}) {
                const Unpacked out = unpack(packed, piece, {}, piece == 1 ? 1 : 5000);
                QVERIFY2(!out.error, out.error ? out.error->text.c_str() : "");
                QVERIFY(out.text == text);
            }
        }
    }

    // Every place where a file of one or two members can be truncated: never accepted as complete, unless it is cut
    // exactly between them.
    void cutStreamsAreFoundEverywhere()
    {
        const std::string text = sample(2000);
        for (const bool gz : {true, false}) {
            const std::string one = gz ? gzipped(text) : zstandard(text), two = one + one;
            for (std::size_t length = 4; length < two.size(); ++length) {
                const Unpacked out = unpack(two.substr(0, length));
                if (length == one.size()) {
                    QVERIFY(!out.error);
                    continue;
                }
                QVERIFY2(out.error, std::to_string(length).c_str());
                QVERIFY(out.error->code == base::ErrorCode::Parse);
                QVERIFY2(out.error->retryable, std::to_string(length).c_str());
            }
        }
    }

    void damageIsNoWholeText()
    {
        const std::string text = sample(3000);
        const std::string packed = gzipped(text);
        std::mt19937 random(3);
        int found = 0;
        for (int i = 0; i < 500; ++i) {
            std::string damaged = packed;
            const std::size_t at = 10 + random() % (packed.size() - 10); // after the header
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
            const Unpacked out = unpack(damaged);
            QVERIFY(out.error || out.text == text);
            found += out.error ? 1 : 0;
        }
        QCOMPARE(found, 500);
        const Unpacked behind = unpack(packed + "garbage");
        QVERIFY(behind.error && behind.error->code == base::ErrorCode::Parse && !behind.error->retryable);
        QVERIFY(unpack(packed + std::string(3, '\0') + "x").error);
    }

    void bombsEndAtTheStatedRatio()
    {
        const std::string zeros(64u << 20, '\n');
        const DecompressLimits limits{500, 1u << 20};
        for (const std::string &bomb : {gzipped(zeros, 9), zstandard(zeros)}) {
            const Unpacked out = unpack(bomb, 1u << 20, limits, 65536);
            QVERIFY(out.error);
            QVERIFY(out.error->code == base::ErrorCode::TooMuch);
            // Input is read ahead by 64 KiB, which counts as read.
            QVERIFY2(out.text.size() < 34u << 20, std::to_string(out.text.size()).c_str());
        }
        QVERIFY(!unpack(gzipped(std::string(1u << 20, 'x'), 9), 1u << 20, limits).error); // below freeBytes
    }
};

GPULEDGER_PLAIN_SUITE(TestDecompress)

} // namespace tst_decompress

#include "tst_decompress.moc"
