// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Messages in several fragments: those that can be steps of a handshake are whole, others take no room. */
class FragmentCollectorTest
{
    private static final byte FIRST = FrameDescriptor.BEGIN_FRAG_FLAG;
    private static final byte LAST = FrameDescriptor.END_FRAG_FLAG;

    private final List<String> messages = new ArrayList<>();
    private boolean isRefusing;
    private final FragmentCollector collector = new FragmentCollector((buffer, offset, length, header) ->
    {
        if (isRefusing)
        {
            return Action.ABORT;
        }
        messages.add(header.sessionId() + ":" + buffer.getStringWithoutLengthAscii(offset, length));
        return Action.CONTINUE;
    });

    private Action come(final int session, final int flags, final String text)
    {
        final int at = DataHeaderFlyweight.HEADER_LENGTH;
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[at + text.length()]);
        frame.putByte(DataHeaderFlyweight.FLAGS_FIELD_OFFSET, (byte)flags);
        frame.putInt(DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, session, ByteOrder.LITTLE_ENDIAN);
        frame.putStringWithoutLengthAscii(at, text);
        final Header header = new Header(0, 16);
        header.buffer(frame);
        header.offset(0);
        return collector.onFragment(frame, at, text.length(), header);
    }

    @Test
    void shouldHandOnWhatIsWhole()
    {
        come(1, FrameDescriptor.UNFRAGMENTED, "whole");
        come(1, FIRST, "a");
        come(2, FIRST, "x");
        come(1, 0, "b");
        come(2, LAST, "y");
        come(1, LAST, "c");
        assertEquals(List.of("1:whole", "2:xy", "1:abc"), messages);
    }

    @Test
    void shouldGiveUpWhatIsTooLongForAStep()
    {
        final String half = "h".repeat(FragmentCollector.MAX_LENGTH / 2);
        come(1, FIRST, half);
        come(1, LAST, half);
        assertEquals(1, messages.size());
        come(1, FIRST, half);
        come(1, 0, half);
        come(1, 0, "1");
        come(1, LAST, "2");
        come(1, FIRST, "h".repeat(FragmentCollector.MAX_LENGTH + 1));
        come(1, LAST, "3");
        assertEquals(1, messages.size());
        come(1, FIRST, "a");
        come(1, LAST, "b");
        assertEquals("1:ab", messages.get(1));
    }

    @Test
    void shouldKeepNoMoreThanAFewMessagesWhoeverBegins()
    {
        for (int session = 0; session < 1000; session++)
        {
            come(session, FIRST, "a");
        }
        come(7, LAST, "b");
        assertEquals(List.of(), messages);
        come(999, LAST, "b");
        come(1001 - FragmentCollector.MESSAGES, LAST, "b");
        assertEquals(List.of("999:ab", "996:ab"), messages);
    }

    @Test
    void shouldNotGiveUpWhatComesFromWhoWasAdmitted()
    {
        collector.admit(42);
        come(42, FIRST, "a");
        for (int session = 100; session < 200; session++)
        {
            come(session, FIRST, "x");
        }
        come(42, LAST, "b");
        assertEquals(List.of("42:ab"), messages);
        collector.admit(43);
        come(42, LAST, "c");
        assertEquals(1, messages.size());
    }

    @Test
    void shouldPutTogetherWhatHadToWaitWhenItsLastFragmentComesAgain()
    {
        come(1, FIRST, "a");
        isRefusing = true;
        for (int i = 0; i < 3; i++)
        {
            assertEquals(Action.ABORT, come(1, LAST, "b"));
            assertEquals(Action.ABORT, come(1, FrameDescriptor.UNFRAGMENTED, "whole"));
        }
        isRefusing = false;
        assertEquals(Action.CONTINUE, come(1, LAST, "b"));
        assertEquals(List.of("1:ab"), messages);
    }

    @Test
    void shouldBeginAnewIfASessionDoes()
    {
        come(1, FIRST, "old");
        come(1, FIRST, "a");
        come(1, LAST, "b");
        come(1, LAST, "stray");
        assertEquals(List.of("1:ab"), messages);
    }
}
