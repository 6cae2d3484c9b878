// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/secret.h"

#include <string.h>

namespace gpuledger::base {

Secret &Secret::operator=(Secret &&other) noexcept
{
    if (this != &other) {
        wipe();
        // A copy and a wipe, because a moved-from short string keeps its bytes in place.
        m_value.assign(other.m_value);
        other.wipe();
    }
    return *this;
}

void Secret::wipe()
{
    m_value.resize(m_value.capacity());
    explicit_bzero(m_value.data(), m_value.size());
    m_value.clear();
}

} // namespace gpuledger::base
