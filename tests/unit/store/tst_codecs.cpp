// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/codecs/bytes.h"
#include "app/store/codecs/cubecodec.h"
#include "app/store/codecs/labeltext.h"
#include "app/store/codecs/numberlist.h"
#include "app/store/codecs/usagecodec.h"
#include "tests/support/suite.h"

#include <QTest>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace tst_codecs {

using namespace gpuledger;
using model::UsageBucket;
using model::UsageTrack;
using store::CellRow;
using store::UsageCodec;

namespace {

// Small values, missing ones and the limits of the range, each often.
template <typename T> rc::Gen<T> reading(T missing)
{
    return rc::gen::oneOf(rc::gen::just(missing), rc::gen::just(T{0}), rc::gen::just(static_cast<T>(missing - 1)),
                          rc::gen::map(rc::gen::inRange(0, 101), [](int v) { return static_cast<T>(v * 600); }),
                          rc::gen::arbitrary<T>());
}

rc::Gen<UsageBucket> anyBucket()
{
    return rc::gen::build<UsageBucket>(
        rc::gen::set(&UsageBucket::observed, rc::gen::inRange<std::uint16_t>(0, 301)),
        rc::gen::set(&UsageBucket::signal,
                     rc::gen::map(rc::gen::inRange(0, 5), [](int v) { return static_cast<model::ActivitySignal>(v); })),
        rc::gen::set(&UsageBucket::activity, reading(model::kNoShare)),
        rc::gen::set(&UsageBucket::smActive, reading(model::kNoShare)),
        rc::gen::set(&UsageBucket::tensorActive, reading(model::kNoShare)),
        rc::gen::set(&UsageBucket::memoryMeanMib, reading(model::kNoMemory)),
        rc::gen::set(&UsageBucket::memoryMaxMib, reading(model::kNoMemory)),
        rc::gen::set(&UsageBucket::powerDeciwatt, reading(model::kNoPower)));
}

std::vector<UsageTrack> anyTracks()
{
    std::vector<UsageTrack> tracks(static_cast<std::size_t>(*rc::gen::inRange(0, 5)));
    for (UsageTrack &t : tracks) {
        t.gpuInstance = *rc::gen::arbitrary<std::string>();
        t.subject.value = *rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max());
        t.node.value = *rc::gen::inRange<std::int64_t>(0, 100000);
        t.role = static_cast<model::SeriesRole>(*rc::gen::inRange(0, 3));
        const int step = *rc::gen::inRange(1, 20);
        for (int index = *rc::gen::inRange(0, base::kBucketsPerDay); index < base::kBucketsPerDay; index += step) {
            UsageBucket b = *anyBucket();
            b.index = static_cast<std::uint16_t>(index);
            t.buckets.push_back(b);
        }
    }
    // Some tracks share values, as on shared devices.
    for (std::size_t i = 1; i < tracks.size() && *rc::gen::arbitrary<bool>(); ++i) {
        const std::vector<UsageBucket> &from = tracks[i - 1].buckets;
        const auto first = static_cast<std::size_t>(*rc::gen::inRange(0, base::kBucketsPerDay));
        if (first < from.size())
            tracks[i].buckets.assign(from.begin() + static_cast<std::ptrdiff_t>(first), from.end());
        if (!tracks[i].buckets.empty() && *rc::gen::arbitrary<bool>())
            tracks[i].buckets.back().observed ^= 1;
    }
    return tracks;
}

// Of one kind or mixed, because each kind is packed differently.
std::vector<std::uint32_t> anyNumbers()
{
    const auto length = static_cast<std::size_t>(*rc::gen::inRange(0, 70));
    const auto highest = *rc::gen::element(1U, 2U, 3U, 15U, 16U, 255U, 256U, 65536U, 0x7FFFFFFFU, 0xFFFFFFFFU);
    const auto step = highest < 65536 ? *rc::gen::element(1U, 2U, 600U) : 1U;
    std::vector<std::uint32_t> list(length);
    for (std::uint32_t &v : list) {
        const bool outlier = *rc::gen::inRange(0, 10) == 0;
        const auto any = static_cast<std::uint32_t>(*rc::gen::arbitrary<std::uint32_t>());
        v = outlier ? any : (highest == 0xFFFFFFFFU ? any : any % (highest + 1)) * step;
    }
    return list;
}

