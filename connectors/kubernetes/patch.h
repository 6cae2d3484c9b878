// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/kinds.h"

namespace gpuledger::kubernetes {

// A JSON Patch (RFC 6902) that changes an object only if it is still the one that was read: every write is made here.
// One thread.
class Patch {
public:
    // Tests the UID, the version and nothing else yet.
    explicit Patch(const Json &object);

    // That the field still has this value; one that is absent is covered by the version.
    void expect(const std::string &pointer, const std::optional<Json> &value);
    // Sets a field, and makes the maps above it where they are absent. False, and nothing is set, where something else
    // than a map is above it: the object is none of its kind.
    [[nodiscard]] bool set(const std::string &pointer, const Json &value);
    // Takes it away, where it is there.
    void remove(const std::string &pointer);
    [[nodiscard]] bool addMark(const model::StopMark &mark);
    void removeMark();
    const Json &operations() const { return m_operations; }

private:
    Json m_object; // as it will be, as far as we change it
    Json m_operations = Json::array();
};

// Who stopped it, as its annotations say.
std::optional<model::StopMark> markOf(const Json &object);

} // namespace gpuledger::kubernetes
