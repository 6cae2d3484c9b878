// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/log.h"

#include "app/base/text.h"

#include <re2/re2.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <sys/stat.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace gpuledger::base::log {

namespace {

constexpr std::size_t kMaxLogBytes = 4u << 20;
constexpr std::size_t kLogFiles = 5;
constexpr std::size_t kShortestSecret = 4;

struct LongerFirst {
    bool operator()(const std::string &a, const std::string &b) const
    {
        return a.size() != b.size() ? a.size() > b.size() : a < b;
    }
};

// The logger and the known values; process-wide because a credential must stay unprintable wherever it shows up.
struct State {
    std::mutex mutex;
    std::shared_ptr<spdlog::logger> logger;
    std::set<std::string, LongerFirst> values; // so that one value inside another does not leave the rest of it
};

State &state()
{
    static State s;
    return s;
}

std::string base64(std::string_view in)
{
    static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < in.size(); i += 3) {
        unsigned v = 0;
        for (std::size_t k = 0; k < 3; ++k)
            v = v << 8 | (i + k < in.size() ? static_cast<unsigned char>(in[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k <= in.size() ? kAlphabet[v >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

std::string percentEncoded(std::string_view in)
{
    std::string out;
    char buf[4];
    for (const char c : in) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (plain || c == '-' || c == '_' || c == '.' || c == '~') {
            out += c;
        } else {
            std::snprintf(buf, sizeof buf, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
            out += buf;
        }
    }
    return out;
}

void replaceAll(std::string &text, const std::string &what)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 3))
        text.replace(at, what.size(), "***");
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

} // namespace

void init(const Options &options)
{
    std::vector<spdlog::sink_ptr> sinks;
    if (options.toStderr)
        sinks.push_back(std::make_shared<spdlog::sinks::stderr_sink_mt>());
    if (!options.file.empty()) {
        try {
            std::filesystem::create_directories(options.file.parent_path());
            spdlog::file_event_handlers handlers; // each file that rotation opens is the owner's alone
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
    logger->set_error_handler([](const std::string &) {}); // a full disk must not stop the work that is being logged
    const std::lock_guard lock(state().mutex);
    state().logger = std::move(logger);
}

void redactValue(std::string_view secret)
{
    if (secret.size() < kShortestSecret)
        return;
    const std::lock_guard lock(state().mutex);
    auto &values = state().values;
    values.insert(std::string(secret));
    values.insert(percentEncoded(secret));
    values.insert(base64(secret));
}

std::string redacted(std::string_view line)
{
    static const RE2 kHeader(R"((?i)(authorization|x-api-key|cookie|x-scope-orgid-token)(["']?\s*[:=]\s*)[^\r\n]+)");
    static const RE2 kField(
        R"((?i)([a-z0-9_.-]*(?:token|password|passwd|secret|api[_-]?key|access[_-]?key|signature)["']?\s*[:=]\s*))"
        R"(("[^"\r\n]*"?|'[^'\r\n]*'?|[^\s"'&,;]+))");
    static const RE2 kUserInfo(R"((://)[^/\s]+@)");
    static const RE2 kQuery(R"((https?://[^\s?#"']+)[?#][^\s"']*)");
    std::string text(line);
    {
        const std::lock_guard lock(state().mutex);
        for (const std::string &value : state().values)
            replaceAll(text, value);
    }
    RE2::GlobalReplace(&text, kHeader, R"(\1\2***)");
    RE2::GlobalReplace(&text, kUserInfo, R"(\1***@)");
    RE2::GlobalReplace(&text, kQuery, R"(\1?***)");
    RE2::GlobalReplace(&text, kField, R"(\1***)");
    return printable(text, 4096);
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