// One device's day as exporters report it: whole percents, MiB in use, watts that follow the load.
std::vector<UsageTrack> believableDay(unsigned seed)
{
    std::mt19937 random(seed);
    UsageTrack t;
    t.subject.value = 1000 + seed % 700;
    t.node.value = 1 + seed % 120;
    double level = seed % 4 == 0 ? 0 : 0.5 + (seed % 5) * 0.1;
    std::uint32_t memory = 20000 + 331 * (seed % 150);
    std::normal_distribution<double> noise(0, 0.01);
    for (int i = 0; i < base::kBucketsPerDay; ++i) {
        if (random() % 48 == 0) { // a new phase
            level = random() % 3 == 0 ? 0 : static_cast<double>(random() % 100) / 100;
            memory = 2000 + random() % 70000;
        }
        UsageBucket b;
        b.index = static_cast<std::uint16_t>(i);
        b.observed = 300;
        b.signal = model::ActivitySignal::GpuUtilization;
        const double share = level == 0 ? 0 : std::clamp(level + noise(random), 0.0, 1.0);
        b.activity = static_cast<std::uint16_t>(static_cast<int>(share * 100) * 600);
        b.memoryMeanMib = memory;
        b.memoryMaxMib = memory;
        b.powerDeciwatt = static_cast<std::uint16_t>((60 + static_cast<int>(share * 100) * 5) * 10);
        t.buckets.push_back(b);
    }
    return {t};
}

bool holds(bool (*property)())
{
    return rc::check([property] { RC_ASSERT(property()); });
}

using Texts = std::map<std::string, std::string>;
using Counts = std::map<std::string, std::int64_t>;

rc::Gen<std::string> anyLabel()
{
    return rc::gen::oneOf(
        rc::gen::arbitrary<std::string>(),
        rc::gen::elementOf(std::vector<std::string>{"", "a", "pool_1", "\xC3\xBC", "\xFF", "\"", "\\", "\x7f"}));
}

// By both parsers, as texts and as numbers.
bool isReadAlike(const std::string &json)
{
    const auto texts = store::fromPlainJsonText<std::string>(json);
    const auto counts = store::fromPlainJsonText<std::int64_t>(json);
    return (!texts || *texts == store::fromAnyJsonText<std::string>(json))
        && (!counts || *counts == store::fromAnyJsonText<std::int64_t>(json));
}

template <typename Value> bool isReadAlike(const std::map<std::string, Value> &map)
{
    const std::string json = store::toJsonText(map);
    return isReadAlike(json) && store::fromJsonText<Value>(json) == store::fromAnyJsonText<Value>(json);
}

} // namespace

