// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/ledgerstore.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/store/actions/actionstore.h"
#include "app/store/alerts/alertstore.h"
#include "app/store/bills/allocationrows.h"
#include "app/store/bills/billwriter.h"
#include "app/store/damage/salvage.h"
#include "app/store/damage/setaside.h"
#include "app/store/damage/verifier.h"
#include "app/store/dayfacts/dayfactstore.h"
#include "app/store/facts/syncstatesql.h"
#include "app/store/ledgerstoreprivate.h"
#include "app/store/months/monthstore.h"
#include "app/store/prices/pricestore.h"
#include "app/store/rollup/cubestore.h"
#include "app/store/snapshot/factreadersql.h"
#include "app/store/sqlite/migrations.h"

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr std::chrono::milliseconds kQuickLookLimit{1500};
constexpr std::chrono::hours kWholeLookLimit{1};
constexpr const char *kNotOurs = "it is not an SQLite file, or its header or end is damaged";
constexpr const char *kFileName = "ledger.db";
constexpr const char *kLockName = "ledger.lock";
constexpr const char *kMemoryKey = "told:"; // in meta, with a source's name

// Refuses a file that must not be touched; needs no write permission. A log may hold a newer version than the header.
Result<FileLook> lookBeforeOpening(const std::filesystem::path &file)
{
    auto look = lookAt(file);
    if (!look)
        return look;
    if (look->kind == FileLook::Kind::Foreign)
        return fail(base::Error::make(ErrorCode::Storage,
                                      file.filename().string() + " belongs to another program; it was not changed",
                                      base::Remedy::MoveForeignFile)
                        .withSource(file.string()));
    if (look->kind == FileLook::Kind::Ours && look->hasLog) {
        if (auto reader = Database::open(file, Database::Mode::Reader)) {
            if (const auto version = (*reader)->scalar("PRAGMA user_version"); version && *version)
                look->version = **version;
        }
    }
    const auto known = static_cast<std::int64_t>(builtInSteps().size());
    if (look->version > known)
        return fail(newerError(file, look->version, known));
    return look;
}

// Describes the first problem found in any of its pages; empty: none. The file stays unchanged.
Result<std::string> damageOf(const std::filesystem::path &file, const FileLook &look)
{
    if (look.kind != FileLook::Kind::Ours)
        return std::string(kNotOurs);
    const auto opened = Database::open(file, Database::Mode::Writer);
    auto findings = opened ? quickLook(**opened, kWholeLookLimit) : Result<QuickFindings>(fail(opened.error()));
    if (opened)
        (*opened)->setCheckpointOnClose(false);
    if (!findings && findings.error().code != ErrorCode::StorageCorrupt)
        return fail(findings.error());
    if (!findings)
        return findings.error().text;
    return findings->problems.empty() ? std::string() : findings->problems.front().what;
}

} // namespace

Result<void> LedgerStore::Private::openOnce(bool unclean)
{
    GPULEDGER_TRY(createPrivateFile(file));
    auto opened = Database::open(file, Database::Mode::Writer);
    if (!opened)
        return fail(std::move(opened).error());
    writer = std::move(*opened);
    writer->setCheckpointOnClose(false);
    if (unclean) {
        const auto findings = quickLook(*writer, kQuickLookLimit);
        if (!findings)
            return fail(findings.error());
        if (!findings->problems.empty())
            return fail(ErrorCode::StorageCorrupt, findings->problems.front().what);
        notes.push_back(findings->finished
                            ? "The last run did not end cleanly; the cache was checked and is intact."
                            : "The last run did not end cleanly; the part of the cache that was checked is intact.");
    }
    GPULEDGER_TRY(migrate(*writer, builtInSteps(), notes));
    writer->setCheckpointOnClose(true);
    return {};
}

// Damage is only acted on if no one else has the file open. The record is written first and last: whatever happens in
// between, the damage is reported.
Result<void> LedgerStore::Private::healOrRefuse(const base::Error &error)
{
    writer.reset();
    if (!lock->alone())
        return fail(error);
    const auto to = setAside(file);
    if (!to)
        return fail(to.error());
    SetAside damage{to->filename().string(), error.text, SetAside::Outcome::Lost, {}};
    GPULEDGER_TRY(recordDamage(file, damage));
    Salvage salvage(*to);
    const bool isCorrected = salvage.correct();
    damage.held = salvage.held();
    if (isCorrected) {
        damage.outcome = SetAside::Outcome::Corrected;
        GPULEDGER_TRY(salvage.moveTo(file));
    }
    GPULEDGER_TRY(openOnce(false));
    if (!isCorrected) {
        const auto carried = salvage.carryInto(*writer);
        GPULEDGER_TRY(carried);
        damage.outcome = *carried ? SetAside::Outcome::Carried : SetAside::Outcome::Lost;
    }
    notes.push_back("The cache was damaged (" + error.text + "). It was kept as " + damage.name
                    + (isCorrected ? ", and the damage was repaired in the copy that is in use."
                                   : " and a new one was created; the next sync fills it again."));
    base::log::error("store", notes.back());
    return recordDamage(file, damage);
}

