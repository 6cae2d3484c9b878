// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/base/result.h"
#include "app/ports/factbatch.h"
#include "app/store/bills/billtransaction.h"
#include "app/store/facts/factreader.h"
#include "app/store/rollup/rollupbuilder.h"
#include "app/store/values/allocated.h"
#include "app/store/values/cube.h"
#include "app/store/values/heldday.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::store {

class ActionStore;
class MonthStore;

// How far a source was fetched, and how the last attempt ended.
struct SyncState {
    std::string source;
    base::TimeRange covered; // everything in it was fetched and stored
    std::optional<base::UtcTime> lastSuccess;
    std::optional<base::UtcTime> lastAttempt;
    std::string lastError; // empty after a success; plain text, redacted
    std::string lastErrorCode;
    std::uint64_t accepted = 0, rejected = 0, gaps = 0, bytes = 0; // of the last run
};

struct IntegrityProblem {
    std::string where; // table or file
    std::string what;
};

struct OpenOptions {
    bool readOnly = false;
};

// The cache: one SQLite file (WAL). One LedgerStore a process; writing calls are serialised inside (one writer
// connection) and use BEGIN IMMEDIATE, so several processes may write in turn; readers are independent objects with
// connections of their own. Thread-safe.
class LedgerStore {
public:
    // Opens or creates `folder`/ledger.db (folder 0700, file 0600): migrates (after a backup) when it is older, refuses
    // with StorageNewer when it is newer (0 bytes changed), checks integrity after an unclean end, sets a damaged file
    // aside (never deletes it) and says so in `notes()`.
    [[nodiscard]] static base::Result<std::unique_ptr<LedgerStore>> open(const std::filesystem::path &folder,
                                                                         const OpenOptions &options = {});
    ~LedgerStore();
    LedgerStore(const LedgerStore &) = delete;
    LedgerStore &operator=(const LedgerStore &) = delete;

    // What happened while opening, in plain words (migrated, backup, damaged file set aside, healed).
    const std::vector<std::string> &notes() const;
    std::filesystem::path file() const;

    // Upserts the batch and brings the roll-up of every touched day up to date in one transaction; moves the source's
    // covered range. A day is touched when the batch has facts in it, or when a new placement of a holder changes who
    // held what in an earlier gap. Fails with StorageFull, StorageReadOnly, StorageBusy, StorageCorrupt or Storage;
    // then nothing of the batch is stored.
    [[nodiscard]] base::Result<void> commit(const std::string &source, const ports::FactBatch &batch,
                                            RollupBuilder &rollup);
    // Takes away the marks of what was fetched that lie beyond the newest sample that is there: a clock that was ahead
    // left them, or an answer that was empty. What comes there is asked for then. Fails as commit() does.
    [[nodiscard]] base::Result<void> mendFetched(const std::string &source, base::UtcTime now, RollupBuilder &rollup);
    // What the last syncs keep about a source for the next one (not part of the facts); empty: nothing.
    [[nodiscard]] base::Result<std::string> memoryOf(const std::string &source);
    [[nodiscard]] base::Result<void> putMemory(const std::string &source, const std::string &memory);
    // Records how an attempt ended (not part of the facts), and gives back the room that its log took.
    [[nodiscard]] base::Result<void> saveSyncState(const SyncState &state);
    [[nodiscard]] base::Result<std::vector<SyncState>> syncStates();
    // Whether files of exactly these bytes were imported as one delivery, under whatever name of a source.
    [[nodiscard]] base::Result<bool> knowsBills(const std::vector<std::string> &sha256);
    // The paths under which they were imported; empty: they never were.
    [[nodiscard]] base::Result<std::vector<std::string>> billPaths(const std::vector<std::string> &sha256);
    // Begins to write a delivery; nobody else writes until the transaction goes. Null: it is known. Fails as commit().
    [[nodiscard]] base::Result<std::unique_ptr<BillTransaction>>
    beginBills(const std::string &source, const std::vector<ports::BillFile> &files, base::UtcTime now);
    // What the bills say of days first..last: as added up when they were written, or from each of their lines.
    enum class BillCheck { Kept, Recomputed };
    [[nodiscard]] base::Result<BillTotals> billTotals(base::Day first, base::Day last, BillCheck check);
    // Usage that was billed, of which the file says effective cost 0.
    [[nodiscard]] base::Result<std::vector<EffectiveZero>> effectiveZero(base::Day first, base::Day last);
    // Months that people signed off, and the audit log.
    MonthStore months();
    // What people stopped and brought back.
    ActionStore actions();
    // What the cache has of a source that tells allocations, ascending by day.
    [[nodiscard]] base::Result<std::vector<AllocatedState>> allocatedStates(const std::string &source);
    // Replaces what the source said of that day, and brings its ledger up to date, in one transaction. False: it said
    // the same before. `final`: it was asked for so late that it changes no more. Fails as commit() does.
    [[nodiscard]] base::Result<bool> putAllocations(const std::string &source, const model::AllocationDay &day,
                                                    base::UtcTime now, bool final, RollupBuilder &rollup);
    // The source has less of that day, `told`, than it had, and what is kept stays: until another putAllocations(), of
    // which heldAllocations() says so, or for good when `final`. Fails as commit() does.
    [[nodiscard]] base::Result<void> holdAllocations(const std::string &source, base::Day day,
                                                     const model::AllocatedSize &told, base::UtcTime now, bool final);
    // Of days first..last, ascending by source and day. Fails with StorageCorrupt where a day is damaged.
    [[nodiscard]] base::Result<std::vector<HeldDay>> heldAllocations(base::Day first, base::Day last);
    // Whether the source was asked at another address before. False where nobody knows.
    [[nodiscard]] base::Result<bool> allocatorMoved(const std::string &source, const std::string &address);
    [[nodiscard]] base::Result<void> saveAllocatorAddress(const std::string &source, const std::string &address);
    // What the ledger of days first..last found about allocators, ascending by day and key.
    [[nodiscard]] base::Result<void> allocationFindings(base::Day first, base::Day last,
                                                        const AllocationFindingVisitor &visit);
    // Rebuilds the whole roll-up if its fingerprint differs from the builder's.
    [[nodiscard]] base::Result<bool> refreshRollup(RollupBuilder &rollup);

    [[nodiscard]] base::Result<std::unique_ptr<FactReader>> facts();
    // The same, but what bills say of a day is worked out from each of their lines, with their places in the files.
    [[nodiscard]] base::Result<std::unique_ptr<FactReader>> factsByLine();
    [[nodiscard]] base::Result<std::unique_ptr<CubeReader>> cube();

    // SQLite's own check, blob checksums, and cube == recomputation from the facts. Empty = all holds.
    [[nodiscard]] base::Result<std::vector<IntegrityProblem>> verify(RollupBuilder &rollup);
    // Changes whenever a commit (of any process) changed the data; cheap.
    [[nodiscard]] base::Result<std::int64_t> generation();

    struct Private;

private:
    explicit LedgerStore(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace gpuledger::store
