// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace gpuledger::base {

// A credential in memory. Move-only, wiped on destruction, without a stream operator or conversion: every use is found
// by searching for reveal().
class Secret {
public:
    Secret() = default;
    // Wipes what remains in the caller's string.
    explicit Secret(std::string value);
    Secret(const Secret &) = delete;
    Secret &operator=(const Secret &) = delete;
    Secret(Secret &&other) noexcept { *this = std::move(other); }
    Secret &operator=(Secret &&other) noexcept;
    ~Secret() { wipe(); }

    bool empty() const { return m_value.empty(); }
    // Valid until this object changes or is destroyed. Never log, store or show it.
    std::string_view reveal() const { return m_value; }
    // An explicit second copy of the same credential.
    Secret clone() const { return Secret(std::string(m_value)); }

private:
    void wipe();
    std::string m_value;
};

} // namespace gpuledger::base
