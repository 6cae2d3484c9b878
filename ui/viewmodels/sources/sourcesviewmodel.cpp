// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/sourcesviewmodel.h"

#include "app/base/text/text.h"
#include "app/insight/spend/countedtwice.h"
#include "app/model/settingsequal.h"
#include "app/services/engine/configservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/spend/spendservice.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/sources/sourcefields.h"
#include "ui/viewmodels/sources/sourceloss.h"
#include "ui/viewmodels/sources/sourcetwice.h"

#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>

namespace gpuledger::ui {

using Standing = SourceCard::Standing;

namespace {

// A source counts as behind if it is late by this many of its own intervals, but at least by half an hour, because
// telemetry is fetched only after it has settled.
constexpr int kLateIntervals = 3;
constexpr base::Seconds kLeastLate{1800};
constexpr base::Seconds kJustNow{60};
constexpr base::Seconds kRelativeTime{86400}; // older times are shown with their date

QDateTime inZone(base::UtcTime time, const base::TimeZone &zone)
{
    const QTimeZone shown(QByteArray::fromStdString(std::string(zone.name())));
    const qint64 seconds = base::toUnix(time);
    return shown.isValid() ? QDateTime::fromSecsSinceEpoch(seconds, shown) : QDateTime::fromSecsSinceEpoch(seconds);
}

QString day(base::UtcTime time, const base::TimeZone &zone)
{
    return QLocale().toString(inZone(time, zone).date(), QLocale::ShortFormat);
}

QString count(std::uint64_t number)
{
    return QLocale().toString(static_cast<qulonglong>(number));
}

QString wordOf(Standing standing)
{
    switch (standing) {
    case Standing::Syncing:
        return SourcesViewModel::tr("Syncing");
    case Standing::Fresh:
        return SourcesViewModel::tr("Up to date");
    case Standing::Behind:
        return SourcesViewModel::tr("Behind");
    case Standing::Failed:
        return SourcesViewModel::tr("Failed");
    case Standing::NeverSynced:
        return SourcesViewModel::tr("Not synced yet");
    }
    return {};
}

Standing standingOf(const services::SourceStatus &status, bool syncing)
{
    if (syncing)
        return Standing::Syncing;
    if (!status.state.lastErrorCode.empty())
        return Standing::Failed;
    if (status.isPlatform && !status.tellsInventory)
        return Standing::Fresh; // it is queried only when something is stopped
    if (!status.state.lastSuccess)
        return Standing::NeverSynced;
    const base::Seconds late = std::max(kLateIntervals * status.settings.every, kLeastLate);
    return status.lag && *status.lag > late ? Standing::Behind : Standing::Fresh;
}

// The stored failure as text for users; its code is stored by name.
QString sentenceOf(const store::SyncState &state)
{
    for (int code = 0; code <= static_cast<int>(base::ErrorCode::Internal); ++code) {
        const auto candidate = static_cast<base::ErrorCode>(code);
        if (base::toString(candidate) == state.lastErrorCode)
            return LocalText::sentence(base::Error::make(candidate, state.lastError));
    }
    return QString::fromStdString(state.lastError);
}

} // namespace

SourcesViewModel::SourcesViewModel(services::ConfigService &config, services::SourceService &sources,
                                   services::SpendService &spend, TaskRunner &tasks, SyncController &sync,
                                   const std::filesystem::path &configFile, const LoginPorts &logins, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_sources(sources)
    , m_spend(spend)
    , m_tasks(tasks)
    , m_sync(sync)
    , m_logins(logins)
    , m_saver(config, sources, tasks, sync, configFile)
    , m_asker(tasks, this, [this] { take(); })
    , m_twice(tasks, this, [this] { makeCards(); })
{
    connect(&sync, &SyncController::runningChanged, this, &SourcesViewModel::makeCards);
    connect(&sync, &SyncController::sourcesChanged, this, &SourcesViewModel::refresh);
}

void SourcesViewModel::sync(const std::string &name)
{
    m_sync.startOne(name);
}

const services::SyncReport *SourcesViewModel::lastReportOf(const std::string &name) const
{
    const auto &reports = m_sync.lastReports();
    const auto report =
        std::find_if(reports.begin(), reports.end(), [&](const services::SyncReport &one) { return one.name == name; });
    return report == reports.end() ? nullptr : &*report;
}

QString SourcesViewModel::acceptanceText(const std::string &name) const
{
    const Statuses none;
    for (const services::SourceStatus &status : m_asker.snapshot() ? *m_asker.snapshot() : none) {
        if (status.settings.name == name)
            return lossOf(status, lastReportOf(name), m_config.timeZone()).consequence;
    }
    return {};
}

void SourcesViewModel::acceptLoss(const std::string &name)
{
    m_sync.startOne(name, SyncController::WhatIsGone::Accept);
}

void SourcesViewModel::stopSync()
{
    m_sync.cancel();
}

SourceTest *SourcesViewModel::testOf(const std::string &name)
{
    const auto known = std::any_of(m_cards.begin(), m_cards.end(), [&](const SourceCard &c) { return c.name == name; });
    if (!known)
        return nullptr;
    auto &test = m_tests[name];
    if (!test) {
        test = std::make_unique<SourceTest>(m_config.clock(), m_sources, m_tasks, m_logins);
        connect(test.get(), &SourceTest::changed, this, &SourcesViewModel::makeCards);
    }
    return test.get();
}

void SourcesViewModel::test(const std::string &name)
{
    for (const model::SourceSettings &source : m_config.settings().sources) {
        if (source.name == name && testOf(name))
            testOf(name)->start(source);
    }
}

std::optional<model::SourceSettings> SourcesViewModel::settingsOf(const std::string &name) const
{
    for (const model::SourceSettings &source : m_config.settings().sources) {
        if (source.name == name)
            return source;
    }
    return std::nullopt;
}

QString SourcesViewModel::removalText(const std::string &name) const
{
    const Statuses none;
    for (const services::SourceStatus &status : m_asker.snapshot() ? *m_asker.snapshot() : none) {
        if (status.settings.name != name || status.state.covered.empty())
            continue;
        const base::TimeRange covered = status.state.covered;
        return tr("Nothing more is read from it. What it reported from %1 to %2 stays stored and stays in all figures.",
                  "two days")
            .arg(day(covered.start, m_config.timeZone()), day(covered.end, m_config.timeZone()));
    }
    return tr("Nothing has been read from it so far, so no figure changes.");
}

void SourcesViewModel::remove(const std::string &name)
{
    const auto source = settingsOf(name);
    if (!source || !canChange())
        return;
    m_saver.save([source = *source, file = m_saver.file(), kinds = m_sources.kinds()](std::string_view text) {
        return services::withoutSource(text, source, file, kinds);
    });
}

void SourcesViewModel::refresh()
{
    m_asker.ask([sources = &m_sources](const std::stop_token &) -> LatestQuery<Statuses>::Answer {
        auto statuses = sources->statuses();
        GPULEDGER_TRY(statuses);
        return std::make_shared<const Statuses>(std::move(*statuses));
    });
    using AllTwice = std::vector<insight::CountedTwice>;
    m_twice.ask([spend = &m_spend](const std::stop_token &) -> LatestQuery<AllTwice>::Answer {
        auto twice = spend->countedTwice();
        GPULEDGER_TRY(twice);
        return std::make_shared<const AllTwice>(std::move(*twice));
    });
}

void SourcesViewModel::setActive(bool active)
{
    m_asker.setActive(active);
    m_twice.setActive(active);
}

void SourcesViewModel::take()
{
    if (m_asker.error()) {
        m_error = *m_asker.error();
        m_state = PageState::Error;
        Q_EMIT changed();
        return;
    }
    m_state = m_asker.snapshot()->empty() ? PageState::FirstRun : PageState::Data;
    forgetOldTests();
    makeCards();
}

// Discards the tests of sources whose configuration has changed since.
void SourcesViewModel::forgetOldTests()
{
    for (const services::SourceStatus &status : *m_asker.snapshot()) {
        const auto test = m_tests.find(status.settings.name);
        if (test != m_tests.end() && test->second->source() && !(*test->second->source() == status.settings))
            test->second->reset();
    }
}

const SourceTest *SourcesViewModel::existingTestOf(const std::string &name) const
{
    const auto test = m_tests.find(name);
    return test == m_tests.end() ? nullptr : test->second.get();
}

void SourcesViewModel::makeCards()
{
    if (!m_asker.snapshot())
        return;
    m_cards.clear();
    for (const services::SourceStatus &status : *m_asker.snapshot())
        m_cards.push_back(cardOf(status));
    std::erase_if(m_tests, [this](const auto &entry) {
        return std::none_of(m_cards.begin(), m_cards.end(), [&](const auto &c) { return c.name == entry.first; });
    });
    Q_EMIT changed();
}

SourceCard SourcesViewModel::cardOf(const services::SourceStatus &status) const
{
    const store::SyncState &state = status.state;
    SourceCard card;
    card.name = status.settings.name;
    card.kind = QString::fromStdString(status.settings.kind);
    const ports::SourceKinds kinds = m_sources.kinds();
    if (const ports::SourceKind *const kind = ports::findKind(kinds, status.settings.kind)) {
        card.kind = LocalText::sourceKind(*kind);
        card.canEdit = canChange() && isTypedKind(*kind);
        if (kind->needs(ports::SourceField::Type::Url)) // otherwise the address is unused
            card.address = QString::fromStdString(status.settings.url);
        else if (kind->needs(ports::SourceField::Type::Path))
            card.address = QString::fromStdString(status.settings.path);
    }
    card.standing = standingOf(status, m_sync.isSyncing(card.name));
    card.standingWord = wordOf(card.standing);
    if (!state.lastErrorCode.empty())
        card.error = sentenceOf(state);
    addLoss(card, status);
    if (m_twice.snapshot())
        card.twice = twiceTextOf(*m_twice.snapshot(), card.name);
    const QString none = QStringLiteral("–");
    if (status.isPlatform && !status.tellsInventory)
        judgePlatform(card, status);
    else
        card.facts.push_back({tr("Last sync"), state.lastSuccess ? ago(*state.lastSuccess) : none,
                              state.lastSuccess ? exactTime(*state.lastSuccess) : QString()});
    if (status.isPlatform) {
        addPlatformFacts(card, status);
    } else if (status.tellsBills) {
        card.facts.push_back(
            {tr("Data received"),
             state.lastAttempt ? tr("%1 lines, %2 rejected").arg(count(state.accepted), count(state.rejected)) : none,
             tr("From new bills; sync --verbose shows which rows were rejected and why")});
        addMachines(card, status);
    } else if (status.tellsAllocations) {
        card.facts.push_back(
            {tr("Data received"),
             state.lastAttempt ? tr("%1 records, %2 rejected").arg(count(state.accepted), count(state.rejected)) : none,
             tr("Machines and pods with GPUs, for each day that is over; reconcile shows how they differ from the "
                "ledger")});
    } else {
        addTelemetryFacts(card, status);
    }
    addPaid(card, status);
    if (status.stops && !status.isPlatform && !status.settings.cluster.empty())
        card.facts.push_back({tr("Cluster"), QString::fromStdString(base::printable(status.settings.cluster, 100)),
                              tr("As telemetry names it: what runs there can be stopped through this source")});
    card.facts.push_back({tr("Rights"), status.settings.mayStop ? tr("Read and stop") : tr("Read only"),
                          status.settings.mayStop
                              ? tr("May stop workloads where the platform allows it too, after you confirm")
                              : tr("Nothing is ever changed through this source")});
    return card;
}

void SourcesViewModel::addPaid(SourceCard &card, const services::SourceStatus &status) const
{
    if (!status.paid)
        return;
    const ports::PaidCalls &calls = status.paid->calls;
    const QString month =
        QLocale().toString(inZone(status.paid->month, base::TimeZone()).date(), QStringLiteral("MMMM yyyy"));
    constexpr std::int64_t kNanosPerCent = 10'000'000;
    const bool isSmall = calls.amount.nanos() > 0 && calls.amount.nanos() < kNanosPerCent;
    const QString currency = QString::fromStdString(std::string(calls.amount.currency().code()));
    const QString amount = LocalText::money(calls.amount.toDouble(), currency, isSmall ? 5 : 2);
    card.facts.push_back(
        {tr("Paid requests"),
         tr("%1 in %2, %3", "a number of requests, a month, an amount").arg(count(calls.requests), month, amount),
         tr("What the provider charges for reading from it")});
}

// The loss is shown as a question. It replaces the failure that the last sync recorded for it, which says the same.
void SourcesViewModel::addLoss(SourceCard &card, const services::SourceStatus &status) const
{
    card.loss = lossOf(status, lastReportOf(card.name), m_config.timeZone()).summary;
    if (card.loss.isEmpty())
        return;
    const bool isOfTelemetry = status.held.empty();
    if (isOfTelemetry)
        card.error.clear();
    if (card.standing == Standing::Fresh || (card.standing == Standing::Failed && isOfTelemetry))
        card.standing = Standing::Behind;
    if (card.standing == Standing::Behind)
        card.standingWord = tr("Needs consent", "a source");
}

QString SourcesViewModel::exactTime(base::UtcTime time) const
{
    return QLocale().toString(inZone(time, m_config.timeZone()), QLocale::LongFormat);
}

QString SourcesViewModel::ago(base::UtcTime time) const
{
    const base::Seconds age = std::max(base::Seconds{0}, base::Seconds{m_config.clock().now() - time});
    if (age < kJustNow)
        return tr("just now");
    return age < kRelativeTime ? tr("%1 ago", "a time span").arg(LocalText::age(age)) : day(time, m_config.timeZone());
}

void SourcesViewModel::addTelemetryFacts(SourceCard &card, const services::SourceStatus &status) const
{
    const base::TimeZone &zone = m_config.timeZone();
    const store::SyncState &state = status.state;
    const QString none = QStringLiteral("–");
    card.facts.push_back({tr("Lag"), status.lag ? LocalText::age(*status.lag) : none,
                          status.lag ? tr("Data until %1").arg(exactTime(state.covered.end)) : QString()});
    card.facts.push_back(
        {tr("Covers"),
         state.covered.empty()
             ? none
             : tr("%1 to %2", "two days").arg(day(state.covered.start, zone), day(state.covered.end, zone)),
         state.covered.empty()
             ? QString()
             : tr("%1 to %2", "two times").arg(exactTime(state.covered.start), exactTime(state.covered.end))});
    QString seen = none;
    if (status.devices && status.nodes)
        seen = tr("%1 on %2", "devices on nodes")
                   .arg(tr("%n GPUs", nullptr, static_cast<int>(*status.devices)),
                        tr("%n nodes", nullptr, static_cast<int>(*status.nodes)));
    card.facts.push_back({tr("Seen"), seen,
                          status.devices ? tr("Since the first sync")
                                         : tr("Several sources report on these clusters; the fleet is below")});
    card.facts.push_back({tr("Data received"),
                          state.lastAttempt ? tr("%1 values, %2 rejected, %3 gaps")
                                                  .arg(count(state.accepted), count(state.rejected), count(state.gaps))
                                            : none,
                          tr("Averages over 5 minutes; rejected ones were impossible, gaps are time without any")});
}

} // namespace gpuledger::ui
