// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/ports/secretstore.h"
#include "connectors/format/bytesource.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// What the fuzz targets share. A target is a program of one function, fuzz(): libFuzzer calls it again and again with
// other bytes, on one thread.
namespace gpuledger::fuzz {

// Hands the bytes to a parser. Defined by each target.
void fuzz(std::string_view bytes);

// A law of the parser that must hold for whatever it was given: ends the program where it does not.
void check(bool holds, const char *law);

// The bytes in pieces, which the byte 0x1e ("record separator") ends; at most so many, the last has the rest.
std::vector<std::string_view> pieces(std::string_view bytes, std::size_t most);
// Takes the first byte away and gives it modulo `choices`; 0 where there is none.
std::size_t choice(std::string_view &bytes, std::size_t choices);

// A folder of this process alone, in memory where the system has that; gone when the program ends.
const std::filesystem::path &scratch();
// A file below it that holds these bytes now.
std::filesystem::path fileOf(const char *name, std::string_view bytes);

// Bytes from memory, a few at a time.
class MemoryBytes final : public format::ByteSource {
public:
    explicit MemoryBytes(std::string_view bytes, std::size_t most = 4096)
        : m_bytes(bytes)
        , m_most(most)
    {
    }
    [[nodiscard]] base::Result<std::size_t> read(std::span<char> to) override;

private:
    std::string_view m_bytes;
    std::size_t m_most;
};

// A server that answers each request with the next of these bodies, and the last one again and again. A body begins
// with a byte that says the status. What is streamed comes in two pieces.
class Server final : public http::HttpClient {
public:
    explicit Server(std::vector<std::string_view> bodies)
        : m_bodies(std::move(bodies))
    {
    }
    void submit(http::Request request, std::stop_token stop, Completion done) override;
    std::size_t requests() const { return m_requests; }
    static constexpr std::size_t kMostRequests = 200; // of one question; behind that, somebody asks forever

private:
    std::vector<std::string_view> m_bodies;
    std::size_t m_requests = 0;
};

// Time that passes only when somebody waits.
class NoPause final : public http::Pause {
public:
    explicit NoPause(int mostWaits = 1000)
        : m_left(mostWaits)
    {
    }
    http::Milliseconds steadyNow() const override { return m_now; }
    bool wait(http::Milliseconds time, std::stop_token) override
    {
        m_now += time;
        return m_left-- > 0;
    }

private:
    http::Milliseconds m_now{1'000'000};
    int m_left;
};

// Every secret is the same word; a program prints what it is told.
class Secrets final : public ports::SecretStore {
public:
    explicit Secrets(std::string_view printed = {})
        : m_printed(printed)
    {
    }
    [[nodiscard]] base::Result<base::Secret> read(const model::SecretRef &) override { return base::Secret("word"); }
    [[nodiscard]] base::Result<base::Secret> run(const ports::CredentialCommand &) override
    {
        return base::Secret(std::string(m_printed));
    }

private:
    std::string_view m_printed;
};

inline const base::FrozenClock kClock{base::fromUnix(1'760'000'000)};

} // namespace gpuledger::fuzz
