// SPDX-License-Identifier: GPL-3.0-or-later
// Lets the suites of a folder share one program: each tst_*.cpp registers its class, and suitemain.cpp runs the one
// that the command line names. A suite is named after its file: tst_money.cpp holds the suite `tst_money`.
#pragma once

#include <QCoreApplication>
#include <QtTest/QTest>

#include <string>
#include <string_view>

namespace gpuledger::tests {

// Runs one suite with the arguments of QTest::qExec; the exit status is the number of failed tests.
using RunSuite = int (*)(int argc, char **argv);

// The registration of a test suite. In static storage only: the program's list of suites is built from these before
// main.
class Suite {
public:
    Suite(std::string_view file, RunSuite function);
    Suite(const Suite &) = delete;
    Suite &operator=(const Suite &) = delete;

    [[nodiscard]] const std::string &name() const { return m_name; }
    [[nodiscard]] int run(int argc, char **argv) const { return m_function(argc, argv); }
    [[nodiscard]] const Suite *next() const { return m_next; }

    // The suite registered last, or null.
    [[nodiscard]] static const Suite *first();

private:
    std::string m_name;
    RunSuite m_function;
    const Suite *m_next;
};

template <typename Test> int runWithoutApplication(int argc, char **argv)
{
    Test test;
    return QTest::qExec(&test, argc, argv);
}

// Application is QCoreApplication, or QApplication for tests that draw. It outlives the suite's object.
template <typename Test, typename Application> int runWith(int argc, char **argv)
{
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi, true);
    return runWithoutApplication<Test>(argc, argv);
}

} // namespace gpuledger::tests

// Use one of these once in each tst_*.cpp, before its .moc include, in place of QTEST_MAIN, QTEST_GUILESS_MAIN and
// QTEST_APPLESS_MAIN.
#define GPULEDGER_WINDOW_SUITE(Test)                                                                                   \
    static const gpuledger::tests::Suite registeredSuite{__FILE__, &gpuledger::tests::runWith<Test, QApplication>};
#define GPULEDGER_SUITE(Test)                                                                                          \
    static const gpuledger::tests::Suite registeredSuite{__FILE__, &gpuledger::tests::runWith<Test, QCoreApplication>};
#define GPULEDGER_PLAIN_SUITE(Test)                                                                                    \
    static const gpuledger::tests::Suite registeredSuite{__FILE__, &gpuledger::tests::runWithoutApplication<Test>};
