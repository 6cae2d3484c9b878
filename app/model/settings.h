// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/model/money/chargeback.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// The configuration as values (design: config.md). Read by app/services/config; every member's default applies if the
// file does not set it.
namespace gpuledger::model {

// A reference to a credential; never the credential itself.
struct SecretRef {
    enum class Kind { None, Keychain, Environment, File, Command };
    Kind kind = Kind::None;
    std::string value; // name or path
    std::vector<std::string> command; // argv of kind Command
};

// How to authenticate at a source.
struct AuthSettings {
    enum class Kind { None, Basic, Bearer, Mtls, SigV4 };
    Kind kind = Kind::None;
    std::string user;
    SecretRef password;
    SecretRef token;
    std::string header; // header that carries the plain token; empty: Authorization, as a bearer token
    std::string certificate; // PEM path
    SecretRef key; // PEM path (file:)
    std::string profile, region;
};

// One configured source of telemetry, bills or allocations, or a platform for actions.
struct SourceSettings {
    std::string name;
    std::string kind;
    std::string url;
    std::string path;
    std::string cluster; // fixed name; empty = from clusterLabel, else the source's name
    std::string clusterLabel;
    AuthSettings auth;
    std::string caFile; // PEM path
    std::map<std::string, std::string> headers;
    base::Seconds firstSync{90 * 86400};
    base::Seconds every{300};
    bool mayRead = true;
    bool mayStop = false;
    std::map<std::string, std::string> options; // keys of a single kind only (demo: seed, gpus, days …)
};

// The first match wins; `from`/`until` limit the time for which the rule is valid.
struct OwnerRule {
    enum class Kind { Label, NamespaceLabel, Namespace, NodePool, CloudTag, Account, Default };
    enum class Match { Exact, Prefix, Regex };
    Kind kind = Kind::Default;
    Match match = Match::Exact;
    std::string key; // label or tag name as the user writes it ("team", "app.kubernetes.io/part-of")
    std::string pattern; // value, prefix or expression; empty means that the value is the team
    std::string team; // empty: the label's value, or the expression's group named "team"
    std::optional<base::UtcTime> from, until;
    std::vector<std::string> send{}; // with `team`: names of targets, as a route of this team
};

// Assigns a workload kind by labels or namespace.
struct WorkloadRule {
    Labels labels; // all must be equal
    std::string nameSpace;
    WorkloadKind kind = WorkloadKind::Unknown;
};

// Protects workloads from being stopped, by labels or namespace.
struct ProtectRule {
    Labels labels;
    std::string nameSpace;
};

// When a holder counts as idle.
struct IdleSettings {
    double threshold = 0.05;
    double observed = 0.9;
    std::map<WorkloadKind, base::Seconds> grace{
        {WorkloadKind::Notebook, base::Seconds{3600}},   {WorkloadKind::Development, base::Seconds{7200}},
        {WorkloadKind::Training, base::Seconds{3600}},   {WorkloadKind::Batch, base::Seconds{3600}},
        {WorkloadKind::Inference, base::Seconds{86400}}, {WorkloadKind::Unknown, base::Seconds{3600}}};
    // Kinds whose length in `grace` is only used while there is too little past: otherwise it is measured
    // (store/idle/gracechoice). Filled from a configuration, for the kinds that it does not set.
    std::set<WorkloadKind> graceMeasured;
    void measureGrace() // of all kinds
    {
        for (const auto &[kind, length] : grace)
            graceMeasured.insert(kind);
    }
    std::vector<ProtectRule> protect;
};

struct ExchangeRate {
    base::Currency from, to;
    std::string rate; // decimal text
    base::UtcTime date{};
};

// A price that replaces the list price where all given conditions match.
struct PriceOverride {
    std::string gpuModel, cluster, instanceType, region;
    Labels nodeLabels;
    std::string perGpuHour; // decimal text; exactly one of the two is set
    std::string perHour; // for the whole instance
    base::Currency currency = base::Currency::usd();
};

// The cost of a machine that the user owns, from which an hourly price is computed.
struct OwnedMachine {
    Labels nodeLabels;
    std::string price, residual;
    int years = 4;
    std::string powerW, pue, usdPerKwh, operationPerYear; // decimal text
};

// Prices of GPU machines that a sync reads and keeps.
struct PriceList {
    std::string path, url; // of a file, or of a folder of them; exactly one of the two is set
    std::optional<base::Day> seen; // the day of its prices, if the file has none
    std::string cloud; // whose prices it has, if its name does not say so
    bool isAzureRetail = false; // the address is that of Azure's retail prices, which are asked for these regions
    std::vector<std::string> regions{};
    base::Currency currency = base::Currency::usd();
    const std::string &name() const { return url.empty() ? path : url; }
};

struct PriceSettings {
    std::vector<ExchangeRate> exchangeRates;
    std::vector<PriceOverride> overrides;
    std::vector<OwnedMachine> owned;
    std::vector<PriceList> lists; // SkyPilot catalogues
    std::vector<PriceList> own; // CSV files of the user's offers; without day and cloud
};

// What a scope may cost in a period.
struct Budget {
    std::string by = "team", key; // a dimension as for `summary --by`, and its value
    std::string period; // month, quarter, year
    std::string amount; // decimal text, in the currency of the configuration
    std::vector<double> warn; // shares of it
    bool forecast = false; // they apply to the forecast, too
    bool carryOver = false;
};

// Where notices of alerts go. A credential is always a reference.
struct AlertTarget {
    std::string name; // unique
    std::string kind; // slack, teams, pagerduty, opsgenie, webhook, email, alertmanager, desktop
    std::string url; // plain: alertmanager, webhook; email: of the server
    SecretRef secret; // slack, teams, webhook: the address; pagerduty, opsgenie: the key
    SecretRef signing; // webhook: what requests are signed with
    SecretRef previousSigning; // webhook: what they are signed with as well, while the secret is changed
    AuthSettings auth; // alertmanager, webhook: basic, bearer or mtls; alertmanager: sigv4 too
    std::string caFile; // alertmanager, webhook, email: PEM path; empty: the system's authorities
    std::string from, user; // email
    std::vector<std::string> to; // email
    SecretRef password; // email
};

// Whom an alert is told to besides the targets of its rule, if all given conditions hold.
struct AlertRoute {
    std::string team, severity, cluster; // empty: any; at least one is given
    std::vector<std::string> send; // names of targets
    bool operator==(const AlertRoute &) const = default;
};

// Whom to tell as well while an alert still fires and nobody has acknowledged it.
struct Escalation {
    base::Seconds after{0}; // since the first target was told
    std::vector<std::string> send; // names of targets
    bool operator==(const Escalation &) const = default;
};

// Days that are known to be unusual: anomaly rules neither fire in them nor learn from them.
struct KnownEvent {
    std::string name; // unique
    std::int32_t from = 0, to = 0; // days since 1970-01-01 of the local calendar; both belong to it
    std::vector<std::string> teams; // empty: everybody
    bool yearly = false; // in each later year, too
    bool operator==(const KnownEvent &) const = default;
};

// When to tell people; see app/alerts/rules/rule.h for the words.
struct AlertRule {
    std::string name; // unique
    std::string metric, per;
    std::string bound; // "200 USD/day"
    base::Seconds length{0}; // how long the condition must hold
    double hysteresis = 0; // share of the bound
    std::string workingHours; // "mon-fri 8-18", in the time zone of the configuration; empty: always
    std::string severity = "warning";
    std::vector<std::string> send; // names of targets
    std::optional<base::Seconds> markAfter; // idle-cost, idle-hours: idle workloads are marked to be stopped then
    std::vector<Escalation> escalate; // ascending by time; no target twice, none of `send`
};

// Limits on stopping workloads.
struct ActionLimits {
    int maxPerAction = 10;
    double maxTeamShare = 0.2;
    int maxPerHour = 25;
    base::Seconds cooldown{600};
    bool permitsIrreversible = false; // allows stopping what cannot be brought back, if the user types its full name
    bool stopsMarked = false; // `gpuledger-cli watch` stops what was marked and announced, once it is due
};

// A file of times with and without spot capacity, in the form of app/savings/spot/capacity/spothistory.h.
struct SpotHistoryFile {
    std::string path; // absolute
    base::UtcTime began{}; // second 0 of its intervals
};

// The clock of a team and its days off, for off-hours.
struct TeamCalendar {
    std::string team; // as it owns workloads
    std::string timeZone; // empty: that of the configuration
    std::set<std::int32_t> holidays; // days since 1970-01-01 of the local calendar
};

// What holds for one pool of nodes instead of an assumption about every pool.
struct PoolAssumptions {
    std::string name; // of the node group or node pool
    std::string cluster; // empty: any
    std::map<std::string, std::string> values; // by the name of the assumption, as written; checked
};

struct SavingsSettings {
    std::vector<SpotHistoryFile> spotHistory;
    std::vector<TeamCalendar> teams; // no team twice
    std::vector<PoolAssumptions> pools; // no name twice in a cluster
    std::map<std::string, std::string> assumptions; // defaults by name, as written; checked
};

// Links from the window to other tools. Empty: the action is not offered.
struct LinkSettings {
    std::string grafana; // URL template, see app/services/config/linktemplate.h
};

// Maps the metrics and labels of one exporter; the built-in mappings are in resources/exporters, the user's are YAML
// text of the same structure.
struct ExporterMappingText {
    std::string name;
    std::string json;
};

// The whole configuration.
struct Settings {
    base::Currency currency = base::Currency::usd();
    std::string timeZone; // empty: the system's
    std::vector<SourceSettings> sources;
    std::vector<OwnerRule> owners; // empty: the defaults of app/ledger/owners
    std::vector<WorkloadRule> workloads;
    std::string environmentLabel;
    IdleSettings idle;
    PriceSettings prices;
    std::string idleSharing = "holder";
    std::string sharedCosts = "own_line"; // no team pays for others unless configured
    std::map<std::string, double> sharedWeights;
    std::vector<Budget> budgets;
    int fiscalYearStarts = 1; // the month in which the year and the quarters of budgets begin, 1 to 12
    std::vector<AlertTarget> targets;
    std::vector<AlertRoute> routes; // no two with the same conditions
    std::vector<AlertRule> alerts;
    std::vector<KnownEvent> events;
    ActionLimits actions;
    std::vector<ExporterMappingText> exporters;
    LinkSettings links;
    ChargebackSettings chargeback;
    SavingsSettings savings;
};

} // namespace gpuledger::model
