// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/damage/setaside.h"

#include "app/base/files/filereplace.h"

#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace gpuledger::store {

using base::Result;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::array kOutcomes{"lost", "carried", "corrected"}; // as in SetAside::Outcome
constexpr char kRecord[] = ".json";

std::filesystem::path recordOf(const std::filesystem::path &cache, const std::string &name)
{
    return cache.parent_path() / (name + kRecord);
}

// The names of files that were set aside, without their companions.
std::set<std::string> namesBeside(const std::filesystem::path &cache)
{
    const std::string prefix = cache.filename().string() + ".damaged-";
    std::set<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator it(cache.parent_path(), error), end; !error && it != end;
         it.increment(error)) {
        std::string name = it->path().filename().string();
        if (!name.starts_with(prefix))
            continue;
        for (const std::string_view suffix : {std::string_view(kRecord), std::string_view("-wal"), {"-shm"}}) {
            if (name.ends_with(suffix))
                name.resize(name.size() - suffix.size());
        }
        names.insert(name);
    }
    return names;
}

Json readRecord(const std::filesystem::path &file)
{
    std::ifstream in(file, std::ios::binary);
    Json json = Json::parse(std::string(std::istreambuf_iterator<char>(in), {}), nullptr, false);
    return json.is_object() ? json : Json::object();
}

std::string textIn(const Json &json, const char *key)
{
    const auto it = json.find(key);
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::int64_t numberIn(const Json &json, const char *key)
{
    const auto it = json.find(key);
    return it != json.end() && it->is_number_integer() ? it->get<std::int64_t>() : 0;
}

bool isTrue(const Json &json, const char *key)
{
    const auto it = json.find(key);
    return it != json.end() && *it == true;
}

std::optional<HeldRecords> heldIn(const Json &json)
{
    const auto it = json.find("held");
    if (it == json.end() || !it->is_object())
        return std::nullopt;
    HeldRecords held{{},
                     numberIn(*it, "reviews"),
                     numberIn(*it, "audit_entries"),
                     numberIn(*it, "actions"),
                     numberIn(*it, "leases"),
                     isTrue(*it, "complete")};
    const auto months = it->find("closed_months");
    if (months != it->end() && months->is_array()) {
        for (const Json &month : *months) {
            if (month.is_string())
                held.closedMonths.push_back(month.get<std::string>());
        }
    }
    return held;
}

Json jsonOf(const SetAside &damage)
{
    Json json{{"why", damage.why}, {"outcome", kOutcomes[static_cast<std::size_t>(damage.outcome)]}, {"held", nullptr}};
    if (damage.held)
        json["held"] = Json{{"closed_months", damage.held->closedMonths},
                            {"reviews", damage.held->reviews},
                            {"audit_entries", damage.held->auditEntries},
                            {"actions", damage.held->actions},
                            {"leases", damage.held->leases},
                            {"complete", damage.held->complete}};
    return json;
}

std::string textOf(const Json &json, int indent)
{
    return json.dump(indent, ' ', true, Json::error_handler_t::replace);
}

Result<void> write(const std::filesystem::path &cache, const SetAside &damage, bool confirmed)
{
    Json json = jsonOf(damage);
    json["confirmed"] = confirmed;
    return base::replaceFile(recordOf(cache, damage.name), textOf(json, 2) + '\n');
}

} // namespace

bool HeldRecords::empty() const
{
    return closedMonths.empty() && reviews == 0 && auditEntries == 0 && actions == 0 && leases == 0;
}

std::vector<SetAside> unconfirmedDamage(const std::filesystem::path &cache)
{
    std::vector<SetAside> all;
    for (const std::string &name : namesBeside(cache)) {
        const Json json = readRecord(recordOf(cache, name));
        if (isTrue(json, "confirmed"))
            continue;
        SetAside damage{name, textIn(json, "why"), SetAside::Outcome::Lost, heldIn(json)};
        for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
            if (textIn(json, "outcome") == kOutcomes[i])
                damage.outcome = static_cast<SetAside::Outcome>(i);
        }
        all.push_back(std::move(damage));
    }
    return all;
}

std::string detailsOf(const SetAside &damage)
{
    return textOf(jsonOf(damage), -1);
}

Result<void> recordDamage(const std::filesystem::path &cache, const SetAside &damage)
{
    return write(cache, damage, false);
}

Result<void> confirmDamage(const std::filesystem::path &cache, const SetAside &damage)
{
    return write(cache, damage, true);
}

} // namespace gpuledger::store
