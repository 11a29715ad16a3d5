// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Each counter is shown under the name of its getter, with the same value. */
class MessengerCountersTest extends MessengerFixture
{
    private static Map<String, Long> shown(final MessengerCounters counters)
    {
        final Map<String, Long> shown = new TreeMap<>();
        counters.forEach((name, unit, kind, value) -> shown.put(name, value));
        return shown;
    }

    private static long value(final MessengerCounters counters, final String name)
    {
        try
        {
            return (long)MessengerCounters.class.getMethod(name).invoke(counters);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Test
    void shouldShowAllCounters()
    {
        launch(2);
        final UnsafeBuffer room = room(5_000);
        final ReceiveRequest receive = new ReceiveRequest();
        final SendRequest send = new SendRequest();
        messengers[1].receive(receive, messengers[1].world(), 0, 1, room, 0, 10);
        messengers[0].send(send, messengers[0].world(), 1, 1, room, 0, 8);
        await(send, receive);
        messengers[0].send(send, messengers[0].world(), 1, 1, room, 0, 5_000);
        drive("announcement", () -> messengers[1].counters().unexpected() == 1);
        messengers[1].receive(receive, messengers[1].world(), 0, 1, room, 0, 10);
        await(send, receive);
        messengers[0].send(send, messengers[0].world(), 0, 1, room, 0, 100);
        final Map<String, Long> sender = shown(messengers[0].counters());
        final String text = messengers[0].counters().toString();
        assertTrue(text.startsWith("MessengerCounters{sentEager=1, sentAnnounced=1, "), text);
        assertEquals(sender.size(), text.split(", ").length, text);
        final Map<String, Long> receiver = shown(messengers[1].counters());
        assertEquals(Stream.of(MessengerCounters.class.getMethods())
            .filter((method) -> method.getReturnType() == long.class && method.getParameterCount() == 0)
            .map((method) -> method.getName()).collect(Collectors.toSet()), sender.keySet());
        sender.forEach((name, value) -> assertEquals(value, value(messengers[0].counters(), name), name));
        assertEquals("1 1 1 118", sender.get("sentEager") + " " + sender.get("sentAnnounced") + " " + sender.get("sentToSelf") +
            " " + sender.get("sentBytes"));
        assertEquals("1 1 18 1", receiver.get("matchedAtArrival") + " " + receiver.get("matchedLater") + " " +
            receiver.get("receivedBytes") + " " + receiver.get("truncated"));
        assertEquals(192, sender.get("unexpectedBytes"));
        assertTrue(receiver.get("windowsTold") >= 1);
    }

    /** Longer than what the endpoint takes at once. */
    @Test
    void shouldSendAVeryLongMessage()
    {
        launch(2);
        final int length = 17_000_000;
        final UnsafeBuffer message = bytes(length, 5);
        final UnsafeBuffer room = room(length);
        final ReceiveRequest receive = new ReceiveRequest();
        final SendRequest send = new SendRequest();
        messengers[1].receive(receive, messengers[1].world(), 0, 1, room, 0, length);
        messengers[0].send(send, messengers[0].world(), 1, 1, message, 0, length);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 0, length, 5);
    }
}
