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
    if (!m_reads || day.end() > m_known)
        return false;
    if (m_day == day && !m_blob.empty())
        return true;
    m_blob.clear();
    auto blob = m_cache.dayFacts().read(day, m_rules, m_generation);
    if (!blob && blob.error().code == base::ErrorCode::StorageCorrupt) {
        base::log::info("savings", "a stored day is read again from its facts: " + blob.error().text);
        m_writes = false;
        return false;
    }
    GPULEDGER_TRY(blob);
    if (!*blob)
        return false;
    const auto isWhole = readHours(day, **blob, m_fleet, [](const HourPiece &) -> Result<void> { return {}; });
    if (!isWhole || !*isWhole)
        return isWhole;
    m_day = day;
    m_blob = std::move(**blob);
    return true;
}

Result<void> KeptDays::visit(const HourVisitor &visit) const
{
    const auto read = readHours(m_day, m_blob, m_fleet, visit);
    return read ? Result<void>() : base::fail(read.error());
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
}

} // namespace gpuledger::services
