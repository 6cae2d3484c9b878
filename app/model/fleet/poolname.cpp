// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/fleet/poolname.h"

namespace gpuledger::model {

std::string poolName(const PoolOfCluster &pool)
{
    return pool.cluster.empty() ? pool.pool : pool.cluster + '/' + pool.pool;
}

PoolOfCluster poolOf(const std::string &name)
{
    const auto slash = name.rfind('/');
    if (slash == std::string::npos)
        return {{}, name};
    return {name.substr(0, slash), name.substr(slash + 1)};
}

} // namespace gpuledger::model
