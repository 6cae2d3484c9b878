// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::base {

// Finds known secrets in text that others wrote, in any of their spellings: as they are, in other letter case,
// backwards, percent-encoded, escaped as in JSON, C or HTML, in UTF-16, as hexadecimal digits and inside base64 at each
// offset (of both alphabets); also one that was cut off at the end of the text. One thread.
class Redactor {
public:
    static constexpr std::size_t kShortest = 4; // bytes; a shorter value would hit every other word

    void add(std::string_view secret);
    std::string redacted(std::string_view text) const; // each of them as ***

private:
    struct Known {
        std::string value, backwards; // in lower case; the latter is empty for a short one
        std::string base64[3]; // what it is inside base64, in lower case, by the bytes before it modulo 3
    };
    std::vector<Known> m_known;
};

} // namespace gpuledger::base
