// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/settings.h"
#include "app/services/config/config.h"

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reads YAML for the configuration; private to config*.cpp.
namespace gpuledger::services {

// State shared by everything that reads one file.
struct ConfigReading {
    std::filesystem::path folder;
    const ports::SourceKinds *kinds = nullptr;
    std::vector<ConfigProblem> problems;

    void problem(const YAML::Node &at, std::string key, std::string text);
};

// One value with its position. `key` is the whole path to it.
struct ConfigValue {
    YAML::Node node;
    std::string key;
    ConfigReading *reading = nullptr;

    void problem(std::string text) const { reading->problem(node, key, std::move(text)); }
    // Each of these reports a problem and returns std::nullopt if the value is not valid.
    std::optional<std::string> text(std::string_view example) const; // a non-empty scalar
    std::optional<bool> boolean() const;
    std::optional<double> number(double low, double high) const;
    std::optional<int> integer(int low, int high) const;
    std::optional<std::int64_t> whole(std::int64_t low, std::int64_t high) const;
    std::optional<base::Seconds> duration() const;
    std::optional<base::UtcTime> time() const;
    std::optional<std::string> timeZone() const; // the name of one that the system knows
    std::optional<std::string> decimal(std::string_view example, bool mayBeNegative = false) const;
    std::optional<std::string> choice(const std::vector<std::string> &allowed) const;
    std::optional<base::Currency> currency() const;
    std::optional<model::SecretRef> secret() const; // by reference only; the text is never repeated
    std::optional<std::string> path() const; // a "file:" prefix is allowed; made absolute
    std::optional<model::Labels> labels(std::string_view example) const; // a map of scalars
    // The elements of a list; reports a problem if the value is not a list.
    std::vector<ConfigValue> list(std::string_view example) const;
};

// A map whose keys are taken one by one; any key left at the end is unknown.
class ConfigMap {
public:
    // Reports a problem if the value is not a map or has a duplicate key.
    ConfigMap(const ConfigValue &value, std::string_view example);

    bool valid() const { return m_valid; }
    std::optional<ConfigValue> take(std::string_view key);
    // Reports a problem if the key is missing.
    std::optional<ConfigValue> require(std::string_view key, std::string_view example);
    bool has(std::string_view key) const;
    // Reports every key that was not taken, and suggests the most similar known one. `also`: keys that are allowed in
    // other cases, used only for suggestions.
    void finish(const std::vector<std::string> &also = {});
    const ConfigValue &value() const { return m_value; }

private:
    struct Entry {
        std::string key;
        YAML::Node keyNode, value;
        bool taken = false;
    };
    std::string pathOf(std::string_view key) const;

    ConfigValue m_value;
    std::vector<Entry> m_entries;
    std::vector<std::string> m_asked;
    bool m_valid = false;
};

// The candidate with the smallest edit distance, if it is close enough to be what was meant; else empty.
std::string nearest(std::string_view text, const std::vector<std::string> &candidates);
// `text` for use in a sentence: quoted, printable, at most 40 bytes.
std::string inQuotes(std::string_view text);
std::string joined(const std::vector<std::string> &words);

// Readers for the sections of the file, each in its own .cpp.
model::SourceSettings readSource(const ConfigValue &value, const ports::SourceKinds &kinds);
model::AuthSettings readAuth(const ConfigValue &value);
void readAuthority(const ConfigValue &value, std::string &caFile); // of the key tls
model::OwnerRule readOwner(const ConfigValue &value, const std::vector<model::AlertTarget> &targets);
void readIdle(const ConfigValue &value, model::IdleSettings &idle);
void readPrices(const ConfigValue &value, model::PriceSettings &prices);
void readPriceLists(ConfigMap &map, model::PriceSettings &prices); // the keys lists and own of it
void readSharedCosts(const ConfigValue &value, model::Settings &settings);
model::Budget readBudget(const ConfigValue &value);
void readTargets(ConfigMap &map, model::Settings &settings); // the key targets; what names them is read after it
// The keys alerts and events, and the key routes. `targets`: those that may be named; `routes`: those that may tell the
// alerts.
void readAlerts(ConfigMap &map, model::Settings &settings, const std::vector<model::AlertTarget> &targets,
                const std::vector<model::AlertRoute> &routes);
std::vector<model::AlertRoute> routesIn(const model::Settings &settings); // those of owner rules, too
void readRoutes(ConfigMap &map, model::Settings &settings, const std::vector<model::AlertTarget> &targets);
// A list of names of targets; reports those that are not in `targets`.
std::vector<std::string> readSend(const ConfigValue &value, const std::vector<model::AlertTarget> &targets);
void readActions(const ConfigValue &value, model::ActionLimits &actions);
void readChargeback(const ConfigValue &value, model::ChargebackSettings &chargeback);
void readSavings(const ConfigValue &value, model::SavingsSettings &savings);
void readLinks(const ConfigValue &value, model::LinkSettings &links);
model::WorkloadRule readWorkload(const ConfigValue &value);
model::ExporterMappingText readExporter(const ConfigValue &value);

} // namespace gpuledger::services
