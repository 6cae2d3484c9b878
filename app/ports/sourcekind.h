// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// What a kind of source is and which settings it takes, as data: the check of the configuration, `sources add` and the
// window are made from it. Declared by the folder of each connector. Plain values; any thread.
namespace gpuledger::ports {

// What a source of a kind can do; each but the last three is made by a function of SourceCatalog of that name.
enum class Capability : std::uint8_t {
    Telemetry, // create(): tells devices and their use by time
    Bills, // createCost()
    Allocations, // createAllocation()
    Stops, // createTarget(): stops things and starts them again
    Waiting, // createWaiting(): tells what waits now
    Prices, // createPrices(): tells prices of machines
    Inventory, // createInventory(): tells which machines exist
    Plans, // createPlans(): tells what planned machines would cost
    Claims, // createClaims(): tells what other tools claim to have saved
    Budgets, // createBudgets(): tells the budgets that are set up at a cloud
    Commitments, // createCommitments(): tells what a cloud says of the commitments that were bought there
    Expressions, // TelemetrySource::series()
    MachinesOnly, // what it stops are machines that hold their GPUs themselves
    Simulated, // made up: nothing real is read or stopped
};

class Capabilities {
public:
    constexpr Capabilities() = default;
    constexpr Capabilities(std::initializer_list<Capability> all)
    {
        for (const Capability one : all)
            m_bits |= bit(one);
    }
    constexpr bool has(Capability one) const { return (m_bits & bit(one)) != 0; }
    constexpr bool hasAny(Capabilities others) const { return (m_bits & others.m_bits) != 0; }
    friend constexpr bool operator==(Capabilities, Capabilities) = default;

private:
    static constexpr std::uint32_t bit(Capability one) { return 1u << static_cast<unsigned>(one); }
    std::uint32_t m_bits = 0;
};

// A setting that goes with a kind, beside those of every source (name, kind, cluster, first_sync, every, rights). The
// texts are literals: they live as long as the program.
struct SourceField {
    // Where the value is found in model::SourceSettings is in brackets; all others are in `options` under their key.
    enum class Type {
        Text, // one line
        Url, // [url] http or https, without credentials
        Path, // [path] file or folder
        Kubeconfig, // file that leads to clusters, "~/" is the user's home
        KubeContext, // one of the contexts of that file
        Duration, // `low` and `high` in seconds
        Whole, // whole number
        Currency, // code of three capital letters
        Access, // [auth] map: how the server lets us in; credentials by reference only
        Signed, // [auth] map: the region and the profile of credentials that sign each request (SigV4)
        Authority, // [caFile] map: whose certificates are trusted
        Headers, // [headers] map: names and values of HTTP headers
    };
    std::string_view key;
    Type type = Type::Text;
    bool isRequired = false;
    std::string_view title{}; // for people, a noun: "Address"
    std::string_view help{}; // what it is for, one sentence without a full stop
    std::string_view fallback{}; // what its absence means, as a value or in words; empty: nothing
    std::string_view example{}; // a value that is right
    std::int64_t low = 0, high = 0; // allowed range, ends included; both 0: any
    bool isRare = false; // the dialog asks for it in its advanced part
    // Of Type::Access and Type::Signed: the forms of `auth` that the server takes, separated by spaces; `none`: it may
    // be absent.
    std::string_view logins{};

    bool takesLogin(std::string_view login) const
    {
        const std::string framed = ' ' + std::string(logins) + ' ';
        return framed.find(' ' + std::string(login) + ' ') != std::string::npos;
    }
};

// The fields of every kind that asks a server.
inline constexpr SourceField kAccessField{.key = "auth",
                                          .type = SourceField::Type::Access,
                                          .title = "Access",
                                          .help = "How the server lets us in; credentials are only referred to",
                                          .fallback = "none",
                                          .example = "{ type: bearer, token: keychain:prom-prod }",
                                          .logins = "none basic bearer mtls sigv4"};
inline constexpr SourceField kAuthorityField{
    .key = "tls",
    .type = SourceField::Type::Authority,
    .title = "Authority",
    .help = "PEM file of your own certificate authority; certificates are always verified",
    .fallback = "those that the system trusts",
    .example = "{ ca: file:ca.pem }"};
inline constexpr SourceField kHeadersField{.key = "headers",
                                           .type = SourceField::Type::Headers,
                                           .title = "Headers",
                                           .help = "HTTP headers that go with every request, such as a tenant",
                                           .example = "{ X-Scope-OrgID: ml }",
                                           .isRare = true};

// Of every kind that lists machines: whether they are listed.
inline constexpr std::string_view kMachinesKey = "machines", kAllMachines = "all", kNoMachines = "none";
inline constexpr SourceField kMachinesField{
    .key = kMachinesKey,
    .type = SourceField::Type::Text,
    .title = "Machines",
    .help = "Whether all machines with GPUs are listed, also those without telemetry: all or none",
    .fallback = kAllMachines,
    .example = kNoMachines,
    .isRare = true};

// A right that the account of the source needs at the other side.
struct SourceRight {
    enum class For { Reading, Stopping };
    For what = For::Reading;
    std::string_view words{}; // one sentence for people
    std::string_view policy{}; // as the other side takes it (YAML or JSON); empty: it has no such form
};

struct SourceKind {
    std::string kind; // as in the configuration
    std::string title; // product name for people
    Capabilities can;
    std::vector<SourceField> fields{};
    std::vector<SourceRight> rights{};
    std::string use{}; // title in a list to choose from, where the product alone does not say what it is for

    bool has(Capability one) const { return can.has(one); }
    bool tellsTelemetry() const { return has(Capability::Telemetry); }
    bool tellsBills() const { return has(Capability::Bills); }
    bool tellsAllocations() const { return has(Capability::Allocations); }
    bool tellsPrices() const { return has(Capability::Prices); }
    bool tellsInventory() const { return has(Capability::Inventory); }
    bool stops() const { return has(Capability::Stops); }
    bool tellsPlans() const { return has(Capability::Plans); }
    bool tellsClaims() const { return has(Capability::Claims); }
    bool tellsBudgets() const { return has(Capability::Budgets); }
    bool tellsCommitments() const { return has(Capability::Commitments); }
    // A platform, on which things can be stopped or which lists its machines, or plans or claims: it tells nothing else
    // but prices.
    bool isPlatform() const
    {
        return can.hasAny({Capability::Stops, Capability::Inventory, Capability::Plans, Capability::Claims})
            && !can.hasAny({Capability::Telemetry, Capability::Bills, Capability::Allocations});
    }
    // Null where it has none.
    const SourceField *field(std::string_view key) const
    {
        for (const SourceField &one : fields) {
            if (one.key == key)
                return &one;
        }
        return nullptr;
    }
    bool needs(SourceField::Type type) const
    {
        for (const SourceField &one : fields) {
            if (one.type == type && one.isRequired)
                return true;
        }
        return false;
    }
};

using SourceKinds = std::vector<SourceKind>;

// Null where there is none of this name. The kind lives as long as `kinds`.
inline const SourceKind *findKind(const SourceKinds &kinds, std::string_view name)
{
    for (const SourceKind &one : kinds) {
        if (one.kind == name)
            return &one;
    }
    return nullptr;
}

} // namespace gpuledger::ports
