// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpuledger::ports {

// A text at an address, fetched without credentials. Plain values.
struct TextRequest {
    std::string url;
    std::string tag; // of the text that the caller has; empty: none
    std::size_t maxBytes = 0; // of the text, decompressed
};

struct FetchedText {
    bool isUnchanged = false; // the text is still the one with that tag, and was not sent again
    std::string text;
    std::string tag; // that the server gave it; empty: none
    std::uint64_t bytes = 0; // received
};

} // namespace gpuledger::ports
