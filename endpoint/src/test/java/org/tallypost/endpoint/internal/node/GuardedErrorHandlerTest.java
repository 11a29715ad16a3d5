// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.ErrorHandler;
import org.junit.jupiter.api.Test;

/** What a program's error handler hears, and what it can do to the runtime. */
class GuardedErrorHandlerTest
{
    private static final long INTERVAL_NS = GuardedErrorHandler.INTERVAL_NS;

    private final List<Throwable> told = new ArrayList<>();
    private final GuardedErrorHandler guard = new GuardedErrorHandler(told::add);

    private static Throwable ofAStranger(final int number)
    {
        return new IllegalStateException("text of a stranger's own: " + number);
    }

    @Test
    void shouldMakeOneLineForEachIntervalOfAFlood()
    {
        final int flood = 10_000;
        for (int i = 0; i < flood; i++)
        {
            guard.onError(ofAStranger(i), i);
        }
        assertEquals(GuardedErrorHandler.BURST, told.size(), "at once");
        for (int interval = 1; interval <= 3; interval++)
        {
            for (int i = 0; i < flood; i++)
            {
                guard.onError(ofAStranger(i), interval * INTERVAL_NS + i);
            }
            assertEquals(GuardedErrorHandler.BURST + interval, told.size(), "one more line");
            final String text = told.get(told.size() - 1).getMessage();
            final int count = interval == 1 ? flood - GuardedErrorHandler.BURST + 1 : flood;
            assertTrue(text.contains("count=" + count + ",") && text.contains("IllegalStateException") &&
                text.contains("text of a stranger's own: 0"), text);
        }
        guard.flush(5 * INTERVAL_NS);
        assertTrue(told.get(told.size() - 1).getMessage().contains("count=" + (flood - 1) + ","), "nothing is lost");
        final int before = told.size();
        guard.flush(7 * INTERVAL_NS);
        assertEquals(before, told.size());
        guard.onError(ofAStranger(1), 7 * INTERVAL_NS);
        assertSame(IllegalStateException.class, told.get(before).getClass(), "it is over: the next one is told itself");
    }

    @Test
    void shouldTellAnotherKindMeanwhile()
    {
        for (int i = 0; i < 100; i++)
        {
            guard.onError(ofAStranger(i), i);
        }
        final Throwable other = new IllegalStateException("from another place");
        final Throwable another = new OutOfMemoryError("of another class");
        guard.onError(other, 100);
        guard.onError(another, 101);
        assertEquals(GuardedErrorHandler.BURST + 2, told.size());
        assertSame(other, told.get(GuardedErrorHandler.BURST));
        assertSame(another, told.get(GuardedErrorHandler.BURST + 1));
        guard.close();
        assertTrue(told.get(GuardedErrorHandler.BURST + 2).getMessage().contains("count=" + (100 - GuardedErrorHandler.BURST)));
    }

    @Test
    void shouldKeepABoundedNumberOfKinds()
    {
        for (int i = 0; i < 10 * GuardedErrorHandler.MAX_KINDS; i++)
        {
            final Throwable error = new IllegalStateException("kind " + i);
            error.setStackTrace(new StackTraceElement[]{new StackTraceElement("org.tallypost.Kind" + i, "method", "file", i)});
            guard.onError(error, i);
        }
        assertEquals(GuardedErrorHandler.MAX_KINDS + GuardedErrorHandler.BURST, told.size());
        guard.onError(ofAStranger(1), 2 * INTERVAL_NS);
        assertEquals(GuardedErrorHandler.MAX_KINDS + GuardedErrorHandler.BURST + 1, told.size(), "old ones make room");
        assertSame(IllegalStateException.class, told.get(told.size() - 1).getClass());
    }

    @Test
    void shouldSurviveWhateverAHandlerThrows()
    {
        final Throwable[] thrown = {new IllegalStateException("handler"), new AssertionError("handler"),
            new StackOverflowError("handler"), new OutOfMemoryError("handler")};
        for (final Throwable each : thrown)
        {
            final GuardedErrorHandler throwing = new GuardedErrorHandler((error) -> GuardedErrorHandlerTest.<Error>throwOn(each));
            throwing.onError(ofAStranger(1));
            throwing.onError(each);
            assertEquals(2, throwing.failures());
        }
        final GuardedErrorHandler throwing = new GuardedErrorHandler((error) -> GuardedErrorHandlerTest.<Error>throwOn(error));
        throwing.onError(null);
        throwing.onError(new IllegalStateException("cannot be printed")
        {
            private static final long serialVersionUID = 1;

            @Override
            public String toString()
            {
                throw new IllegalStateException("cannot be printed");
            }
        });
        throwing.flush(Long.MAX_VALUE);
        throwing.close();
        assertTrue(throwing.failures() >= 2);
    }

    @Test
    void shouldHandWhatAMessageHandlerThrewToTheCallerOfThePoll()
    {
        final ErrorHandler rethrowing = (error) -> GuardedErrorHandlerTest.<Error>throwOn(error);
        final GuardedErrorHandler throwing = new GuardedErrorHandler(rethrowing);
        final IllegalStateException error = new IllegalStateException("of a message handler");
        for (int i = 0; i < 10 * GuardedErrorHandler.BURST; i++)
        {
            assertSame(error, assertThrows(IllegalStateException.class, () -> throwing.onThrown(error)));
        }
        assertSame(throwing, GuardedErrorHandler.around(throwing));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwOn(final Throwable error) throws T
    {
        throw (T)error;
    }
}
