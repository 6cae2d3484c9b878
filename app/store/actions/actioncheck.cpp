// SPDX-License-Identifier: GPL-3.0-or-later
// Compares actions with the audit log, for verify().
#include "app/store/actions/actionrows.h"
#include "app/store/actions/actionstore.h"

#include <nlohmann/json.hpp>

#include <map>

namespace gpuledger::store {

using base::Result;

namespace {

// What the log has about one action.
struct CheckedAction {
    std::int64_t checksum = 0; // of its intent
    std::string key, last; // last state
    int steps = 0;
};

Result<std::map<std::int64_t, CheckedAction>> logged(Database &database)
{
    const auto entries = readAudit(database);
    GPULEDGER_TRY(entries);
    std::map<std::int64_t, CheckedAction> all;
    const std::string prefix = kActionPrefix;
    for (const AuditEntry &entry : *entries) {
        if (entry.event.action.rfind(prefix, 0) != 0)
            continue;
        const auto details = nlohmann::json::parse(entry.event.details, nullptr, false);
        if (!details.is_object() || !details.contains("id") || !details["id"].is_number_integer())
            continue;
        CheckedAction &one = all[details["id"].get<std::int64_t>()];
        one.last = entry.event.action.substr(prefix.size());
        ++one.steps;
        if (one.last == "confirmed") {
            const auto checksum = details.find("checksum");
            const auto key = details.find("key");
            if (checksum != details.end() && checksum->is_number_integer())
                one.checksum = checksum->get<std::int64_t>();
            if (key != details.end() && key->is_string())
                one.key = key->get<std::string>();
        }
    }
    return all;
}

} // namespace

Result<void> checkActions(Database &database, const std::function<void(std::string, std::string)> &tell)
{
    auto log = logged(database);
    GPULEDGER_TRY(log);
    const auto records = readActions(database);
    if (!records && records.error().code == base::ErrorCode::StorageCorrupt) {
        tell("action", records.error().text);
        return {};
    }
    GPULEDGER_TRY(records);
    for (const model::ActionRecord &record : *records) {
        const CheckedAction said = (*log)[record.id];
        if (said.key != record.intent.key || said.checksum != checksumOf(record.intent))
            tell("action", "action " + std::to_string(record.id) + " is not what the log says");
        else if (said.last != toString(record.state))
            tell("action",
                 "action " + std::to_string(record.id) + " is " + std::string(toString(record.state))
                     + ", but the log says " + said.last);
        log->erase(record.id);
    }
    for (const auto &[id, said] : *log)
        tell("action", "action " + std::to_string(id) + " is gone");
    return {};
}

} // namespace gpuledger::store
