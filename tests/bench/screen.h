// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace gpuledger::bench {

// A private X server with its pixels in a file, so that whatever a program paints can be observed from outside. The
// destructor ends it.
class Screen {
public:
    // Puts the file in `folder`. Check isRunning().
    explicit Screen(const std::filesystem::path &folder);
    ~Screen();
    Screen(const Screen &) = delete;
    Screen &operator=(const Screen &) = delete;
    bool isRunning() const { return m_pixels != nullptr; }

    struct Start {
        double firstMs = 0; // until a twentieth of the screen has changed; 0: never
        double lastMs = 0; // until the last change before a second without changes
        double residentMb = 0; // at the end
    };
    // Starts a program on this screen with a home directory of its own, watches it, and ends it.
    Start start(const std::vector<std::string> &arguments, const std::filesystem::path &home) const;

private:
    std::size_t changedPixels(const std::vector<std::uint32_t> &before) const;

    pid_t m_server = 0;
    std::string m_display;
    const std::uint32_t *m_pixels = nullptr;
    std::size_t m_count = 0; // of pixels
    void *m_map = nullptr;
    std::size_t m_mapSize = 0;
};

} // namespace gpuledger::bench
