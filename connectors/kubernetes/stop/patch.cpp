// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/stop/patch.h"

#include "app/base/text/text.h"
#include "connectors/kubernetes/api/objects.h"

#include <array>

namespace gpuledger::kubernetes {

namespace {

constexpr std::size_t kMostMarkBytes = 2'000;
constexpr const char *kAnnotations = "/metadata/annotations/gpu-ledger.io~1";
constexpr std::array<const char *, 2> kNoticeNames{"stop-at", "stop-reason"}; // model::kStopAtNote, kStopReasonNote
constexpr std::array<const char *, 5> kMarkNames{"stopped-by", "stopped-at", "reason", "action", "old-value"};

// Whether everything that exists above the field is a map.
bool isBelowMaps(const Json &object, const std::string &pointer)
{
    if (!object.is_object())
        return false;
    for (std::size_t slash = pointer.find('/', 1); slash != std::string::npos; slash = pointer.find('/', slash + 1)) {
        const auto above = valueAt(object, pointer.substr(0, slash));
        if (!above)
            return true;
        if (!above->is_object())
            return false;
    }
    return true;
}

} // namespace

Patch::Patch(const Json &object)
    : m_object(object)
{
    expect("/metadata/uid", Json(uidOf(object)));
    expect("/metadata/resourceVersion", Json(versionOf(object)));
}

void Patch::expect(const std::string &pointer, const std::optional<Json> &value)
{
    if (value)
        m_operations.push_back({{"op", "test"}, {"path", pointer}, {"value", *value}});
}

bool Patch::set(const std::string &pointer, const Json &value)
{
    if (!isBelowMaps(m_object, pointer))
        return false;
    for (std::size_t slash = pointer.find('/', 1); slash != std::string::npos; slash = pointer.find('/', slash + 1)) {
        const std::string above = pointer.substr(0, slash);
        if (valueAt(m_object, above))
            continue;
        m_object[Json::json_pointer(above)] = Json::object();
        m_operations.push_back({{"op", "add"}, {"path", above}, {"value", Json::object()}});
    }
    m_object[Json::json_pointer(pointer)] = value;
    m_operations.push_back({{"op", "add"}, {"path", pointer}, {"value", value}});
    return true;
}

void Patch::remove(const std::string &pointer)
{
    if (valueAt(m_object, pointer))
        m_operations.push_back({{"op", "remove"}, {"path", pointer}});
}

bool Patch::addMark(const model::StopMark &mark)
{
    const std::array<std::string, 5> values{mark.actor, base::toRfc3339(mark.at), mark.reason, mark.key, mark.oldValue};
    for (std::size_t i = 0; i < kMarkNames.size(); ++i) {
        if (!set(std::string(kAnnotations) + kMarkNames[i], base::printable(values[i], kMostMarkBytes)))
            return false;
    }
    return true;
}

void Patch::removeMark()
{
    for (const char *name : kMarkNames)
        remove(std::string(kAnnotations) + name);
}

bool Patch::addNotice(const model::StopNotice &notice)
{
    return set(std::string(kAnnotations) + kNoticeNames[0], base::toRfc3339(notice.at))
        && set(std::string(kAnnotations) + kNoticeNames[1], base::printable(notice.reason, kMostMarkBytes));
}

void Patch::removeNotice()
{
    for (const char *name : kNoticeNames)
        remove(std::string(kAnnotations) + name);
}

std::optional<model::StopMark> markOf(const Json &object)
{
    const auto annotation = [&](const char *name) {
        const auto value = valueAt(object, std::string(kAnnotations) + name);
        return value && value->is_string() ? value->get<std::string>() : std::string();
    };
    model::StopMark mark{
        annotation("action"), annotation("stopped-by"), annotation("reason"), {}, annotation("old-value")};
    if (mark.key.empty())
        return std::nullopt;
    mark.at = base::parseTime(annotation("stopped-at")).value_or(base::UtcTime{});
    return mark;
}

} // namespace gpuledger::kubernetes
