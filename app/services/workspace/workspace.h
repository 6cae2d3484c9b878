// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/clock.h"
#include "app/insight/spend/month.h"
#include "app/services/engine/workspaceoptions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::base {
class TimeZone;
}
namespace gpuledger::model {
struct Settings;
}
namespace gpuledger::ports {
class NoticeTargets;
class SecretStore;
class SourceCatalog;
} // namespace gpuledger::ports
namespace gpuledger::store {
struct AuditEntry;
struct IntegrityProblem;
struct SetAside;
} // namespace gpuledger::store

namespace gpuledger::services {

class ActionService;
class AlertDesk;
class AlertService;
class BillingService;
class ConfigService;
class Engine;
class FleetQuestions;
class FleetService;
class ProofService;
class SavingsService;
class SourceService;
class SpendService;

// The engine built from a configuration: one object per application, created in the composition roots. Every function
// blocks and must be called from a worker thread; all of them may be called from several threads at once. The
// catalogue, secret store and clock must outlive it.
class Workspace {
public:
    [[nodiscard]] static base::Result<std::unique_ptr<Workspace>>
    open(model::Settings settings, const WorkspaceOptions &options, const ports::SourceCatalog &catalog,
         ports::SecretStore &secrets, const base::Clock &clock);
    ~Workspace();
    Workspace(const Workspace &) = delete;
    Workspace &operator=(const Workspace &) = delete;

    // From the configuration in use. References returned earlier stay valid and unchanged after apply().
    const model::Settings &settings() const;
    const base::TimeZone &timeZone() const;
    // Switches to another configuration: later queries use it, running ones finish with the old one. Waits for a
    // running sync. Fails like open(), and then changes nothing.
    [[nodiscard]] base::Result<void> apply(model::Settings settings);
    const base::Clock &clock() const;
    // Messages from opening (migration, backup, damaged file set aside).
    const std::vector<std::string> &notes() const;
    // Damaged caches that were set aside, oldest first: every answer mentions them until the user confirms them.
    std::vector<store::SetAside> damage() const;
    // Records each of them in the audit log, then stops mentioning them. Fails with Storage… codes.
    [[nodiscard]] base::Result<void> confirmDamage();
    [[nodiscard]] base::Result<std::vector<store::IntegrityProblem>> verify();
    // Changes whenever the data change (including by another process).
    [[nodiscard]] base::Result<std::int64_t> generation();
    // What was signed off, decided or stopped, by whom and when; ascending.
    [[nodiscard]] base::Result<std::vector<store::AuditEntry>> auditLog();
    // The only month there is, if this is a report.
    std::optional<insight::Month> reportMonth() const;
    bool isReport() const;

    // They live as long as this object.
    ConfigService &config() { return *m_config; }
    SourceService &sources() { return *m_sources; }
    FleetService &fleet() { return *m_fleet; }
    SpendService &spend() { return *m_spend; }
    BillingService &billing() { return *m_billing; }
    ProofService &proof() { return *m_proof; }
    SavingsService &savings() { return *m_savings; }
    ActionService &actions() { return *m_actions; }
    AlertService &alerts() { return *m_alerts; }
    AlertDesk &alertDesk() { return *m_alertDesk; }

private:
    explicit Workspace(std::unique_ptr<Engine> engine);

    const std::unique_ptr<Engine> m_engine; // first: everything below refers to it
    const std::unique_ptr<ConfigService> m_config;
    const std::unique_ptr<SourceService> m_sources;
    const std::unique_ptr<FleetService> m_fleet;
    const std::unique_ptr<AlertService> m_alerts;
    const std::shared_ptr<ports::NoticeTargets> m_targets; // of the next one
    const std::unique_ptr<AlertDesk> m_alertDesk;
    const std::unique_ptr<SpendService> m_spend;
    const std::unique_ptr<BillingService> m_billing;
    const std::unique_ptr<SavingsService> m_savings;
    const std::unique_ptr<ProofService> m_proof;
    const std::unique_ptr<FleetQuestions> m_questions; // of the actions
    const std::unique_ptr<ActionService> m_actions;
};

} // namespace gpuledger::services
