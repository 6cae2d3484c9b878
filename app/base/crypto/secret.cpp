// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/crypto/secret.h"

#include <string.h>

namespace gpuledger::base {

namespace {

void wipeText(std::string &text)
{
    text.resize(text.capacity());
    explicit_bzero(text.data(), text.size());
    text.clear();
}

} // namespace

Secret::Secret(std::string value)
    : m_value(std::move(value))
{
    // A moved-from short string keeps its bytes in place.
    wipeText(value);
}

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
    wipeText(m_value);
}

} // namespace gpuledger::base
