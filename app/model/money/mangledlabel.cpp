// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/mangledlabel.h"

#include <cctype>

namespace gpuledger::model {

std::string mangledLabel(std::string_view key)
{
    std::string out;
    for (std::size_t i = 0; i < key.size(); ++i) {
        const unsigned char c = static_cast<unsigned char>(key[i]);
        const bool upper = std::isupper(c) != 0;
        const bool afterLower = i > 0
            && (std::islower(static_cast<unsigned char>(key[i - 1]))
                || std::isdigit(static_cast<unsigned char>(key[i - 1])));
        if (upper && afterLower)
            out += '_';
        out += std::isalnum(c) && c < 0x80 ? static_cast<char>(std::tolower(c)) : '_';
    }
    return out;
}

} // namespace gpuledger::model
