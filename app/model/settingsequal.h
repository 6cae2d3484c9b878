// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"

// Compares parts of the configuration. Pure; any thread.
namespace gpuledger::model {

inline bool operator==(const SecretRef &a, const SecretRef &b)
{
    return a.kind == b.kind && a.value == b.value && a.command == b.command;
}

inline bool operator==(const AuthSettings &a, const AuthSettings &b)
{
    return a.kind == b.kind && a.user == b.user && a.password == b.password && a.token == b.token
        && a.header == b.header && a.certificate == b.certificate && a.key == b.key && a.profile == b.profile
        && a.region == b.region;
}

inline bool operator==(const SourceSettings &a, const SourceSettings &b)
{
    return a.name == b.name && a.kind == b.kind && a.url == b.url && a.path == b.path && a.cluster == b.cluster
        && a.clusterLabel == b.clusterLabel && a.auth == b.auth && a.caFile == b.caFile && a.headers == b.headers
        && a.firstSync == b.firstSync && a.every == b.every && a.mayRead == b.mayRead && a.mayStop == b.mayStop
        && a.options == b.options;
}

inline bool operator==(const OwnerRule &a, const OwnerRule &b)
{
    return a.kind == b.kind && a.match == b.match && a.key == b.key && a.pattern == b.pattern && a.team == b.team
        && a.from == b.from && a.until == b.until && a.send == b.send;
}

inline bool operator==(const ProtectRule &a, const ProtectRule &b)
{
    return a.labels == b.labels && a.nameSpace == b.nameSpace;
}

inline bool operator==(const IdleSettings &a, const IdleSettings &b)
{
    return a.threshold == b.threshold && a.observed == b.observed && a.grace == b.grace
        && a.graceMeasured == b.graceMeasured && a.protect == b.protect;
}

} // namespace gpuledger::model