Result<void> LedgerStore::Private::openForWriting()
{
    const auto folder = file.parent_path();
    GPULEDGER_TRY(createPrivateFolder(folder));
    // Before anything is created: the folder of a newer file stays unchanged.
    GPULEDGER_TRY(lookBeforeOpening(file));
    lock = std::make_unique<UseLock>(folder / kLockName);
    const bool alone = lock->alone();
    if (!alone)
        lock->share();
    const auto look = lookBeforeOpening(file);
    if (!look)
        return fail(look.error());
    Result<void> opened = look->kind == FileLook::Kind::NotSqlite
        ? Result<void>(fail(ErrorCode::StorageCorrupt, kNotOurs))
        : openOnce(alone && look->hasLog && look->kind == FileLook::Kind::Ours);
    if (!opened && opened.error().code == ErrorCode::StorageCorrupt)
        opened = healOrRefuse(opened.error());
    GPULEDGER_TRY(opened);
    lock->share();
    readers = std::make_shared<ReaderPool>(file, Database::Mode::Reader);
    identity = identityOf(file);
    return {};
}

Result<void> LedgerStore::Private::openForReading()
{
    const auto look = lookBeforeOpening(file);
    if (!look)
        return fail(look.error());
    if (look->kind == FileLook::Kind::Missing)
        return fail(base::Error::make(ErrorCode::NotFound, "there is no cache at " + file.string(),
                                      base::Remedy::SyncOrCheckDataFolder)
                        .withSource(file.string()));
    if (look->kind == FileLook::Kind::NotSqlite)
        return fail(
            base::Error::make(ErrorCode::StorageCorrupt,
                              file.filename().string() + " is not an SQLite file, or its header or end is damaged",
                              base::Remedy::OpenForWriting)
                .withSource(file.string()));
    readers = std::make_shared<ReaderPool>(file, Database::Mode::Reader);
    auto session = ReadSession::begin(readers);
    if (!session && !look->hasLog) {
        // A read-only folder has no place for SQLite's shared memory; without a log none is needed.
        readers = std::make_shared<ReaderPool>(file, Database::Mode::Immutable);
        session = ReadSession::begin(readers);
    }
    if (!session)
        return fail(std::move(session).error());
    return {};
}

Result<void> repairCache(const std::filesystem::path &cache)
{
    LedgerStore::Private priv;
    priv.file = cache;
    const auto look = lookBeforeOpening(cache);
    GPULEDGER_TRY(look);
    if (look->kind == FileLook::Kind::Missing)
        return {};
    priv.lock = std::make_unique<UseLock>(cache.parent_path() / kLockName);
    if (!priv.lock->alone())
        return fail(base::Error::make(ErrorCode::StorageBusy,
                                      cache.filename().string() + " is open in another program or window",
                                      base::Remedy::CloseCacheUsers)
                        .withSource(cache.string()));
    const auto damage = damageOf(cache, *look);
    GPULEDGER_TRY(damage);
    return damage->empty() ? Result<void>() : priv.healOrRefuse(base::Error::make(ErrorCode::StorageCorrupt, *damage));
}

// One transaction of the writer, for data that are not facts.
template <typename Work> Result<void> LedgerStore::Private::write(Work work)
{
    const std::lock_guard guard(mutex);
    GPULEDGER_TRY(prepareWriter());
    const auto transact = [&]() -> Result<void> {
        Transaction transaction(*writer);
        GPULEDGER_TRY(transaction.beginWrite());
        GPULEDGER_TRY(work());
        return transaction.commit();
    };
    Result<void> done = transact();
    if (!done)
        closeAfter(done.error());
    return done;
}

LedgerStore::LedgerStore(std::unique_ptr<Private> priv)
    : d(std::move(priv))
{
}

LedgerStore::~LedgerStore() = default;

Result<std::unique_ptr<LedgerStore>> LedgerStore::open(const std::filesystem::path &folder, const OpenOptions &options)
{
    auto priv = std::make_unique<Private>();
    priv->file = folder / kFileName;
    priv->readOnly = options.readOnly;
    GPULEDGER_TRY(options.readOnly ? priv->openForReading() : priv->openForWriting());
    return std::unique_ptr<LedgerStore>(new LedgerStore(std::move(priv)));
}

const std::vector<std::string> &LedgerStore::notes() const
{
    return d->notes;
}

std::filesystem::path LedgerStore::file() const
{
    return d->file;
}

Result<std::string> LedgerStore::memoryOf(const std::string &source)
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    std::string memory;
    Statement s = (*session)->database().statement("SELECT value FROM meta WHERE key = ?1");
    GPULEDGER_TRY(s.bind(1, kMemoryKey + source).each([&] { memory = s.blob(0); }));
    return memory;
}