class TestCodecs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void usageComesBackAsItWas()
    {
        QVERIFY(holds([] {
            UsageCodec codec;
            const std::vector<UsageTrack> tracks = anyTracks();
            const std::int64_t id = UsageCodec::rowId({*rc::gen::inRange(0, 40000)}, {*rc::gen::inRange(1, 1 << 30)});
            const auto blob = codec.encode(id, tracks);
            const auto back = codec.decode(id, std::string(blob));
            return back && *back == tracks;
        }));
    }

    void labelsComeBackAsTheyWere()
    {
        QVERIFY(holds([] { return isReadAlike(*rc::gen::container<Texts>(anyLabel(), anyLabel())); }));
        QVERIFY(holds(
            [] { return isReadAlike(*rc::gen::container<Counts>(anyLabel(), rc::gen::arbitrary<std::int64_t>())); }));
        QVERIFY(store::fromPlainJsonText<std::string>(store::toJsonText(Texts{{"a", "b"}, {"c", ""}})));
    }

    // Whatever another program or a damaged disk left there.
    void otherTextsAreReadByTheGeneralParser()
    {
        for (const char *json : {R"({"a":"b"})",
                                 R"({"a":1,"b":"2"})",
                                 R"({"b":1,"a":2})",
                                 R"({"a":1,"a":2})",
                                 R"({"a":"5})",
                                 R"({"a":"5,"b":6})",
                                 R"({"a":0})",
                                 R"({"a":-0})",
                                 R"({"a":05})",
                                 R"({"a":-7})",
                                 R"({"a":1.5})",
                                 R"({"a":1e3})",
                                 R"({"a":+1})",
                                 R"({"a":99999999999999999999})",
                                 R"({"a":18446744073709551615})",
                                 R"({"a":-9223372036854775808})",
                                 R"({"a":true})",
                                 R"({"a":null})",
                                 R"({"a":{"b":1}})",
                                 R"({"a":"b",})",
                                 R"({"a":"b"}x)",
                                 R"({"a":"b"} )",
                                 R"({ "a":"b"})",
                                 R"({"a" :"b"})",
                                 R"({"a":"b")",
                                 R"({"a"})",
                                 "{,}",
                                 R"({"a":"\n"})",
                                 R"({"\u0061":"b"})",
                                 R"(["a"])",
                                 R"("a")",
                                 "null",
                                 R"({"":""})",
                                 R"({"a":})",
                                 R"({"a":-})"})
            QVERIFY2(isReadAlike(std::string(json)), json);
    }

    void numbersComeBackAsTheyWere()
    {
        QVERIFY(holds([] {
            store::NumberList list;
            const std::vector<std::uint32_t> numbers = anyNumbers();
            std::string bytes;
            list.put(bytes, numbers);
            std::vector<std::uint32_t> back(numbers.size());
            store::ByteReader in(bytes);
            return store::NumberList::read(in, back) && back == numbers && in.left() == 0;
        }));
    }

    void numbersTakeLittleMoreThanTheirLogarithm()
    {
        store::NumberList list;
        std::mt19937 random(1);
        for (const std::uint32_t radix : {2U, 3U, 5U, 10U, 21U, 32U, 100U, 1000U, 60000U}) {
            std::vector<std::uint32_t> numbers(288);
            for (std::uint32_t &v : numbers)
                v = 7 + random() % radix;
            std::string bytes;
            list.put(bytes, numbers);
            const double least = 288 * std::log2(radix) / 8;
            QVERIFY2(static_cast<double>(bytes.size()) < 6 + 1.08 * least, qPrintable(QString::number(radix)));
        }
    }

    // A device's values, copied to every pod that shares it, are stored once.
    void sharersTakeFewBytes()
    {
        UsageCodec codec;
        std::vector<UsageTrack> tracks = believableDay(5);
        tracks.front().role = model::SeriesRole::CopyPerHolder;
        const std::size_t alone = codec.encode(1, tracks).size();
        for (int sharer = 1; sharer < 8; ++sharer) {
            UsageTrack &t = tracks.emplace_back(tracks.front());
            t.subject.value += sharer;
            t.buckets.erase(t.buckets.begin(), t.buckets.begin() + 30 * sharer);
        }
        const std::string shared(codec.encode(1, tracks));
        QVERIFY(shared.size() < alone + 7 * 12);
        QVERIFY(*codec.decode(1, shared) == tracks);
    }

    void equalUsageHasEqualBytes()
    {
        UsageCodec used, fresh;
        (void)used.encode(1, believableDay(3));
        const std::string again(used.encode(2, believableDay(4)));
        QCOMPARE(again, std::string(fresh.encode(2, believableDay(4))));
    }

    void keepsDayAndDeviceInTheRowId()
    {
        const auto id = UsageCodec::rowId({20400}, {4294967295});
        QCOMPARE(UsageCodec::dayOf(id).number, 20400);
        QCOMPARE(UsageCodec::deviceOf(id).value, std::int64_t{4294967295});
        QVERIFY(UsageCodec::rowId({20400}, {5}) < UsageCodec::rowId({20401}, {1}));
    }

    void findsEveryFlippedBitOfUsage()
    {
        UsageCodec codec;
        const std::string blob(codec.encode(7, believableDay(1)));
        for (std::size_t bit = 0; bit < blob.size() * 8; ++bit) {
            std::string flipped = blob;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
            QVERIFY(!codec.decode(7, flipped));
        }
        QVERIFY(!codec.decode(8, blob)); // for another row
        for (std::size_t size = 0; size < blob.size(); ++size)
            QVERIFY(!codec.decode(7, std::string_view(blob).substr(0, size)));
        QVERIFY(codec.decode(8, blob).error().code == base::ErrorCode::StorageCorrupt);
        QVERIFY(codec.decode(7, blob).has_value());
    }

    void aDayOfADeviceTakesFewBytes()
    {
        UsageCodec codec;
        std::size_t bytes = 0;
        constexpr int kDevices = 200;
        for (unsigned i = 0; i < kDevices; ++i)
            bytes += codec.encode(i, believableDay(i)).size();
        qInfo("%.0f bytes a device and day", static_cast<double>(bytes) / kDevices);
        QVERIFY(bytes < 200 * kDevices);
    }

    void cellsComeBackAsTheyWere()
    {
        QVERIFY(holds([] {
            CellRow cells{};
            const bool wide = *rc::gen::arbitrary<bool>();
            for (std::size_t i = 0; i < cells.size();) {
                const std::int64_t value =
                    wide ? *rc::gen::arbitrary<std::int64_t>() : *rc::gen::inRange<std::int64_t>(-3, 3);
                for (int run = *rc::gen::inRange(1, 40); run > 0 && i < cells.size(); --run)
                    cells[i++] = value;
            }
            const std::int64_t id = store::cubecodec::rowId(store::Measure::CostIdle, {20400}, {77});
            std::string blob;
            store::cubecodec::encode(id, cells, blob);
            CellRow back{};
            return store::cubecodec::decode(id, blob, back) && back == cells;
        }));
    }

    void cellsAtTheEndsOfTheRangeComeBack()
    {
        CellRow cells{}, back{};
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] = i % 2 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
        std::string blob;
        store::cubecodec::encode(1, cells, blob);
        QVERIFY(store::cubecodec::decode(1, blob, back));
        QVERIFY(back == cells);
    }

    void findsEveryFlippedBitOfCells()
    {
        CellRow cells{}, back{};
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] = static_cast<std::int64_t>(i / 10) * 2268000;
        std::string blob;
        store::cubecodec::encode(5, cells, blob);
        for (std::size_t bit = 0; bit < blob.size() * 8; ++bit) {
            std::string flipped = blob;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
            QVERIFY(!store::cubecodec::decode(5, flipped, back));
        }
        QVERIFY(!store::cubecodec::decode(6, blob, back));
        QVERIFY(!store::cubecodec::decode(5, {}, back));
    }

    void varintsPastTheEndAreNotRead()
    {
        store::ByteReader cut(std::string_view("\xff\xff", 2));
        QCOMPARE(cut.varint(), std::uint64_t{0});
        QVERIFY(!cut.ok());
        store::ByteReader endless(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12));
        QCOMPARE(endless.varint(), std::uint64_t{0});
        QVERIFY(!endless.ok());
        std::string big;
        store::putVarint(big, std::numeric_limits<std::uint64_t>::max());
        store::ByteReader whole(big);
        QCOMPARE(whole.varint(), std::numeric_limits<std::uint64_t>::max());
        QVERIFY(whole.ok());
    }
};

GPULEDGER_SUITE(TestCodecs)

} // namespace tst_codecs

#include "tst_codecs.moc"
