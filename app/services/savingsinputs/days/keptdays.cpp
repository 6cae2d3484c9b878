// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/days/keptdays.h"

#include "app/base/text/log.h"
#include "app/services/savingsinputs/rightsizefacts.h"
#include "app/store/dayfacts/dayfactstore.h"

#include <utility>

namespace gpuledger::services {

using base::Day;
using base::Result;

namespace {

void addRule(std::string &text, std::string_view part)
{
    text += std::to_string(part.size()) + ':';
    text += part;
}

} // namespace

// What the ledger's fingerprint does not have, because no figure of it depends on that: which holders are protected,
// and which memory counts as used.
std::string keptDayRules(const ledger::Ledger &ledger, const model::Settings &settings)
{
    std::string text = std::to_string(kHourForm) + ' ' + ledger.fingerprint() + ' ' + std::to_string(kRightSizeIdleMib)
        + '/' + std::to_string(savings::kRightSizeMemoryUnit) + ' ';
    for (const model::ProtectRule &rule : settings.idle.protect) {
        addRule(text, rule.nameSpace);
        text += std::to_string(rule.labels.size()) + ' ';
        for (const auto &[key, value] : rule.labels) {
            addRule(text, key);
            addRule(text, value);
        }
    }
    return text;
}

Result<std::vector<Day>> missingDays(store::LedgerStore &cache, std::int64_t generation, const ledger::Ledger &ledger,
                                     const model::Settings &settings, Day first, Day end)
{
    std::vector<Day> days;
    const auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    const auto stored = cache.dayFacts().days(keptDayRules(ledger, settings), generation);
    GPULEDGER_TRY(stored);
    if (!*stored || !cache.dayFacts().canPut()) // somebody else wrote: nothing could be put now
        return days;
    for (Day day = first; day < end; ++day.number) {
        if (day.end() <= covered->end && !(*stored)->contains(day))
            days.push_back(day);
    }
    return days;
}

Result<std::unique_ptr<KeptDays>> KeptDays::open(store::LedgerStore &cache, std::int64_t generation,
                                                 const ledger::Ledger &ledger, const model::Settings &settings,
                                                 store::AttributionReader &attribution)
{
    std::unique_ptr<KeptDays> days(
        new KeptDays(cache, generation, keptDayRules(ledger, settings), model::toShare(settings.idle.threshold)));
    store::FactReader *const facts = attribution.facts();
    if (!facts || !attribution.hasStoredCost())
        return days;
    const auto covered = facts->coveredRange();
    GPULEDGER_TRY(covered);
    auto devices = facts->devices();
    GPULEDGER_TRY(devices);
    auto nodes = facts->nodes();
    GPULEDGER_TRY(nodes);
    days->m_known = covered->end;
    days->m_devices = std::move(*devices);
    days->m_nodes = std::move(*nodes);
    for (const model::Device &device : days->m_devices)
        days->m_fleet.devices.emplace(device.id.value, &device);
    for (const model::Node &node : days->m_nodes)
        days->m_fleet.nodes.emplace(node.id.value, &node);
    days->m_reads = true;
    days->m_writes = cache.dayFacts().canPut();
    return days;
}

Result<bool> KeptDays::has(Day day)
{
    if (m_next.day == day)
        std::swap(m_now, m_next);
    if (m_now.day != day)
        GPULEDGER_TRY(read(day, m_now));
    return m_now.isThere;
}

void KeptDays::readAhead(Day day)
{
    if (!read(day, m_next))
        m_next.day.reset(); // has() reads it again and tells why
}

Result<void> KeptDays::read(Day day, Read &into)
{
    into.day.reset();
    into.isThere = false;
    if (m_reads && day.end() <= m_known) {
        const auto blob = m_cache.dayFacts().read(day, m_rules, m_generation);
        if (!blob && blob.error().code != base::ErrorCode::StorageCorrupt)
            return base::fail(blob.error());
        if (!blob) {
            base::log::info("savings", "a stored day is read again from its facts: " + blob.error().text);
            m_writes = false;
        }
        into.isThere = blob && *blob && into.hours.read(day, **blob, m_fleet);
    }
    into.day = day;
    return {};
}

void KeptDays::begin(Day day, bool isWanted)
{
    m_walked = day;
    m_recorder.reset();
    if (isWanted && m_writes && day.end() <= m_known && !m_done.contains(day))
        m_recorder.emplace(day, m_threshold);
}

void KeptDays::add(const model::DeviceAttribution &device)
{
    if (m_recorder)
        m_recorder->add(device);
}

void KeptDays::end()
{
    if (!m_recorder)
        return;
    if (auto blob = m_recorder->take())
        m_ended.emplace_back(m_walked, std::move(*blob));
    m_recorder.reset();
}

void KeptDays::put()
{
    const auto days = std::exchange(m_ended, {});
    if (!m_writes || days.empty())
        return;
    const auto done = m_cache.dayFacts().put(days, m_rules, m_generation);
    m_writes = done && *done;
    if (!done)
        base::log::info("savings", "read days are not stored: " + done.error().text);
    for (const auto &[day, blob] : days)
        m_done.insert(day);
    m_now.day.reset(); // what was not there may be now
    m_next.day.reset();
}

} // namespace gpuledger::services
