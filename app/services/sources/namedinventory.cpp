// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/namedinventory.h"

#include "app/ingest/usagesync.h"
#include "app/savings/prices/gpunames.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/sourceprices.h"

#include <optional>
#include <utility>

namespace gpuledger::services {

using base::Result;

namespace {

class NamedInventory final : public ports::InventorySource {
public:
    NamedInventory(std::unique_ptr<ports::InventorySource> source, PriceLists known)
        : m_source(std::move(source))
        , m_known(std::move(known))
    {
    }
    const std::string &name() const override { return m_source->name(); }
    std::string cloud() const override { return m_source->cloud(); }
    Result<ports::Inventory> read(const std::map<std::string, ports::KnownMachine> &, std::stop_token stop) override
    {
        auto inventory = m_source->read(knownMachines(m_known, cloud()), std::move(stop));
        GPULEDGER_TRY(inventory);
        for (ports::ListedMachine &machine : inventory->machines) {
            if (m_known.catalog.find(machine.gpuName))
                continue;
            const auto memory = machine.memoryMib > 0 ? std::optional(machine.memoryMib) : std::nullopt;
            const auto named = savings::identify(m_known.catalog, {machine.gpuName, machine.type, memory});
            if (m_known.catalog.find(named.model))
                machine.gpuName = named.model;
        }
        return inventory;
    }
    Result<std::vector<ports::Finding>> probe(std::stop_token stop) override
    {
        return m_source->probe(std::move(stop));
    }
    ports::UsageSource *usage() override { return m_source->usage(); }

private:
    std::unique_ptr<ports::InventorySource> m_source;
    PriceLists m_known;
};

base::Error onlyActivity()
{
    return base::Error::make(base::ErrorCode::Unsupported, "a list of machines only tells what they do now");
}

class MachineActivity final : public ports::TelemetrySource {
public:
    explicit MachineActivity(std::unique_ptr<ports::InventorySource> inventory)
        : m_inventory(std::move(inventory))
    {
    }
    const std::string &name() const override { return m_inventory->name(); }
    Result<ports::ProbeReport> probe(std::stop_token) override { return base::fail(onlyActivity()); }
    Result<void> fetch(base::TimeRange, ports::FactSink &, std::stop_token) override
    {
        return base::fail(onlyActivity());
    }
    Result<ports::ActivityAnswer> newestActivity(const ports::ActivityQuestion &question, std::stop_token stop) override
    {
        const auto inventory = m_inventory->read({}, stop);
        GPULEDGER_TRY(inventory);
        return ingest::activityOfListed(*m_inventory->usage(), name(), inventory->machines, question, stop);
    }

private:
    std::unique_ptr<ports::InventorySource> m_inventory;
};

} // namespace

Result<std::unique_ptr<ports::InventorySource>> namedInventory(const ports::SourceCatalog &catalog,
                                                               ports::SecretStore &secrets, const base::Clock &clock,
                                                               const model::SourceSettings &source)
{
    auto list = catalog.createInventory(source, secrets, clock);
    GPULEDGER_TRY(list);
    auto known = priceLists();
    GPULEDGER_TRY(known);
    return std::make_unique<NamedInventory>(std::move(*list), std::move(*known));
}

Result<std::unique_ptr<ports::TelemetrySource>> machineActivity(const ports::SourceCatalog &catalog,
                                                                ports::SecretStore &secrets, const base::Clock &clock,
                                                                const model::SourceSettings &source)
{
    auto list = namedInventory(catalog, secrets, clock, source);
    GPULEDGER_TRY(list);
    if (!(*list)->usage())
        return std::unique_ptr<ports::TelemetrySource>();
    return std::make_unique<MachineActivity>(std::move(*list));
}

} // namespace gpuledger::services
