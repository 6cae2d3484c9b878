// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
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

// What the fuzz targets share. A target is a program with one function, fuzz(): libFuzzer calls it repeatedly with
// different bytes, on one thread.
namespace gpuledger::fuzz {

// Passes the bytes to a parser. Defined by each target.
void fuzz(std::string_view bytes);

// A property of the parser that must hold for any input: terminates the program if it does not.
void check(bool holds, const char *law);

// The bytes split at each byte 0x1e ("record separator") into at most `most` pieces; the last one has the rest.
std::vector<std::string_view> pieces(std::string_view bytes, std::size_t most);
// Removes the first byte and returns it modulo `choices`; 0 if the input is empty.
std::size_t choice(std::string_view &bytes, std::size_t choices);

// A folder of this process, in memory if the system supports that; removed when the program ends.
const std::filesystem::path &scratch();
// A file in it with these bytes as its content.
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

// A server that answers each request with the next of these bodies, and then repeats the last one. The first byte of a
// body selects the status. A streamed body comes in two pieces.
class Server final : public http::HttpClient {
public:
    explicit Server(std::vector<std::string_view> bodies)
        : m_bodies(std::move(bodies))
    {
    }
    void submit(http::Request request, std::stop_token stop, Completion done) override;
    std::size_t requests() const { return m_requests; }
    static constexpr std::size_t kMostRequests = 200; // for one query; more means an endless loop

private:
    std::vector<std::string_view> m_bodies;
    std::size_t m_requests = 0;
};

// Time that passes only while someone waits.
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

// Every secret is the same word; a program prints the text that it was given.
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
