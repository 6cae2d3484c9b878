// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/activity/simulatedactions.h"

#include "app/base/files/filereplace.h"
#include "app/base/remedy.h"
#include "connectors/demo/fleet/demorandom.h"
#include "connectors/format/json.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace gpuledger::demo {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

Json timeJson(const std::optional<base::UtcTime> &time)
{
    return time ? Json(base::toRfc3339(*time)) : Json(nullptr);
}

std::optional<base::UtcTime> timeIn(const Json &object, const char *name)
{
    const auto time = base::parseTime(format::textOf(object, name));
    return time ? std::optional(*time) : std::nullopt;
}

std::int64_t numberIn(const Json &object, const char *name, std::int64_t otherwise)
{
    const auto it = object.find(name);
    return it != object.end() && it->is_number_integer() ? it->get<std::int64_t>() : otherwise;
}

Json toJson(const SimulatedAction &deed)
{
    Json json{
        {"version", deed.version}, {"changed_at", deed.changedAt}, {"value", deed.value}, {"pauses", Json::array()}};
    for (const SimulatedAction::Pause &pause : deed.pauses)
        json["pauses"].push_back({{"from", base::toRfc3339(pause.from)}, {"until", timeJson(pause.until)}});
    if (deed.busySince)
        json["busy_since"] = timeJson(deed.busySince);
    if (!deed.manager.empty())
        json["managed_by"] = deed.manager;
    if (!deed.annotations.empty())
        json["annotations"] = deed.annotations;
    if (deed.mark)
        json["stopped"] = {{"action", deed.mark->key},
                           {"by", deed.mark->actor},
                           {"reason", deed.mark->reason},
                           {"at", base::toRfc3339(deed.mark->at)},
                           {"old_value", deed.mark->oldValue}};
    return json;
}

SimulatedAction deedFrom(const Json &json)
{
    SimulatedAction deed;
    deed.version = numberIn(json, "version", 1);
    deed.changedAt = numberIn(json, "changed_at", 0);
    deed.value = format::textOf(json, "value");
    deed.busySince = timeIn(json, "busy_since");
    deed.manager = format::textOf(json, "managed_by");
    if (const auto notes = json.find("annotations"); notes != json.end() && notes->is_object()) {
        for (const auto &[name, value] : notes->items()) {
            if (value.is_string())
                deed.annotations[name] = value.get<std::string>();
        }
    }
    if (const auto pauses = json.find("pauses"); pauses != json.end() && pauses->is_array()) {
        for (const Json &one : *pauses)
            deed.pauses.push_back({timeIn(one, "from").value_or(base::UtcTime{}), timeIn(one, "until")});
    }
    if (const auto mark = json.find("stopped"); mark != json.end() && mark->is_object())
        deed.mark = model::StopMark{format::textOf(*mark, "action"), format::textOf(*mark, "by"),
                                    format::textOf(*mark, "reason"), timeIn(*mark, "at").value_or(base::UtcTime{}),
                                    format::textOf(*mark, "old_value")};
    return deed;
}

} // namespace

Result<SimulatedActions> readDeeds(const std::filesystem::path &file)
{
    SimulatedActions deeds;
    if (file.empty() || !std::filesystem::exists(file))
        return deeds;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf(); // an iterator would throw if the path is a folder
    const auto json = format::parseJson(text.str());
    if (!json || !json->is_object())
        return base::fail(ErrorCode::StorageCorrupt, file.string() + ": the file of the simulated platform is damaged",
                          base::Remedy::DeleteSimulatedState);
    for (const auto &[uid, one] : json->items()) {
        if (one.is_object())
            deeds[uid] = deedFrom(one);
    }
    return deeds;
}

Result<void> writeDeeds(const std::filesystem::path &file, const SimulatedActions &deeds)
{
    Json json = Json::object();
    for (const auto &[uid, deed] : deeds)
        json[uid] = toJson(deed);
    return base::replaceFile(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

Result<DeedLock> DeedLock::take(const std::filesystem::path &file)
{
    const std::string name = file.string() + ".lock";
    const int fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 || ::flock(fd, LOCK_EX) != 0) {
        if (fd >= 0)
            ::close(fd);
        return base::fail(ErrorCode::StorageReadOnly, name + " can't be written");
    }
    return DeedLock(fd);
}

DeedLock::~DeedLock()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

std::string objectUid(const Lane &lane, const Run &run)
{
    return uuidText(key(run.key, 0x6f626a, lane.key));
}

const SimulatedAction *deedOf(const SimulatedActions &deeds, const Lane &lane, const Run &run)
{
    if (deeds.empty())
        return nullptr;
    const auto it = deeds.find(objectUid(lane, run));
    return it == deeds.end() ? nullptr : &it->second;
}

std::vector<Run> piecesOf(const Run &run, const SimulatedAction *deed)
{
    if (!deed || deed->pauses.empty())
        return {run};
    std::vector<Run> pieces;
    Run piece = run;
    std::uint64_t number = 0;
    for (const SimulatedAction::Pause &pause : deed->pauses) {
        piece.range.end = std::min(pause.from, run.range.end);
        piece.isCut = run.isCut && piece.range.end == run.range.end;
        if (!piece.range.empty())
            pieces.push_back(piece);
        piece.key = key(run.key, 0x6167, ++number);
        piece.range = {std::max(pause.until.value_or(run.range.end), run.range.start), run.range.end};
        piece.isCut = run.isCut;
    }
    if (!piece.range.empty())
        pieces.push_back(piece);
    return pieces;
}

} // namespace gpuledger::demo
