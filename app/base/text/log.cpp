// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/log.h"

#include "app/base/text/redactor.h"
#include "app/base/text/text.h"

#include <re2/re2.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <sys/stat.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <vector>

namespace gpuledger::base::log {

namespace {

constexpr std::size_t kMaxLogBytes = 4u << 20;
constexpr std::size_t kLogFiles = 5;

// The logger and the known values; process-wide, because a credential must be redacted wherever it shows up.
struct State {
    std::mutex mutex;
    std::shared_ptr<spdlog::logger> logger;
    Redactor values;
};

State &state()
{
    static State s;
    return s;
}

spdlog::level::level_enum toSpdlog(Level level)
{
    switch (level) {
    case Level::Debug:
        return spdlog::level::debug;
    case Level::Info:
        return spdlog::level::info;
    case Level::Warning:
        return spdlog::level::warn;
    case Level::Error:
        return spdlog::level::err;
    }
    return spdlog::level::info;
}

// The values of fields that hold credentials are replaced; a reference to one ("keychain:NAME") is not a secret.
std::string withoutFields(const std::string &text)
{
    static const RE2 kField(
        R"((?i)([a-z0-9_.-]*(?:token|password|passwd|secret|api[_-]?key|access[_-]?key|signature)["']?\s*[:=]\s*))"
        R"(("[^"\r\n]*"?|'[^'\r\n]*'?|[^\s"'&,;]+))");
    static const RE2 kReference("keychain:[A-Za-z0-9_.-]+");
    re2::StringPiece rest(text), name, value;
    std::string out;
    const char *done = text.data();
    while (RE2::FindAndConsume(&rest, kField, &name, &value)) {
        out.append(done, value.data());
        out += RE2::FullMatch(value, kReference) ? std::string(value) : "***";
        done = value.data() + value.size();
    }
    return out.append(done, text.data() + text.size());
}

} // namespace

void init(const Options &options)
{
    std::vector<spdlog::sink_ptr> sinks;
    if (options.toStderr)
        sinks.push_back(std::make_shared<spdlog::sinks::stderr_sink_mt>());
    if (!options.file.empty()) {
        try {
            std::filesystem::create_directories(options.file.parent_path());
            spdlog::file_event_handlers handlers; // files opened by rotation are readable by the owner only
            handlers.after_open = [](const spdlog::filename_t &, std::FILE *file) { fchmod(fileno(file), 0600); };
            sinks.push_back(std::make_shared<spdlog::sinks::rotating_file_sink_mt>(options.file.string(), kMaxLogBytes,
                                                                                   kLogFiles - 1, false, handlers));
        } catch (const std::exception &e) {
            std::fprintf(stderr, "gpuledger: no log file: %s\n", printable(e.what()).c_str());
        }
    }
    auto logger = std::make_shared<spdlog::logger>("gpuledger", sinks.begin(), sinks.end());
    logger->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    logger->set_level(toSpdlog(options.level));
    logger->flush_on(spdlog::level::warn);
    logger->set_error_handler([](const std::string &) {}); // a full disk must not stop the work being logged
    const std::lock_guard lock(state().mutex);
    state().logger = std::move(logger);
}

void redactValue(std::string_view secret)
{
    const std::lock_guard lock(state().mutex);
    state().values.add(secret);
}

std::string redacted(std::string_view line)
{
    static const RE2 kHeader(R"((?i)(authorization|x-api-key|cookie|x-scope-orgid-token)(["']?\s*[:=]\s*)[^\r\n]+)");
    static const RE2 kUserInfo(R"((://)[^/\s]+@)");
    static const RE2 kQuery(R"((https?://[^\s?#"']+)[?#][^\s"']*)");
    std::string text;
    {
        const std::lock_guard lock(state().mutex);
        text = state().values.redacted(line);
    }
    RE2::GlobalReplace(&text, kHeader, R"(\1\2***)");
    RE2::GlobalReplace(&text, kUserInfo, R"(\1***@)");
    RE2::GlobalReplace(&text, kQuery, R"(\1?***)");
    return printable(withoutFields(text), 4096);
}

void write(Level level, std::string_view component, std::string_view line)
{
    std::shared_ptr<spdlog::logger> logger;
    {
        const std::lock_guard lock(state().mutex);
        logger = state().logger;
    }
    if (logger && logger->should_log(toSpdlog(level)))
        logger->log(toSpdlog(level), "{}: {}", component, redacted(line));
}

} // namespace gpuledger::base::log
