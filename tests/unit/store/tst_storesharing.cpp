// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/database.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <atomic>
#include <thread>

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_storesharing {

using namespace gpuledger;
using namespace gpuledger::tests;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kDay = base::kBucketsPerDay;

#if defined(__SANITIZE_THREAD__)
constexpr bool kMayFork = false; // ThreadSanitizer does not support a fork of a process with threads
#else
constexpr bool kMayFork = true;
#endif

fs::path folderOf(const QTemporaryDir &dir)
{
    return dir.path().toStdString();
}

std::size_t bucketsIn(store::FactReader &facts)
{
    std::size_t n = 0;
    const auto walked = facts.deviceDays({20400}, {20500}, {}, [&](const model::DeviceDay &d) -> base::Result<void> {
        for (const auto &t : d.tracks)
            n += t.buckets.size();
        return {};
    });
    return walked ? n : 0;
}

// Commits one source's chunks of `buckets` buckets, one commit each; returns the number of failed commits.
int syncAll(const fs::path &folder, const std::string &source, int chunks, int buckets)
{
    CountingBuilder builder;
    auto store = store::LedgerStore::open(folder);
    if (!store)
        return chunks;
    int failed = 0;
    for (int i = 0; i < chunks; ++i)
        failed += !ledger::LedgerWriter(**store, builder)
                       .commit(source, fleetBatch(kFirstBucket + i * buckets, kFirstBucket + (i + 1) * buckets));
    return failed;
}

template <typename Work> pid_t child(Work work)
{
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(work());
    return pid;
}

int endOf(pid_t pid)
{
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

} // namespace

class TestStoreSharing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsOneStateWhileAnotherIsWritten()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(folderOf(dir));
        QVERIFY(ledger::LedgerWriter(**store, builder)
                    .commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 50))
                    .has_value());
        const auto before = (*store)->facts();
        const auto cube = (*store)->cube();
        std::thread writer([&] {
            (void)ledger::LedgerWriter(**store, builder)
                .commit("prom", fleetBatch(kFirstBucket + 50, kFirstBucket + 100));
        });
        writer.join();
        const auto after = (*store)->facts();
        QVERIFY(bucketsIn(**before) < bucketsIn(**after));
        QVERIFY((*before)->coveredRange()->end == base::fromUnix((kFirstBucket + 50) * 300));
        QVERIFY((*after)->coveredRange()->end == base::fromUnix((kFirstBucket + 100) * 300));
        std::int64_t ticks = 0;
        const std::vector<char> all(100, 1);
        QVERIFY((*cube)
                    ->rows({20400}, {20400}, {store::Measure::UnobservedHeldTicks}, all,
                           [&](base::GroupId, base::Day, store::Measure, const store::CellRow &cells) {
                               for (const auto c : cells)
                                   ticks += c;
                           })
                    .has_value());
        QCOMPARE(ticks, std::int64_t{50} * 300 * 2520);
    }

    // SQLite does not wait by itself where a new file is changed to a write-ahead log.
    void waitsForAnotherThatOpensANewCache()
    {
        QTemporaryDir dir;
        const fs::path file = folderOf(dir) / "ledger.db";
        SQLite::Database other(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        other.exec("BEGIN IMMEDIATE");
        std::thread ends([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            other.exec("ROLLBACK");
        });
        const auto opened = store::Database::open(file, store::Database::Mode::Writer);
        ends.join();
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().text.c_str());
        store::Statement mode = (*opened)->statement("PRAGMA journal_mode");
        QVERIFY(mode.step().value_or(false));
        QCOMPARE(mode.text(0), std::string("wal"));
    }

    // A second process saw a version between two steps of the first, and backed it up as if it were an old cache.
    void letsOneProcessCreateACacheWhileOthersWait()
    {
        if (!kMayFork)
            QSKIP("not under the thread sanitizer");
        for (int round = 0; round < 5; ++round) {
            QTemporaryDir dir;
            std::array<pid_t, 4> openers{};
            for (pid_t &opener : openers)
                opener = child([&] { return store::LedgerStore::open(folderOf(dir)) ? 0 : 1; });
            for (const pid_t opener : openers)
                QCOMPARE(endOf(opener), 0);
            for (const auto &entry : fs::directory_iterator(folderOf(dir)))
                QVERIFY2(entry.path().string().find(".bak") == std::string::npos
                             && entry.path().extension() != ".migration",
                         entry.path().c_str());
        }
    }

    void letsReadersAndAWriterWorkAtOnce()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(folderOf(dir));
        std::atomic<bool> done{false};
        std::atomic<int> failures{0}, reads{0};
        const auto read = [&] {
            std::size_t seen = 0;
            while (!done) {
                const auto facts = (*store)->facts();
                const auto generation = (*store)->generation();
                if (!facts || !generation) {
                    ++failures;
                    continue;
                }
                const std::size_t now = bucketsIn(**facts);
                failures += now < seen || now != bucketsIn(**facts);
                seen = now;
                ++reads;
            }
        };
        std::thread first(read), second(read);
        for (int i = 0; i < 20; ++i)
            failures += !ledger::LedgerWriter(**store, builder)
                             .commit("prom", fleetBatch(kFirstBucket + i * 40, kFirstBucket + (i + 1) * 40));
        while (reads < 4)
            std::this_thread::yield();
        done = true;
        first.join();
        second.join();
        QCOMPARE(failures.load(), 0);
        QVERIFY(ledger::verify(**store, builder)->empty());
    }

    void letsTwoStoresWriteAtOnce()
    {
        QTemporaryDir dir, alone;
        std::atomic<int> failures{0};
        std::thread first([&] { failures += syncAll(folderOf(dir), "a", 15, 60); });
        std::thread second([&] { failures += syncAll(folderOf(dir), "a", 15, 60); });
        first.join();
        second.join();
        QCOMPARE(failures.load(), 0);
        QCOMPARE(syncAll(folderOf(alone), "a", 15, 60), 0);
        QCOMPARE(dumpOf(folderOf(dir) / "ledger.db"), dumpOf(folderOf(alone) / "ledger.db"));
    }

    void letsTwoProcessesWriteAtOnce()
    {
        if (!kMayFork)
            QSKIP("not under the thread sanitizer");
        QTemporaryDir dir, alone;
        const pid_t first = child([&] { return syncAll(folderOf(dir), "a", 15, 60); });
        const pid_t second = child([&] { return syncAll(folderOf(dir), "a", 15, 60); });
        QCOMPARE(endOf(first), 0);
        QCOMPARE(endOf(second), 0);
        QCOMPARE(syncAll(folderOf(alone), "a", 15, 60), 0);
        QCOMPARE(dumpOf(folderOf(dir) / "ledger.db"), dumpOf(folderOf(alone) / "ledger.db"));
    }

    void waitsForAnotherWriter()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(folderOf(dir));
        auto other = store::Database::open((*store)->file(), store::Database::Mode::Writer);
        QVERIFY((*other)->execute("BEGIN IMMEDIATE").has_value());
        std::thread release([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            (void)(*other)->execute("COMMIT");
        });
        const auto done =
            ledger::LedgerWriter(**store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 5));
        release.join();
        QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
    }

    void saysThatTheDiskIsFullAndGoesOnLater()
    {
        if (!kMayFork)
            QSKIP("not under the thread sanitizer");
        QTemporaryDir dir;
        const int result = endOf(child([&] { return runOnSmallDisk(dir.path().toStdString()); }));
        if (result == kNoMount)
            QSKIP("this system does not allow mounting a small disk");
        QCOMPARE(result, 0);
    }

