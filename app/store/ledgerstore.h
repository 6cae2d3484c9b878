// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/clock.h"
#include "app/ports/factbatch.h"
#include "app/store/billtransaction.h"
#include "app/store/damage/verification.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/allocated.h"
#include "app/store/values/cube.h"
#include "app/store/values/heldday.h"
#include "app/store/values/syncstate.h"
#include "app/store/writetransaction.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::store {

class ActionStore;
class AlertStore;
class DayFactStore;
class MonthStore;
class PriceStore;
struct BillGrowth;

struct OpenOptions {
    bool readOnly = false;
};

// The cache: one SQLite file (WAL). One LedgerStore per process; writing calls are serialised inside (one writer
// connection) and use BEGIN IMMEDIATE, so several processes may write in turn; readers are independent objects with
// their own connections. Thread-safe.
class LedgerStore {
public:
    // Opens or creates `folder`/ledger.db (folder 0700, file 0600): migrates an older file (after a backup), refuses a
    // newer one with StorageNewer (0 bytes changed), checks integrity after an unclean shutdown, sets a damaged file
    // aside (never deletes it) and reports that in `notes()`.
    [[nodiscard]] static base::Result<std::unique_ptr<LedgerStore>> open(const std::filesystem::path &folder,
                                                                         const OpenOptions &options = {});
    ~LedgerStore();
    LedgerStore(const LedgerStore &) = delete;
    LedgerStore &operator=(const LedgerStore &) = delete;

    // What happened while opening, human-readable (migrated, backup, damaged file set aside, healed).
    const std::vector<std::string> &notes() const;
    std::filesystem::path file() const;

    // Begins to write facts together with what is derived from them (app/ledger/commit); no one else can write until
    // the transaction is destroyed. Fails with StorageFull, StorageReadOnly, StorageBusy, StorageCorrupt or Storage.
    [[nodiscard]] base::Result<std::unique_ptr<WriteTransaction>> beginWrite();
    // What a sync stores about a source for the next sync (not part of the facts); empty: nothing.
    [[nodiscard]] base::Result<std::string> memoryOf(const std::string &source);
    [[nodiscard]] base::Result<void> putMemory(const std::string &source, const std::string &memory);
    // Records how an attempt ended (not part of the facts), and frees the space used by its write-ahead log.
    [[nodiscard]] base::Result<void> saveSyncState(const SyncState &state);
    [[nodiscard]] base::Result<std::vector<SyncState>> syncStates();
    // True if files of exactly these bytes were imported as one delivery, under any source name.
    [[nodiscard]] base::Result<bool> knowsBills(const std::vector<std::string> &sha256);
    // The paths under which they were imported; empty: never imported.
    [[nodiscard]] base::Result<std::vector<std::string>> billPaths(const std::vector<std::string> &sha256);
    // Begins to write a delivery; no one else can write until the transaction is destroyed. Null: the delivery is
    // already known. Fails like beginWrite().
    [[nodiscard]] base::Result<std::unique_ptr<BillTransaction>>
    beginBills(const std::string &source, const std::vector<ports::BillFile> &files, base::UtcTime now);
    // The bills' totals for days first..last: as summed when they were written, or from each line.
    enum class BillCheck { Kept, Recomputed };
    [[nodiscard]] base::Result<BillTotals> billTotals(base::Day first, base::Day last, BillCheck check);
    // Billed usage for which the file gives effective cost 0.
    [[nodiscard]] base::Result<std::vector<EffectiveZero>> effectiveZero(base::Day first, base::Day last);
    // How the days on bills grew from import to import.
    [[nodiscard]] base::Result<BillGrowth> billGrowth();
    // Signed-off months, and the audit log.
    MonthStore months();
    // The actions: what was stopped and brought back.
    ActionStore actions();
    // What alerts did, and the outbox of their notices.
    AlertStore alerts();
    // The offers of price lists, with their history.
    PriceStore prices();
    // What was derived from whole days, for the replays of savings.
    DayFactStore dayFacts();
    // What the cache has from a source of allocations, ascending by day.
    [[nodiscard]] base::Result<std::vector<AllocatedState>> allocatedStates(const std::string &source);
    // Records that the source now has less for that day (`told`) than before; the stored data stay: until another
    // putAllocations(), with heldAllocations() reporting the day meanwhile, or permanently if `final`. Fails like
    // beginWrite().
    [[nodiscard]] base::Result<void> holdAllocations(const std::string &source, base::Day day,
                                                     const model::AllocatedSize &told, base::UtcTime now, bool final);
    // For days first..last, ascending by source and day. Fails with StorageCorrupt if a day is damaged.
    [[nodiscard]] base::Result<std::vector<HeldDay>> heldAllocations(base::Day first, base::Day last);
    // True if the source was queried at another address before; false if unknown.
    [[nodiscard]] base::Result<bool> allocatorMoved(const std::string &source, const std::string &address);
    [[nodiscard]] base::Result<void> saveAllocatorAddress(const std::string &source, const std::string &address);
    // What the ledger of days first..last found about allocators, ascending by day and key.
    [[nodiscard]] base::Result<void> allocationFindings(base::Day first, base::Day last,
                                                        const AllocationFindingVisitor &visit);

    [[nodiscard]] base::Result<std::unique_ptr<FactReader>> facts();
    // Like facts(), but the bills of a day are recomputed from each line, with the lines' places in the files.
    [[nodiscard]] base::Result<std::unique_ptr<FactReader>> factsByLine();
    [[nodiscard]] base::Result<std::unique_ptr<CubeReader>> cube();

    // A check of everything in the current state of the cache.
    [[nodiscard]] base::Result<std::unique_ptr<Verification>> beginVerification();
    // Changes whenever a commit (by any process) changed the data; cheap.
    [[nodiscard]] base::Result<std::int64_t> generation();

    struct Private;

private:
    explicit LedgerStore(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace gpuledger::store
