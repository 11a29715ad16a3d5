// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.LayoutDiagram;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;

/** Each knob delays what it is for by at least what is set. How much more comes is the machine's affair. */
class LoggpKnobsTest extends ActiveMessagesFixture
{
    private static final int READ = 3;
    private static final int VALUE = 4;
    private static final long SET_NS = 2_000_000;

    private final LoggpKnobs[] knobs = new LoggpKnobs[2];
    private final long[] times = new long[64];
    private int count;
    /** Of a card on its own: only the test moves it. */
    private long nowNs;

    private void launchWithKnobs()
    {
        launch(Flow.DYNAMIC, 2, 128, (context) -> context.window(32).knobs(
            knobs[context.endpoint().rank()] = LoggpKnobs.open(node, context.endpoint().rank())));
        ranks[1].onRequest(READ, (token, a, b, c, d, e) -> times[count++] = System.nanoTime());
        ranks[1].onLongRequest(READ, (token, a, b, buffer, offset, length) -> times[count++] = System.nanoTime());
    }

    @AfterEach
    void closeKnobs()
    {
        for (final LoggpKnobs each : knobs)
        {
            if (each != null)
            {
                each.close();
            }
        }
    }

    private long send(final int number)
    {
        final long begin = System.nanoTime();
        for (int i = 0; i < number; i++)
        {
            drive("room", () -> ranks[0].tryRequest(1, READ, 0, 0, 0, 0, 0) == 0);
        }
        drive("delivery", () -> count == number);
        return begin;
    }

    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(KnobsDescriptor.class);
        assertEquals(KnobsDescriptor.VERSION_OFFSET, diagram.row("layout version").offset);
        assertEquals(KnobsDescriptor.OVERHEAD_OFFSET, diagram.row("o:").offset);
        assertEquals(KnobsDescriptor.GAP_OFFSET, diagram.row("g:").offset);
        assertEquals(KnobsDescriptor.BYTE_GAP_OFFSET, diagram.row("G:").offset);
        assertEquals(KnobsDescriptor.LATENCY_OFFSET, diagram.row("L:").offset);
        assertEquals(KnobsDescriptor.CHANGES_OFFSET, diagram.row("changes:").offset);
        assertEquals(KnobsDescriptor.LENGTH, diagram.row("changes:").offset + diagram.row("changes:").length);
    }

    @Test
    void shouldHoldMessagesBackForTheLatency()
    {
        launchWithKnobs();
        knobs[1].set(Knob.LATENCY, SET_NS);
        final long begin = send(1);
        assertTrue(times[0] - begin >= SET_NS, "delivered " + (times[0] - begin) + " ns after it was sent");
    }

    @Test
    void shouldPutTheGapBetweenMessages()
    {
        launchWithKnobs();
        knobs[0].set(Knob.GAP, SET_NS);
        final long begin = send(5);
        assertTrue(times[4] - begin >= 4 * SET_NS, "five messages within " + (times[4] - begin) + " ns");
    }

    @Test
    void shouldSpendTheOverheadAtBothEnds()
    {
        launchWithKnobs();
        knobs[0].set(Knob.OVERHEAD, SET_NS);
        final long begin = System.nanoTime();
        assertEquals(0, ranks[0].tryRequest(1, READ, 0, 0, 0, 0, 0));
        assertTrue(System.nanoTime() - begin >= SET_NS);
        drive("delivery", () -> count == 1);
        knobs[0].set(Knob.OVERHEAD, 0);
        knobs[1].set(Knob.OVERHEAD, SET_NS);
        final long second = System.nanoTime();
        drive("room", () -> ranks[0].tryRequest(1, READ, 0, 0, 0, 0, 0) == 0);
        drive("delivery", () -> count == 2);
        assertTrue(times[1] - second >= SET_NS);
    }

    /** A look of the spin's own would take time beyond what is set. */
    @Test
    void shouldSpendTheOverheadFromTheLookForRoomOn()
    {
        launchWithKnobs();
        knobs[0].set(Knob.OVERHEAD, SET_NS);
        final Injection injection = new Injection(knobs[0].values(), () -> ++nowNs);
        assertTrue(injection.hasRoom());
        nowNs += SET_NS - 10;
        final long rest = nowNs;
        injection.overhead();
        assertEquals(rest + 10, nowNs, "until the overhead has passed since the look");
        injection.sent(0);
        assertTrue(injection.hasRoom());
        nowNs += 2 * SET_NS;
        final long passed = nowNs;
        injection.overhead();
        assertEquals(passed + 1, nowNs, "no more than one look at the clock");
    }

    @Test
    void shouldDelayBlocksByTheirLength()
    {
        launchWithKnobs();
        connect(0, 1);
        // 2 ms for 1,000 bytes
        knobs[0].set(Knob.BYTE_GAP, SET_NS);
        final UnsafeBuffer block = new UnsafeBuffer(new byte[1_000]);
        final long begin = System.nanoTime();
        ranks[0].requestLong(1, READ, 0, 0, block, 0, 1_000);
        drive("delivery", () -> count == 1);
        assertTrue(times[0] - begin >= SET_NS, "delivered after " + (times[0] - begin) + " ns");
    }

    @Test
    void shouldRefuseMoreThanTheCardTakes()
    {
        launchWithKnobs();
        connect(0, 1);
        knobs[0].set(Knob.GAP, LoggpKnobs.MAX_NS);
        final long begin = System.nanoTime();
        int sent = 0;
        while (ranks[0].tryRequest(1, READ, 0, 0, 0, 0, 0) == 0)
        {
            sent++;
        }
        // the first is on the wire at once, and one more each time that the gap has passed while this thread was away
        final long most = Injection.ROOM + 1 + (System.nanoTime() - begin) / LoggpKnobs.MAX_NS;
        assertTrue(sent > Injection.ROOM && sent <= most, "sent " + sent + " of at most " + most);
        ranks[1].close();
        endpoints[1].close();
        drive("ends", () -> ranks[0].unanswered() == 0);
    }

    @Test
    void shouldHaveRoomOnceTheFirstMessageIsOnTheWire()
    {
        launchWithKnobs();
        knobs[0].set(Knob.GAP, SET_NS);
        final Injection injection = new Injection(knobs[0].values(), () -> nowNs);
        for (int i = 0; i <= Injection.ROOM; i++)
        {
            assertTrue(injection.hasRoom(), "for message " + i);
            injection.sent(0);
        }
        assertFalse(injection.hasRoom());
        nowNs += SET_NS - 1;
        assertFalse(injection.hasRoom());
        nowNs++;
        assertTrue(injection.hasRoom(), "the second one is on the wire");
        injection.sent(0);
        assertFalse(injection.hasRoom());
    }

    @Test
    void shouldCarryAnswersInTheirOrder()
    {
        launchWithKnobs();
        knobs[0].set(Knob.GAP, 1_000).set(Knob.LATENCY, 20_000).set(Knob.OVERHEAD, 100).set(Knob.BYTE_GAP, 10);
        knobs[1].set(Knob.GAP, 1_000).set(Knob.LATENCY, 20_000).set(Knob.OVERHEAD, 100).set(Knob.BYTE_GAP, 10);
        ranks[0].onRequest(READ, (token, a, b, c, d, e) -> token.reply(VALUE, a, 0, 0, 0, 0));
        final StringBuilder order = new StringBuilder();
        final StringBuilder expected = new StringBuilder();
        ranks[1].onReply(VALUE, (source, a, b, c, d, e) -> order.append(a).append(' '));
        for (int i = 0; i < 200; i++)
        {
            final int value = i;
            expected.append(i).append(' ');
            drive("room", () -> ranks[1].tryRequest(0, READ, value, 0, 0, 0, 0) == 0);
        }
        drive("answers", () -> ranks[1].unanswered() == 0);
        assertEquals(expected.toString(), order.toString());
    }

    /** What is sent while all knobs are 0 again stays behind what a knob holds back, and is not held back itself afterwards. */
    @Test
    void shouldKeepTheOrderWhenKnobsGoOff()
    {
        launchWithKnobs();
        connect(0, 1);
        final StringBuilder order = new StringBuilder();
        ranks[1].onRequest(READ, null);
        ranks[1].onRequest(READ, (token, a, b, c, d, e) -> order.append(a).append(' '));
        for (int i = 0; i < 12; i++)
        {
            knobs[0].set(Knob.GAP, i % 6 == 1 ? SET_NS : 0);
            knobs[1].set(Knob.LATENCY, i % 6 == 2 ? SET_NS : 0);
            final int value = i;
            drive("room", () -> ranks[0].tryRequest(1, READ, value, 0, 0, 0, 0) == 0);
            ranks[1].doWork();
        }
        knobs[0].set(Knob.GAP, 0);
        drive("answers", () -> ranks[0].unanswered() == 0);
        assertEquals("0 1 2 3 4 5 6 7 8 9 10 11 ", order.toString());
        final Injection injection = new Injection(knobs[0].values());
        assertTrue(injection.isOff());
        knobs[0].set(Knob.GAP, SET_NS);
        injection.sent(0);
        knobs[0].set(Knob.GAP, 0);
        drive("the card is free", injection::isOff);
    }

    @Test
    void shouldBeSetFromOutside()
    {
        launchWithKnobs();
        final File nodeDirectory = new File(directory.toFile(), "node");
        final List<LoggpKnobs> found = LoggpKnobs.find(nodeDirectory);
        assertEquals(2, found.size());
        found.get(1).set(Knob.LATENCY, 5).set(Knob.OVERHEAD, 6);
        assertEquals(5, knobs[1].get(Knob.LATENCY));
        assertEquals(0, knobs[0].get(Knob.LATENCY));
        assertEquals(1, found.get(1).rank());
        assertTrue(found.get(1).isLive() && knobs[1].toString().contains("rank=1"));
        assertThrows(IllegalArgumentException.class, () -> found.get(0).set(Knob.GAP, -1));
        assertThrows(IllegalArgumentException.class, () -> found.get(0).set(Knob.GAP, LoggpKnobs.MAX_NS + 1));
        assertThrows(MailboxException.class, () -> LoggpKnobs.find(new File(nodeDirectory, "none")));
        knobs[0].close();
        assertEquals(1, LoggpKnobs.find(nodeDirectory).size());
    }

    @Test
    void shouldBeOfARankOfTheGroup()
    {
        launchWithKnobs();
        for (final int rank : new int[]{ -1, 2, Integer.MAX_VALUE })
        {
            final String text = assertThrows(IllegalArgumentException.class, () -> LoggpKnobs.open(node, rank)).getMessage();
            assertEquals("rank is out of range: found=" + rank + ", expected=0 to 1", text);
        }
    }

    /** Their process lives, but no message is slowed down by them any more. */
    @Test
    void shouldRefuseToSetKnobsThatAreClosed()
    {
        launchWithKnobs();
        final List<LoggpKnobs> found = LoggpKnobs.find(new File(directory.toFile(), "node"));
        knobs[0].close();
        assertClosed(0, knobs[0], found.get(0));
        assertTrue(found.get(1).isLive() && knobs[1].isLive());
        close();
        assertClosed(1, knobs[1], found.get(1));
    }

    private static void assertClosed(final int rank, final LoggpKnobs... all)
    {
        for (final LoggpKnobs each : all)
        {
            assertFalse(each.isLive());
            final String text = assertThrows(IllegalStateException.class, () -> each.set(Knob.LATENCY, 5)).getMessage();
            assertTrue(text.startsWith("the knobs of rank " + rank + " are closed: found "), text);
            assertEquals(0, each.get(Knob.LATENCY));
        }
    }

    @Test
    void shouldLimitWhatOthersHaveWritten() throws IOException
    {
        launchWithKnobs();
        final File file = new File(new File(directory.toFile(), "node"), "shared-loggp-0");
        try (RandomAccessFile other = new RandomAccessFile(file, "rw"))
        {
            for (int i = 1; i <= 4; i++)
            {
                other.seek(4096 + 8L * i);
                other.writeLong(i % 2 == 0 ? -1L : Long.reverseBytes(Long.MAX_VALUE));
            }
            for (final Knob knob : Knob.values())
            {
                assertTrue(knobs[0].get(knob) >= 0 && knobs[0].get(knob) <= LoggpKnobs.MAX_NS);
            }
            final KnobValues values = knobs[0].values();
            assertTrue(values.isOn() && values.overheadNs() >= 0 && values.overheadNs() <= LoggpKnobs.MAX_NS &&
                values.gapNs() >= 0 && values.gapNs() <= LoggpKnobs.MAX_NS && values.latencyNs() >= 0 &&
                values.latencyNs() <= LoggpKnobs.MAX_NS && values.blockNs(1) >= 0);
            other.seek(4096);
            other.writeLong(77);
        }
        assertThrows(MailboxException.class, () -> LoggpKnobs.find(file.getParentFile()));
    }

    /** What two processes set at the same time is there: none of them takes the other's back. */
    @Test
    void shouldSeeWhatWasSetSinceTheLastLook()
    {
        launchWithKnobs();
        final File nodeDirectory = new File(directory.toFile(), "node");
        final LoggpKnobs one = LoggpKnobs.find(nodeDirectory).get(0);
        final LoggpKnobs other = LoggpKnobs.find(nodeDirectory).get(0);
        final KnobValues values = knobs[0].values();
        assertFalse(values.look() || values.isOn());
        one.set(Knob.OVERHEAD, 1);
        other.set(Knob.GAP, 2);
        one.set(Knob.LATENCY, 3);
        other.set(Knob.BYTE_GAP, 4_000);
        assertFalse(values.isOn(), "not before a look");
        assertTrue(values.look() && values.isOn());
        assertEquals("1 2 3 8", values.overheadNs() + " " + values.gapNs() + " " + values.latencyNs() + " " + values.blockNs(2));
        assertFalse(values.look());
        for (final Knob knob : Knob.values())
        {
            assertTrue(values.isOn());
            one.set(knob, 0);
            assertTrue(values.look());
        }
        assertFalse(values.isOn());
    }

    /** A file is there before its owner has written the version, and it may go behind the look at the directory. */
    @Test
    void shouldPassByKnobsThatAreJustMadeOrEnded() throws IOException
    {
        launchWithKnobs();
        knobs[0].close();
        final File nodeDirectory = new File(directory.toFile(), "node");
        try (SharedFile file = node.createShared("loggp-0", KnobsDescriptor.LENGTH))
        {
            assertEquals(List.of(1), LoggpKnobs.find(nodeDirectory).stream().map(LoggpKnobs::rank).toList());
            file.buffer().putLongRelease(KnobsDescriptor.VERSION_OFFSET, KnobsDescriptor.VERSION);
            assertEquals(List.of(0, 1), LoggpKnobs.find(nodeDirectory).stream().map(LoggpKnobs::rank).toList());
        }
        final Path gone = nodeDirectory.toPath().resolve("shared-loggp-0");
        Files.createSymbolicLink(gone, nodeDirectory.toPath().resolve("none"));
        assertEquals(List.of(1), LoggpKnobs.find(nodeDirectory).stream().map(LoggpKnobs::rank).toList());
        Files.delete(gone);
    }

    @Test
    void shouldBelongToOneIncarnation()
    {
        launchWithKnobs();
        final String text = assertThrows(MailboxException.class, () -> LoggpKnobs.open(node, 0)).getMessage();
        assertEquals("the rank has knobs already: rank=0, file=" + new File(directory.toFile(), "node/shared-loggp-0") +
            ", found those of " + ProcessIdentity.current() + ", expected none; close them first, or hand the same ones to " +
            "ActiveMessagesContext.knobs, and set them by LoggpKnobs.find", text);
        final LoggpKnobs found = LoggpKnobs.find(new File(directory.toFile(), "node")).get(0);
        assertEquals(0, found.set(Knob.GAP, 0).rank());
        final Node none = null;
        assertThrows(NullPointerException.class, () -> LoggpKnobs.open(none, 0));
    }
}
