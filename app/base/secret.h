// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace gpuledger::base {

// A credential in memory. Move-only, wiped when dropped, no stream operator and no conversion: reveal() is the one
// place to search for.
class Secret {
public:
    Secret() = default;
    // Wipes what the caller's string leaves behind.
    explicit Secret(std::string value);
    Secret(const Secret &) = delete;
    Secret &operator=(const Secret &) = delete;
    Secret(Secret &&other) noexcept { *this = std::move(other); }
    Secret &operator=(Secret &&other) noexcept;
    ~Secret() { wipe(); }

    bool empty() const { return m_value.empty(); }
    // Valid until this object changes or is dropped. Never log, store or show it.
    std::string_view reveal() const { return m_value; }
    // A second holder of the same credential, made on purpose.
    Secret clone() const { return Secret(std::string(m_value)); }

private:
    void wipe();
    std::string m_value;
};

} // namespace gpuledger::base
