// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.node.Node;

/** What sends and polls return when nothing was sent, and what they throw at misuse. */
class ResultCodesTest
{
    @TempDir
    Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8192]);

    private static Map<Long, String> codes(final Class<?>... classes) throws IllegalAccessException
    {
        final Map<Long, String> codes = new TreeMap<>();
        for (final Class<?> type : classes)
        {
            for (final Field field : type.getDeclaredFields())
            {
                if (Modifier.isStatic(field.getModifiers()) && !Modifier.isPrivate(field.getModifiers()) &&
                    field.getType() == long.class && field.getLong(null) < 0)
                {
                    final String name = type.getSimpleName() + '.' + field.getName();
                    final String other = codes.put(field.getLong(null), name);
                    assertEquals(null, other, () -> name + " has the same value");
                }
            }
        }
        return codes;
    }

    @Test
    void shouldHaveOneMeaningForEachValue() throws IllegalAccessException
    {
        final Map<Long, String> all = codes(Endpoint.class, Lane.class, LaneSender.class);
        assertEquals(6 + 2 + 2, all.size(), all::toString);
        for (long code = -1; code >= ResultCodes.LAST; code--)
        {
            final String name = all.get(code);
            assertTrue(name != null && name.startsWith("Endpoint."), "code " + code + " is " + name);
            final String text = Endpoint.errorString(code);
            assertTrue(text.startsWith(name.substring(name.indexOf('.') + 1) + ": ") && text.length() > 30, text);
        }
        all.forEach((code, name) -> assertEquals(name.startsWith("Endpoint."), code >= ResultCodes.LAST, name));
        assertEquals("SENT", Endpoint.errorString(0));
        for (final long code : new long[]{ResultCodes.LAST - 1, Lane.UNPAID, Lane.FULL, LaneSender.BY_RING, -1L << 32})
        {
            assertEquals("unknown result " + code, Endpoint.errorString(code));
        }
    }

    @Test
    void shouldTellWhyAMessageIsTooLong()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, 8));
            Endpoint a = node.open(0);
            Endpoint b = node.open(1))
        {
            Fixtures.awaitOffer(a, 1, message, 8, Fixtures.NOTHING, b);
            for (final int length : new int[]{1000, Endpoint.MAX_RUN_LENGTH + 1})
            {
                assertEquals(Endpoint.TOO_LONG, a.offer(1, 1, message, 0, length));
            }
        }
        final String few = Endpoint.errorString(Endpoint.TOO_LONG, 1000);
        assertTrue(few.contains("found=1000 bytes, which take 16 slots") && few.contains("raise slotsPerSender"), few);
        final String run = Endpoint.errorString(Endpoint.TOO_LONG, Endpoint.MAX_RUN_LENGTH + 1);
        assertTrue(run.contains("expected at most 2048") && run.contains("newSend()") && !run.contains("raise"), run);
        final String all = Endpoint.errorString(Endpoint.TOO_LONG, Endpoint.MAX_MESSAGE_LENGTH + 1);
        assertTrue(all.contains("expected at most 16777216") && !all.contains("newSend()") && !all.contains("raise"), all);
        assertEquals(Endpoint.errorString(Endpoint.NO_CREDIT), Endpoint.errorString(Endpoint.NO_CREDIT, 9));
        assertEquals("SENT", Endpoint.errorString(7, 9));
    }

    @Test
    void shouldRefuseARankThatCannotBeWithWhatWasFoundAndExpected()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 3, 16));
            Endpoint a = node.open(0))
        {
            final MessageBatch batch = new MessageBatch(1);
            batch.add(1, message, 0, 8);
            for (final int rank : new int[]{3, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
            {
                final Executable[] sends = {
                    () -> a.offer(rank, 0, message, 0, 1), () -> a.offer(rank, 0, message, 0, 3000), () -> a.offer(rank, batch),
                    () -> a.tryClaim(rank, 0, 1, new MessageClaim()), () -> a.newSend().start(rank, 0, message, 0, 1)};
                for (final Executable send : sends)
                {
                    assertEquals("rank of the receiver is out of range: found=" + rank + ", expected=0 to 2",
                        assertThrows(IllegalArgumentException.class, send).getMessage());
                }
            }
            assertEquals(Endpoint.NOT_CONNECTED, a.offer(2, 0, message, 0, 1));
        }
    }
}
