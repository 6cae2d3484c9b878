// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/focus/focussource.h"
#include "connectors/format/focus/billimport.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/fleets/billtext.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <QTemporaryDir>

#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

namespace tst_focusfiles {

using namespace gpuledger;
using namespace gpuledger::tests;
using Outcome = ports::ImportReport::Outcome;

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds kSecondLook{50};

class Folder {
public:
    fs::path operator/(const std::string &name) const { return root / name; }
    fs::path write(const std::string &name, std::string_view bytes, base::Seconds age = base::Seconds{3600}) const
    {
        const fs::path path = root / name;
        fs::create_directories(path.parent_path());
        writeFile(path, bytes, age);
        return path;
    }

private:
    QTemporaryDir m_dir; // declared before root, which is inside

public:
    fs::path root = fs::canonical(m_dir.path().toStdString());
};

std::string bill(const char *account, int lines = 1, const char *billed = "1")
{
    return csvText(std::vector<Cells>(static_cast<std::size_t>(lines),
                                      goodCells({{"BillingAccountId", account}, {"BilledCost", billed}})));
}

// "a.csv+b.csv c.csv": the files of each delivery.
std::string shown(const base::Result<std::vector<ports::BillDelivery>> &deliveries)
{
    if (!deliveries)
        return "error " + std::string(base::toString(deliveries.error().code));
    std::string all;
    for (const ports::BillDelivery &delivery : *deliveries) {
        all += all.empty() ? "" : " ";
        for (const fs::path &file : delivery.files)
            all += (&file == delivery.files.data() ? "" : "+") + file.filename().string();
    }
    return all;
}

// Writes whenever the time of a file is compared with now, thus between two looks.
class WritingClock final : public base::Clock {
public:
    base::UtcTime now() const override
    {
        if (onNow)
            onNow();
        return base::SystemClock().now();
    }
    std::function<void()> onNow;
};

base::Result<ports::ImportReport> import(const std::vector<fs::path> &files, MemoryBillSink &sink,
                                         std::stop_token stop = {})
{
    const base::SystemClock clock;
    const ports::BillDelivery delivery{files};
    return focus::BillImport("cloud", delivery, sink, clock, std::move(stop)).run();
}

} // namespace

class TestFocusFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void compressedFilesReadAsPlainOnes()
    {
        const Folder folder;
        const std::string text = bill("a", 500);
        MemoryBillSink plain;
        const auto want = import({folder.write("a.csv", text)}, plain);
        QVERIFY(want && want->outcome == Outcome::Imported);
        const std::string half = text.substr(0, 1000), rest = text.substr(1000);
        const std::vector<std::string> packed{gzipped(text), zstandard(text), gzipped(half) + gzipped(rest)};
        for (const std::string &bytes : packed) {
            MemoryBillSink sink;
            const auto got = import({folder.write("b.csv.gz", bytes)}, sink); // by content, not by name
            QVERIFY(got && got->outcome == Outcome::Imported);
            QVERIFY(sink.bills == plain.bills);
            QCOMPARE(got->files.at(0).bytes, std::uint64_t{bytes.size()});
            QCOMPARE(sink.last.bytesRead, sink.last.bytesTotal);
        }
    }

    void hashIsThatOfTheBytesOnDisk()
    {
        const Folder folder;
        MemoryBillSink sink;
        const std::string text = bill("a");
        const auto report = import({folder.write("a.csv", text)}, sink);
        const QByteArray want = QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256);
        QCOMPARE(QByteArray::fromStdString(report->files.at(0).sha256), want.toHex());
    }

    void sameBytesAreRefusedUnderAnyName()
    {
        const Folder folder;
        MemoryBillSink sink;
        QVERIFY(import({folder.write("a.csv", bill("a"))}, sink)->outcome == Outcome::Imported);
        const auto again = import({folder.write("b.csv", bill("a"))}, sink);
        QVERIFY(again && again->outcome == Outcome::Duplicate);
        QCOMPARE(sink.begun, 1);
        // A bill in two parts, one of which was delivered alone before, is another delivery.
        const auto both = import({folder / "a.csv", folder.write("c.csv", bill("c"))}, sink);
        QVERIFY(both && both->outcome == Outcome::Imported);
        QVERIFY(import({folder / "c.csv", folder / "b.csv"}, sink)->outcome == Outcome::Duplicate); // in any order
    }

    void restatedPeriodReplacesAndOthersStay()
    {
        const Folder folder;
        MemoryBillSink sink;
        QVERIFY(import({folder.write("a.csv", bill("a", 10) + bill("b", 5).substr(bill("b", 0).size()))}, sink));
        QCOMPARE(sink.bills.size(), std::size_t(2));
        QVERIFY(import({folder.write("b.csv", bill("a", 3, "-2"))}, sink));
        QCOMPARE(sink.bills.size(), std::size_t(2));
        QCOMPARE(sink.bills.begin()->second.size(), std::size_t(3));
        QCOMPARE(sink.bills.begin()->second[0].billed.nanos(), std::int64_t{-2'000'000'000});
        QCOMPARE(sink.bills.rbegin()->second.size(), std::size_t(5));
    }

    void partsAreOneDelivery()
    {
        const Folder folder;
        MemoryBillSink sink;
        const auto report = import({folder.write("p1.csv", bill("a", 3)), folder.write("p2.csv", bill("a", 4))}, sink);
        QVERIFY(report);
        QCOMPARE(report->parts.size(), std::size_t(1));
        QCOMPARE(report->accepted.lines, std::uint64_t(7));
        QCOMPARE(sink.bills.begin()->second[3].file, std::uint32_t(1));
        QCOMPARE(sink.bills.begin()->second[3].row, std::uint64_t(2));
    }

    void halfWrittenFilesAreLeftAlone_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("ageSeconds");
        QTest::addColumn<bool>("whole");
        const std::string text = bill("a", 50), gz = gzipped(text), zst = zstandard(text);
        const std::string open = text.substr(0, text.size() - 1); // all columns, no line end
        const auto row = [](const char *name, const std::string &bytes, int age, bool whole) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << age << whole;
        };
        row("empty", "", 3600, false);
        row("half a header", text.substr(0, 100), 0, false);
        row("cut within a row", text.substr(0, text.size() - 60), 3600, false);
        row("cut within quotes", text + "\"a", 3600, false);
        row("cut gzip", gz.substr(0, gz.size() - 1), 3600, false);
        row("cut gzip in its header", gz.substr(0, 5), 3600, false);
        row("second member cut", gz + gz.substr(0, 30), 3600, false);
        row("cut zstd", zst.substr(0, zst.size() - 1), 3600, false);
        row("gzip of a cut text", gzipped(text.substr(0, text.size() - 60)), 3600, false);
        row("no last line end, just written", open, 0, false);
        row("no last line end, a little ahead of us", open, -30, false);
        // A wrong clock; waiting for that hour would be pointless.
        row("no last line end, from the future", open, -3600, true);
        row("no last line end, old", open, 3600, true);
        row("whole, just written", text, 0, true);
    }

    void halfWrittenFilesAreLeftAlone()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, ageSeconds);
        QFETCH(bool, whole);
        const Folder folder;
        MemoryBillSink sink;
        QVERIFY(import({folder.write("old.csv", bill("a", 2))}, sink));
        const MemoryBillSink::Bills before = sink.bills;
        const auto report = import({folder.write("new.csv", bytes.toStdString(), base::Seconds{ageSeconds})}, sink);
        QVERIFY2(report, report ? "" : report.error().text.c_str());
        QVERIFY2((report->outcome == Outcome::Imported) == whole, report->unfinished.c_str());
        QCOMPARE(sink.bills == before, !whole);
        QCOMPARE(sink.begun, sink.committed + sink.discarded);
        QVERIFY(whole || (report->outcome == Outcome::Unfinished && !report->unfinished.empty()));
        QVERIFY(whole || report->read.lines == 0);
        if (QByteArray(QTest::currentDataTag()).startsWith("cut within")) // 51 lines with the header
            QVERIFY2(report->unfinished.find(bytes.endsWith("\"a") ? "line 52" : "line 51") != std::string::npos,
                     report->unfinished.c_str());
    }

    // Wherever it was truncated, a file is imported completely or not at all.
    void everyCutOfACompressedBillIsFound()
    {
        const Folder folder;
        for (const std::string &packed : {gzipped(bill("a", 20)), zstandard(bill("a", 20))}) {
            for (std::size_t length = 4; length < packed.size(); length += 3) {
                MemoryBillSink sink;
                const auto report = import({folder.write("a.csv.gz", packed.substr(0, length))}, sink);
                QVERIFY2(report, report ? "" : report.error().text.c_str());
                QVERIFY2(report->outcome == Outcome::Unfinished, std::to_string(length).c_str());
                QVERIFY(sink.bills.empty());
            }
        }
    }

    void fileThatGrowsWhileItIsReadIsLeftAlone()
    {
        const Folder folder;
        const fs::path path = folder.write("a.csv", bill("a", 5000));
        MemoryBillSink sink;
        sink.onAccept = [&]() -> base::Result<void> {
            std::ofstream(path, std::ios::app) << bill("a").substr(bill("a", 0).size());
            return {};
        };
        const auto report = import({path}, sink);
        QVERIFY(report && report->outcome == Outcome::Unfinished);
        QCOMPARE(sink.discarded, 1);
        QVERIFY(sink.bills.empty());
        sink.onAccept = [&]() -> base::Result<void> { // replaced by another one of the same size
            writeFile(folder / "b.csv", bill("b", 5000));
            fs::rename(folder / "b.csv", path);
            return {};
        };
        writeFile(path, bill("a", 5000));
        QVERIFY(import({path}, sink)->outcome == Outcome::Unfinished);
    }

    // Damage may look like a premature end, and then the file waits; it is never accepted as complete.
    void damagedCompressionKeepsWhatWas()
    {
        const Folder folder;
        const std::string packed = gzipped(bill("a", 5000));
        MemoryBillSink sink;
        QVERIFY(import({folder.write("old.csv", bill("a", 2))}, sink));
        const MemoryBillSink::Bills before = sink.bills;
        for (std::size_t at = 10; at < packed.size(); at += packed.size() / 40) {
            std::string damaged = packed;
            damaged[at] = static_cast<char>(damaged[at] ^ 4);
            const auto report = import({folder.write("a.csv.gz", damaged)}, sink);
            QVERIFY(!report || report->outcome == Outcome::Unfinished);
            QVERIFY(sink.bills == before);
            QCOMPARE(sink.begun, sink.committed + sink.discarded);
        }
        std::string checksum = packed;
        checksum[packed.size() - 6] = static_cast<char>(checksum[packed.size() - 6] ^ 1);
        const auto report = import({folder.write("a.csv.gz", checksum)}, sink);
        QVERIFY(report.error().code == base::ErrorCode::Parse);
        QVERIFY(report.error().source.find("a.csv.gz") != std::string::npos);
    }

    void errorsOfTheSinkEndTheImport()
    {
        const Folder folder;
        const fs::path path = folder.write("a.csv", bill("a", 10'000));
        MemoryBillSink sink;
        int calls = 0;
        sink.onAccept = [&]() -> base::Result<void> {
            return ++calls < 3 ? base::Result<void>() : base::fail(base::ErrorCode::StorageFull, "full");
        };
        QVERIFY(import({path}, sink).error().code == base::ErrorCode::StorageFull);
        QCOMPARE(calls, 3);
        QCOMPARE(sink.discarded, 1);
        sink.onAccept = nullptr;
        sink.onCommit = []() -> base::Result<void> { return base::fail(base::ErrorCode::Storage, "x"); };
        QVERIFY(import({path}, sink).error().code == base::ErrorCode::Storage);
        QCOMPARE(sink.discarded, 2);
        QVERIFY(sink.bills.empty());
    }

    void stopEndsTheImport()
    {
        const Folder folder;
        const fs::path path = folder.write("a.csv", bill("a", 10'000));
        std::stop_source stop;
        MemoryBillSink sink;
        sink.onAccept = [&]() -> base::Result<void> {
            stop.request_stop();
            return {};
        };
        QVERIFY(import({path}, sink, stop.get_token()).error().code == base::ErrorCode::Cancelled);
        QCOMPARE(sink.discarded, 1);
        QVERIFY(sink.lines < 5000);
        MemoryBillSink early;
        QVERIFY(import({path}, early, stop.get_token()).error().code == base::ErrorCode::Cancelled);
        QCOMPARE(early.begun, 0);
    }

    void refusesWhatIsNoRegularFile()
    {
        const Folder folder;
        MemoryBillSink sink;
        QVERIFY(import({folder / "none.csv"}, sink).error().code == base::ErrorCode::NotFound);
        QVERIFY(import({folder.root}, sink).error().code == base::ErrorCode::Unsupported);
        QCOMPARE(mkfifo((folder / "pipe.csv").c_str(), 0600), 0);
        QVERIFY(import({folder / "pipe.csv"}, sink).error().code == base::ErrorCode::Unsupported); // without waiting
        fs::create_symlink(folder.write("a.csv", bill("a")), folder / "link.csv");
        QVERIFY(import({folder / "link.csv"}, sink).error().code == base::ErrorCode::Unsupported);
        QVERIFY(import({}, sink).error().code == base::ErrorCode::InvalidArgument);
        QVERIFY(import({folder.write("x.csv", "PARE begins encrypted Parquet\n")}, sink).error().code
                == base::ErrorCode::Unsupported);
    }

    void knowsPartsByTheirNames()
    {
        using focus::exportName;
        QCOMPARE(exportName("focus-00001.csv.gz"), exportName("focus-00002.csv.gz"));
        QCOMPARE(exportName("part_0_0001.csv"), exportName("part_1_0002.csv"));
        QCOMPARE(exportName("part-00000-2f-c000.csv"), exportName("part-00001-2f-c000.csv"));
        QCOMPARE(exportName("x000000000001.csv"), std::string("x000000000001.csv"));
        QCOMPARE(exportName("bq-000000000001.csv"), exportName("bq-000000000000.csv"));
        for (const char *alone : {"focus-2026-09.csv", "focus_20260901.csv", "department2.csv", "a.csv", "12345.csv"})
            QCOMPARE(exportName(alone), std::string(alone));
        QVERIFY(exportName("part-00000-2f.csv") != exportName("part-00000-3f.csv")); // of two export runs
        QVERIFY(exportName("a-00001.csv") != exportName("a-00001.csv.gz"));
    }

    void folderGivesWholeDeliveriesOldestFirst()
    {
        const Folder folder;
        folder.write("b.csv", bill("b"), base::Seconds{5000});
        folder.write("a.CSV.GZ", gzipped(bill("a")), base::Seconds{4000});
        folder.write("deep/er/c.csv.zst", zstandard(bill("c")), base::Seconds{6000});
        folder.write("p/x-00002.csv", bill("p"), base::Seconds{3000});
        folder.write("p/x-00001.csv", bill("p"), base::Seconds{9000});
        folder.write("q/x-00001.csv", bill("q"), base::Seconds{8000}); // from another folder
        for (const char *passedOver :
             {".hidden.csv", "_tmp.csv", "~a.csv", "#a.csv", "a.csv.tmp", "a.csv.part", "a.txt", "a.csv.crdownload",
              ".git/a.csv", "_temporary/a.csv", "note", "manifest.json"})
            folder.write(passedOver, bill("z"));
        const base::SystemClock clock;
        focus::FocusSource source("cloud", folder.root, clock);
        QCOMPARE(shown(source.deliveries({})),
                 std::string("x-00001.csv c.csv.zst b.csv a.CSV.GZ x-00001.csv+x-00002.csv"));
    }

    void linksAreNotFollowedOutOfTheFolder()
    {
        const Folder folder, other;
        const fs::path outside = other.write("secret.csv", bill("s"));
        fs::create_symlink(outside, folder / "link.csv");
        fs::create_directory_symlink(other.root, folder / "linked");
        folder.write("own.csv", bill("o"));
        fs::create_symlink(folder / "own.csv", folder / "twice.csv");
        const base::SystemClock clock;
        focus::FocusSource source("cloud", folder.root, clock);
        QCOMPARE(shown(source.deliveries({})), std::string("own.csv"));
        // The path that the user configured may be a symbolic link.
        fs::create_directory_symlink(folder.root, other / "tofolder");
        fs::create_symlink(folder / "own.csv", other / "tofile.csv");
        focus::FocusSource linked("cloud", other / "tofolder", clock), file("cloud", other / "tofile.csv", clock);
        QCOMPARE(shown(linked.deliveries({})), std::string("own.csv"));
        QCOMPARE(shown(file.deliveries({})), std::string("own.csv"));
    }

    void watchedFolderTellsWhatIsNewOrChanged()
    {
        const Folder folder;
        const base::SystemClock clock;
        focus::FocusSource source("cloud", folder.root, clock, kSecondLook);
        MemoryBillSink sink;
        const auto importAll = [&] {
            std::string names;
            const auto deliveries = source.deliveries({});
            for (const ports::BillDelivery &delivery : deliveries.value()) {
                const auto report = source.import(delivery, sink, {});
                names +=
                    delivery.files[0].filename().string() + std::to_string(static_cast<int>(report.value().outcome));
            }
            return names;
        };
        QCOMPARE(importAll(), std::string());
        folder.write("a.csv", bill("a"));
        QCOMPARE(importAll(), std::string("a.csv0"));
        QCOMPARE(importAll(), std::string());
        folder.write("a.csv", bill("a", 3));
        QCOMPARE(importAll(), std::string("a.csv0"));
        QCOMPARE(sink.bills.begin()->second.size(), std::size_t(3));
        folder.write("b.csv", bill("a", 3));
        QCOMPARE(importAll(), std::string("b.csv1")); // a duplicate, reported once
        QCOMPARE(importAll(), std::string());
        // Two looks at once agree, but the file has no proper end.
        folder.write("c.csv", bill("c") + "half,", base::Seconds{0});
        QCOMPARE(importAll(), std::string("c.csv2"));
        QVERIFY(source.waiting().empty());
        folder.write("c.csv", bill("c"), base::Seconds{0});
        QCOMPARE(importAll(), std::string("c.csv0"));
        // One part changed: the delivery is imported again, completely.
        folder.write("x-00001.csv", bill("x", 1));
        QCOMPARE(importAll(), std::string("x-00001.csv0"));
        folder.write("x-00002.csv", bill("x", 2));
        QCOMPARE(importAll(), std::string("x-00001.csv0"));
        QCOMPARE(sink.bills.rbegin()->second.size(), std::size_t(3));
        fs::remove(folder / "x-00002.csv");
        focus::FocusSource next("cloud", folder.root, clock,
                                kSecondLook); // after a restart the hashes reveal that it is known
        const auto known = next.deliveries({});
        QCOMPARE(known->size(), std::size_t(4));
        for (const ports::BillDelivery &delivery : *known)
            QVERIFY(next.import(delivery, sink, {})->outcome == Outcome::Duplicate);
    }

    // A file that grows between two looks is named, with the time after which it counts as unchanged; also if its
    // timestamp is in the future.
    void aFileThatIsBeingWrittenIsWaitedFor()
    {
        const Folder folder;
        WritingClock clock;
        focus::FocusSource source("cloud", folder.root, clock, kSecondLook);
        folder.write("whole.csv", bill("w"));
        for (const int age : {0, -1'000'000}) {
            int lines = 1;
            folder.write("a.csv", bill("a"), base::Seconds{age});
            clock.onNow = [&] { folder.write("a.csv", bill("a", ++lines), base::Seconds{age}); };
            const base::UtcTime before = base::SystemClock().now();
            auto names = shown(source.deliveries({}));
            clock.onNow = {};
            QVERIFY2(names == "whole.csv", names.c_str());
            QCOMPARE(source.waiting().size(), std::size_t{1});
            QCOMPARE(source.waiting()[0].file, folder / "a.csv");
            QVERIFY(source.waiting()[0].until > before);
            QVERIFY(source.waiting()[0].until <= clock.now() + focus::kQuietTime);
            names = shown(source.deliveries({}));
            QVERIFY2(names.find("a.csv") != std::string::npos, names.c_str());
            QVERIFY(source.waiting().empty());
        }
    }

    void theWaitEndsWhenItIsToldTo()
    {
        const Folder folder;
        const base::SystemClock clock;
        folder.write("a.csv", bill("a"), base::Seconds{0});
        focus::FocusSource source("cloud", folder.root, clock, std::chrono::hours{1});
        std::stop_source stop;
        const std::jthread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds{50});
            stop.request_stop();
        });
        QCOMPARE(shown(source.deliveries(stop.get_token())), std::string("error cancelled"));
    }

    void folderThatCannotBeReadIsAnError()
    {
        const Folder folder;
        const base::SystemClock clock;
        focus::FocusSource none("cloud", folder / "none", clock);
        QCOMPARE(shown(none.deliveries({})), std::string("error not-found"));
        std::stop_source stop;
        stop.request_stop();
        folder.write("a.csv", bill("a"));
        focus::FocusSource source("cloud", folder.root, clock);
        QCOMPARE(shown(source.deliveries(stop.get_token())), std::string("error cancelled"));
    }
};

GPULEDGER_PLAIN_SUITE(TestFocusFiles)

} // namespace tst_focusfiles

#include "tst_focusfiles.moc"
