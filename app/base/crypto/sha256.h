// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gpuledger::base {

// SHA-256 of bytes added in pieces. One thread.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256 &) = delete;
    Sha256 &operator=(const Sha256 &) = delete;
    void add(std::string_view bytes);
    std::string hex() const; // of everything added so far: 64 lower-case digits

private:
    struct Private;
    std::unique_ptr<Private> d;
};

std::string sha256Hex(std::string_view bytes);

} // namespace gpuledger::base