private:
    static constexpr int kNoMount = 77;

    // In a mount namespace of its own; returns the step that failed.
    static int runOnSmallDisk(const std::string &folder)
    {
        if (::unshare(CLONE_NEWNS | (::geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0
            || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
            || ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=2m") != 0)
            return kNoMount;
        CountingBuilder builder;
        auto store = store::LedgerStore::open(folder);
        if (!store
            || !ledger::LedgerWriter(**store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 10)))
            return 1;
        const std::string before = dumpOf(fs::path(folder) / "ledger.db");
        const auto large = fleetBatch(kFirstBucket, kFirstBucket + 500 * kDay);
        const auto full = ledger::LedgerWriter(**store, builder).commit("prom", large);
        if (full || full.error().code != base::ErrorCode::StorageFull)
            return 2;
        if (full.error().text.find("ledger.db") == std::string::npos || full.error().hint.empty())
            return 3;
        if (dumpOf(fs::path(folder) / "ledger.db") != before)
            return 4;
        if (::mount("tmpfs", folder.c_str(), "tmpfs", MS_REMOUNT, "size=64m") != 0)
            return kNoMount;
        if (!ledger::LedgerWriter(**store, builder).commit("prom", large))
            return 5;
        const auto problems = ledger::verify(**store, builder);
        return problems && problems->empty() ? 0 : 6;
    }
};

GPULEDGER_SUITE(TestStoreSharing)

} // namespace tst_storesharing

#include "tst_storesharing.moc"
