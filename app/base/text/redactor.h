// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::base {

// Finds known secrets in external text, in any of their spellings: verbatim, in other letter case, backwards,
// percent-encoded, escaped as in JSON, C or HTML, in UTF-16, as hexadecimal digits and inside base64 at each offset (of
// both alphabets); also a secret that is cut off at the end of the text. One thread.
class Redactor {
public:
    static constexpr std::size_t kShortest = 4; // bytes; a shorter value would match every other word

    void add(std::string_view secret);
    std::string redacted(std::string_view text) const; // with each secret replaced by ***

private:
    struct Known {
        std::string value, backwards; // in lower case; `backwards` is empty for a short one
        std::string base64[3]; // its base64 form in lower case, by the number of preceding bytes modulo 3
    };
    std::vector<Known> m_known;
};

} // namespace gpuledger::base