Result<void> LedgerStore::putMemory(const std::string &source, const std::string &memory)
{
    return d->write([&] {
        Statement s = d->writer->statement("INSERT INTO meta (key, value) VALUES (?1, ?2)"
                                           " ON CONFLICT (key) DO UPDATE SET value = excluded.value");
        return s.bind(1, kMemoryKey + source).bindBlob(2, memory).run();
    });
}

Result<void> LedgerStore::saveSyncState(const SyncState &state)
{
    GPULEDGER_TRY(d->write([&] { return putSyncState(*d->writer, state); }));
    const std::lock_guard guard(d->mutex);
    if (d->writer && !d->writer->emptyLog())
        base::log::info("store", "the log of " + d->file.filename().string() + " stays until the next sync");
    return {};
}

Result<std::vector<SyncState>> LedgerStore::syncStates()
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return readSyncStates((*session)->database());
}

Result<std::unique_ptr<FactReader>> LedgerStore::facts()
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return std::make_unique<FactReaderSql>(std::move(*session));
}

Result<std::unique_ptr<FactReader>> LedgerStore::factsByLine()
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return std::make_unique<FactReaderSql>(std::move(*session), FactReaderSql::Bills::ByLine);
}

Result<std::unique_ptr<CubeReader>> LedgerStore::cube()
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return std::make_unique<CubeReaderSql>(std::move(*session));
}

Result<std::unique_ptr<Verification>> LedgerStore::beginVerification()
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return std::make_unique<Verification>(std::move(*session));
}

Result<bool> LedgerStore::knowsBills(const std::vector<std::string> &sha256)
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return BillWriter::knows((*session)->database(), sha256);
}

Result<std::vector<std::string>> LedgerStore::billPaths(const std::vector<std::string> &sha256)
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return BillWriter::pathsOf((*session)->database(), sha256);
}

Result<BillTotals> LedgerStore::billTotals(base::Day first, base::Day last, BillCheck check)
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    BillReader bills((*session)->database());
    if (check == BillCheck::Kept)
        return bills.kept(first, last);
    const auto days = bills.recomputed(first, last);
    GPULEDGER_TRY(days);
    BillTotals totals;
    for (const auto &[day, currencies] : *days) {
        for (const auto &[currency, amounts] : currencies) {
            GPULEDGER_TRY(addAmount(totals[currency].billed, amounts.billed));
            GPULEDGER_TRY(addAmount(totals[currency].effective, amounts.effective));
        }
    }
    return totals;
}

Result<std::vector<EffectiveZero>> LedgerStore::effectiveZero(base::Day first, base::Day last)
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return BillReader((*session)->database()).effectiveZero(first, last);
}

MonthStore LedgerStore::months()
{
    return MonthStore(*d);
}

ActionStore LedgerStore::actions()
{
    return ActionStore(*d);
}

AlertStore LedgerStore::alerts()
{
    return AlertStore(*d);
}

PriceStore LedgerStore::prices()
{
    return PriceStore(*d);
}

DayFactStore LedgerStore::dayFacts()
{
    return DayFactStore(*d);
}

Result<std::vector<AllocatedState>> LedgerStore::allocatedStates(const std::string &source)
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return store::allocatedStates((*session)->database(), source);
}

Result<void> LedgerStore::holdAllocations(const std::string &source, base::Day day, const model::AllocatedSize &told,
                                          base::UtcTime now, bool final)
{
    return d->write([&]() -> Result<void> {
        const auto isNew = holdAllocationDay(*d->writer, source, day, told, now, final);
        GPULEDGER_TRY(isNew);
        return *isNew ? d->nextGeneration() : Result<void>();
    });
}

Result<std::vector<HeldDay>> LedgerStore::heldAllocations(base::Day first, base::Day last)
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return heldAllocationDays((*session)->database(), first, last);
}

Result<bool> LedgerStore::allocatorMoved(const std::string &source, const std::string &address)
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    const auto before = allocatorAddress((*session)->database(), source);
    GPULEDGER_TRY(before);
    return *before && **before != addressNumber(address);
}

Result<void> LedgerStore::saveAllocatorAddress(const std::string &source, const std::string &address)
{
    return d->write([&] { return putAllocatorAddress(*d->writer, source, address); });
}

Result<void> LedgerStore::allocationFindings(base::Day first, base::Day last, const AllocationFindingVisitor &visit)
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    return readAllocationFindings((*session)->database(), first, last, visit);
}

Result<std::int64_t> LedgerStore::generation()
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return fail(std::move(session).error());
    const auto value = (*session)->database().scalar("SELECT value FROM meta WHERE key = 'generation'");
    if (!value)
        return fail(value.error());
    return value->value_or(0);
}

} // namespace gpuledger::store
