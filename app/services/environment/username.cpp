// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/environment/username.h"

#include "app/base/text/text.h"

#include <pwd.h>
#include <unistd.h>

#include <vector>

namespace gpuledger::services {

namespace {

constexpr std::size_t kLongestEntry = 65536; // bytes
constexpr std::size_t kLongestName = 256;

} // namespace

std::string userName()
{
    std::vector<char> buffer(kLongestEntry);
    passwd entry{};
    passwd *found = nullptr;
    if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || !found || !found->pw_name)
        return {};
    return base::printable(found->pw_name, kLongestName);
}

} // namespace gpuledger::services
