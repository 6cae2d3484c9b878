// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/actiontarget.h"
#include "app/ports/allocationsource.h"
#include "app/ports/budgetsource.h"
#include "app/ports/claimsource.h"
#include "app/ports/commitmentsource.h"
#include "app/ports/costsource.h"
#include "app/ports/inventorysource.h"
#include "app/ports/plansource.h"
#include "app/ports/pricesource.h"
#include "app/ports/secretstore.h"
#include "app/ports/sourcekind.h"
#include "app/ports/telemetrysource.h"
#include "app/ports/textfetch.h"
#include "app/ports/waitingsource.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ports {

// Knows every kind of source that this program was built with. Implemented by connectors/connectorregistry; any thread.
class SourceCatalog {
public:
    virtual ~SourceCatalog() = default;
    virtual SourceKinds kinds() const = 0;
    // Fails with InvalidConfig (a field is missing or wrong) or Unsupported (no such kind).
    [[nodiscard]] virtual base::Result<std::unique_ptr<TelemetrySource>>
    create(const model::SourceSettings &settings, const std::vector<model::ExporterMappingText> &exporters,
           SecretStore &secrets, const base::Clock &clock) const = 0;
    // The same for a kind that tells bills.
    [[nodiscard]] virtual base::Result<std::unique_ptr<CostSource>> createCost(const model::SourceSettings &settings,
                                                                               SecretStore &, const base::Clock &) const
    {
        return base::fail(base::ErrorCode::Unsupported, "source kind \"" + settings.kind + "\" does not provide bills");
    }
    // The same for a kind that tells allocations.
    [[nodiscard]] virtual base::Result<std::unique_ptr<AllocationSource>>
    createAllocation(const model::SourceSettings &settings, SecretStore &, const base::Clock &) const
    {
        return base::fail(base::ErrorCode::Unsupported,
                          "source kind \"" + settings.kind + "\" does not provide cost allocations");
    }
    // The platform behind a source, for a kind that stops.
    [[nodiscard]] virtual base::Result<std::unique_ptr<ActionTarget>>
    createTarget(const model::SourceSettings &settings, SecretStore &, const base::Clock &) const
    {
        return base::fail(base::ErrorCode::Unsupported,
                          "source kind \"" + settings.kind + "\" does not support stopping workloads");
    }
    // The platform as one that tells what waits there, for a kind that does.
    [[nodiscard]] virtual base::Result<std::unique_ptr<WaitingSource>>
    createWaiting(const model::SourceSettings &settings, SecretStore &) const
    {
        return base::fail(base::ErrorCode::Unsupported,
                          "source kind \"" + settings.kind + "\" does not provide waiting workloads");
    }
    // The prices of a source, for a kind that tells them.
    [[nodiscard]] virtual base::Result<std::unique_ptr<PriceSource>>
    createPrices(const model::SourceSettings &settings, SecretStore &, const base::Clock &) const
    {
        return base::fail(base::ErrorCode::Unsupported,
                          "source kind \"" + settings.kind + "\" does not provide prices");
    }
    // The machines of a source, for a kind that lists them.
    [[nodiscard]] virtual base::Result<std::unique_ptr<InventorySource>>
    createInventory(const model::SourceSettings &settings, SecretStore &, const base::Clock &) const
    {
        return base::fail(base::ErrorCode::Unsupported, "source kind \"" + settings.kind + "\" does not list machines");
    }
    // The plans of a source, for a kind that tells them.
    [[nodiscard]] virtual base::Result<std::unique_ptr<PlanSource>>
    createPlans(const model::SourceSettings &settings, SecretStore &, const base::Clock &) const
    {
        return base::fail(base::ErrorCode::Unsupported, "source kind \"" + settings.kind + "\" does not tell plans");
    }
    // The claims of a source, for a kind that tells them.
    [[nodiscard]] virtual base::Result<std::unique_ptr<ClaimSource>>
    createClaims(const model::SourceSettings &settings, SecretStore &, const base::Clock &) const
    {
        return base::fail(base::ErrorCode::Unsupported, "source kind \"" + settings.kind + "\" does not tell claims");
    }
    // The budgets of a source, for a kind that tells them.
    [[nodiscard]] virtual base::Result<std::unique_ptr<BudgetSource>>
    createBudgets(const model::SourceSettings &settings, SecretStore &, const base::Clock &) const
    {
        return base::fail(base::ErrorCode::Unsupported, "source kind \"" + settings.kind + "\" does not tell budgets");
    }
    // What a cloud says of commitments, for a kind that tells it.
    [[nodiscard]] virtual base::Result<std::unique_ptr<CommitmentSource>>
    createCommitments(const model::SourceSettings &settings, SecretStore &, const base::Clock &) const
    {
        return base::fail(base::ErrorCode::Unsupported,
                          "source kind \"" + settings.kind + "\" does not tell commitments");
    }
    // A text such as a price list, which belongs to no source. Blocks. Fails with Cancelled, InvalidConfig, Timeout,
    // Network, Tls, TooMuch, Parse, Server, or as its status says.
    [[nodiscard]] virtual base::Result<FetchedText> fetchText(const TextRequest &, const std::stop_token &) const
    {
        return base::fail(base::ErrorCode::Unsupported, "this build can't fetch price lists from an address");
    }
};

} // namespace gpuledger::ports
