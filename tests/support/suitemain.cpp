// SPDX-License-Identifier: GPL-3.0-or-later
// The program of a folder's tests: `tests_ledger tst_billmatch [QTest's arguments]` runs one suite, `tests_ledger`
// lists them.
#include "tests/support/suite.h"

#include <filesystem>
#include <iostream>
#include <utility>
#include <vector>

namespace gpuledger::tests {

namespace {

const Suite *&newest()
{
    static const Suite *suite = nullptr;
    return suite;
}

const Suite *named(std::string_view name)
{
    const Suite *suite = Suite::first();
    while (suite != nullptr && suite->name() != name)
        suite = suite->next();
    return suite;
}

} // namespace

Suite::Suite(std::string_view file, RunSuite function)
    : m_name(std::filesystem::path(file).stem().string())
    , m_function(function)
    , m_next(std::exchange(newest(), this))
{
}

const Suite *Suite::first()
{
    return newest();
}

} // namespace gpuledger::tests

int main(int argc, char **argv)
{
    using gpuledger::tests::Suite;
    const Suite *suite = argc > 1 ? gpuledger::tests::named(argv[1]) : nullptr;
    if (suite == nullptr) {
        std::cerr << "usage: " << argv[0] << " SUITE [ARGUMENTS]\n";
        for (suite = Suite::first(); suite != nullptr; suite = suite->next())
            std::cerr << "  " << suite->name() << '\n';
        return 2;
    }
    // QTest interprets all arguments as its own.
    std::vector<char *> rest(argv + 1, argv + argc);
    rest.front() = argv[0];
    rest.push_back(nullptr);
    return suite->run(argc - 1, rest.data());
}
