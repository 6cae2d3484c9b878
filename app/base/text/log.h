// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Logging with redaction: one rotated file in the state folder, and stderr if requested. Any thread; lines logged
// before init() are dropped.
namespace gpuledger::base::log {

enum class Level { Debug, Info, Warning, Error };

struct Options {
    std::filesystem::path file; // empty: no file
    Level level = Level::Info;
    bool toStderr = false;
};

// Opens (and rotates: 5 files of 4 MiB, mode 0600) the log. A file that cannot be opened is reported once on stderr,
// and logging continues without it.
void init(const Options &options);
// Redacts a known credential in every later line, in every spelling that Redactor finds. Values under 4 characters are
// ignored.
void redactValue(std::string_view secret);
// The line as it would be written: known values and credential patterns (Authorization, token=, password=,
// user:pw@host, query strings of URLs) are replaced, control characters escaped.
std::string redacted(std::string_view line);
void write(Level level, std::string_view component, std::string_view line);

inline void debug(std::string_view component, std::string_view line)
{
    write(Level::Debug, component, line);
}
inline void info(std::string_view component, std::string_view line)
{
    write(Level::Info, component, line);
}
inline void warning(std::string_view component, std::string_view line)
{
    write(Level::Warning, component, line);
}
inline void error(std::string_view component, std::string_view line)
{
    write(Level::Error, component, line);
}

} // namespace gpuledger::base::log
