// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/stop/kinds.h"

namespace gpuledger::kubernetes {

// A JSON Patch (RFC 6902) that changes an object only if it is still the version that was read; all writes use it. One
// thread.
class Patch {
public:
    // Starts with tests of the UID and the resourceVersion.
    explicit Patch(const Json &object);

    // Adds a test that the field still has this value; an absent field is covered by the resourceVersion.
    void expect(const std::string &pointer, const std::optional<Json> &value);
    // Sets a field and creates the maps above it if they are absent. Returns false, without setting anything, if
    // something other than a map is above it: the object is not of the expected kind.
    [[nodiscard]] bool set(const std::string &pointer, const Json &value);
    // Removes the field if it is present.
    void remove(const std::string &pointer);
    [[nodiscard]] bool addMark(const model::StopMark &mark);
    void removeMark();
    // The notes about a planned stop.
    [[nodiscard]] bool addNotice(const model::StopNotice &notice);
    void removeNotice();
    const Json &operations() const { return m_operations; }

private:
    Json m_object; // the object after the changes, as far as they go
    Json m_operations = Json::array();
};

// The author of a stop and its details, from the object's annotations.
std::optional<model::StopMark> markOf(const Json &object);

} // namespace gpuledger::kubernetes
