// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.ControlledMessageListener.Action;
import org.tallypost.node.Node;

/** Controlled polls of an endpoint with priorities: a listener ends a poll for both of them. */
class ControlledPrioritiesTest
{
    private static final int LOW = 10;
    private static final int HIGH = 20;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private final List<Integer> tags = new ArrayList<>();
    private Node node;
    private Endpoint from;
    private Endpoint to;

    @BeforeEach
    void launch()
    {
        node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, 64).highSlots(8)
            .livenessThread(false));
        from = node.open(0);
        to = node.open(1);
        for (final Priority priority : Priority.values())
        {
            Fixtures.pollUntil("offer of " + priority, Fixtures.NOTHING, () ->
                from.offer(1, 0, priority, message, 0, 8) >= 0, to, from);
        }
        Fixtures.pollUntil("all read", Fixtures.NOTHING, () -> to.backlogSlots() == 0, to);
        for (int i = 0; i < 3; i++)
        {
            assertTrue(from.offer(1, LOW + i, Priority.LOW, message, 0, 8) >= 0);
            assertTrue(from.offer(1, HIGH + i, Priority.HIGH, message, 0, 8) >= 0);
        }
    }

    @AfterEach
    void close()
    {
        node.close();
    }

    private int poll(final Action action)
    {
        return to.controlledPoll((source, tag, buffer, offset, length) ->
        {
            tags.add(tag);
            return action;
        }, 10);
    }

    @Test
    void shouldEndAPollForBothAndKeepNeitherWaiting()
    {
        for (int i = 1; i <= 6; i++)
        {
            assertEquals(1, poll(Action.BREAK));
            assertEquals(i, tags.size());
        }
        assertEquals(List.of(HIGH, LOW, HIGH + 1, LOW + 1, HIGH + 2, LOW + 2), tags);
    }

    @Test
    void shouldLeaveOneOfEitherByTurns()
    {
        for (int i = 0; i < 4; i++)
        {
            assertEquals(0, poll(Action.ABORT));
        }
        assertEquals(List.of(HIGH, LOW, HIGH, LOW), tags);
        tags.clear();
        assertEquals(6, poll(Action.CONTINUE));
        assertEquals(List.of(HIGH, HIGH + 1, HIGH + 2, LOW, LOW + 1, LOW + 2), tags);
    }

    @Test
    void shouldRefuseAnyPollWithinAListener()
    {
        to.controlledPoll((source, tag, buffer, offset, length) ->
        {
            for (int i = 0; i < 3; i++)
            {
                assertThrows(IllegalStateException.class, () -> to.poll(Fixtures.NOTHING, 1));
                assertThrows(IllegalStateException.class, () -> poll(Action.CONTINUE));
            }
            return Action.CONTINUE;
        }, 10);
        assertEquals(List.of(), tags);
        assertEquals(0, to.backlogSlots());
    }
}
