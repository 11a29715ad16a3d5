// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testng.IMethodInterceptor;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** The suite of the owners of the rules, reactive-streams-tck-flow, passes. It needs TestNG, which runs within this test. */
@Tag("once")
class FlowTckTest
{
    private static final String SEVERAL_SUBSCRIBERS = "optional_spec111";

    private static Path directory;

    @TempDir
    private Path temporary;

    static Path directory()
    {
        return directory;
    }

    @BeforeEach
    void keepDirectory()
    {
        directory = temporary;
    }

    private static List<String> names(final List<ITestResult> results)
    {
        return results.stream().map(ITestResult::getName).sorted().collect(Collectors.toList());
    }

    private static TestListenerAdapter run(final Class<?> suite)
    {
        final TestListenerAdapter results = new TestListenerAdapter();
        final TestNG tests = new TestNG(false);
        tests.setVerbose(0);
        tests.setTestClasses(new Class<?>[]{suite});
        tests.addListener(results);
        // the suite would wait for the items of a second subscriber until its limit, and leave the test out then
        tests.addListener((IMethodInterceptor)(methods, context) -> methods.stream()
            .filter((each) -> !each.getMethod().getMethodName().startsWith(SEVERAL_SUBSCRIBERS)).collect(Collectors.toList()));
        tests.run();
        results.getFailedTests().forEach((each) ->
        {
            System.out.println("failed: " + each.getName());
            each.getThrowable().printStackTrace(System.out);
        });
        results.getConfigurationFailures().forEach((each) -> each.getThrowable().printStackTrace(System.out));
        assertEquals(List.of(), names(results.getFailedTests()));
        assertEquals(List.of(), names(results.getConfigurationFailures()));
        // what no test can see
        results.getSkippedTests().forEach((each) ->
            assertTrue(each.getName().startsWith("untested_"), each::getName));
        return results;
    }

    @Test
    void shouldPublishByTheRules()
    {
        final List<String> passed = names(run(MessagePublisherTck.class).getPassedTests());
        assertTrue(passed.stream().filter((name) -> name.startsWith("required_")).count() >= 18, passed::toString);
    }

    @Test
    void shouldSubscribeByTheRules()
    {
        final List<String> passed = names(run(MessageSubscriberTck.class).getPassedTests());
        assertTrue(passed.stream().filter((name) -> name.startsWith("required_")).count() >= 9, passed::toString);
    }
}
