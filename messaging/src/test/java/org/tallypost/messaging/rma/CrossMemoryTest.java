// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Where it can be had, memory is read and nothing else is written; where it cannot, it says why. */
class CrossMemoryTest
{
    private static final int OWN_PID = (int)ProcessHandle.current().pid();
    private static final int ESRCH = 3;
    private static final int EFAULT = 14;
    private static final long PROOF = 0x1234_5678_9ABC_DEF0L;

    private final UnsafeBuffer proof = offHeap(8);

    private static UnsafeBuffer offHeap(final int length)
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    /** On a machine that refuses the system call to all, there is a reason and nothing to be tried. */
    private static boolean isPossible()
    {
        if (Runtime.version().feature() < CrossMemory.MIN_FEATURE)
        {
            assertTrue(CrossMemory.whyNot().contains("found=Java " + Runtime.version().feature()), CrossMemory.whyNot());
            assertTrue(CrossMemory.whyNot().contains("expected=Java 22 or newer"), CrossMemory.whyNot());
        }
        else if (CrossMemory.whyNot() != null)
        {
            assertTrue(CrossMemory.whyNot().contains("errno"), CrossMemory.whyNot());
        }
        if (CrossMemory.whyNot() != null)
        {
            final UnsupportedOperationException ex =
                assertThrows(UnsupportedOperationException.class, CrossMemory::open);
            assertTrue(ex.getMessage().contains(CrossMemory.whyNot()), ex.getMessage());
        }
        return CrossMemory.whyNot() == null;
    }

    private long read(
        final CrossMemory reader, final int pid, final long address, final UnsafeBuffer to, final int offset, final int length)
    {
        proof.putLong(0, PROOF);
        return reader.read(pid, proof.addressOffset(), PROOF, address, to, offset, length);
    }

    @Test
    void shouldReadWhatIsThere()
    {
        if (!isPossible())
        {
            return;
        }
        final CrossMemory reader = CrossMemory.open();
        final UnsafeBuffer from = offHeap(CrossMemory.MAX_LENGTH);
        final byte[] bytes = new byte[CrossMemory.MAX_LENGTH];
        new Random(1).nextBytes(bytes);
        from.putBytes(0, bytes);
        final UnsafeBuffer to = offHeap(CrossMemory.MAX_LENGTH + 200);
        assertEquals(CrossMemory.MAX_LENGTH, read(reader, OWN_PID, from.addressOffset(), to, 100, CrossMemory.MAX_LENGTH));
        assertEquals(from, new UnsafeBuffer(to, 100, CrossMemory.MAX_LENGTH));
        for (int i = 0; i < 100; i++)
        {
            assertEquals(0, to.getByte(i) | to.getByte(CrossMemory.MAX_LENGTH + 100 + i));
        }
    }

    @Test
    void shouldReadNothingWithoutProof()
    {
        if (!isPossible())
        {
            return;
        }
        final CrossMemory reader = CrossMemory.open();
        final UnsafeBuffer from = offHeap(100);
        from.setMemory(0, 100, (byte)7);
        final UnsafeBuffer to = offHeap(100);
        proof.putLong(0, PROOF + 1);
        assertEquals(CrossMemory.UNREADABLE,
            reader.read(OWN_PID, proof.addressOffset(), PROOF, from.addressOffset(), to, 10, 80));
        for (int i = 0; i < 100; i++)
        {
            assertTrue(i >= 10 && i < 90 || to.getByte(i) == 0, "byte " + i);
        }
        for (final long address : new long[]{0, 8, -1, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            assertEquals(CrossMemory.UNREADABLE, reader.read(OWN_PID, address, PROOF, from.addressOffset(), to, 10, 80));
            assertEquals(EFAULT, reader.errno());
        }
    }

    @Test
    void shouldRefuseAddressesAndProcessesThatAreNotThere() throws IOException, InterruptedException
    {
        if (!isPossible())
        {
            return;
        }
        final CrossMemory reader = CrossMemory.open();
        final UnsafeBuffer to = offHeap(100);
        for (final long address : new long[]{0, 8, -1, -80, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            assertEquals(CrossMemory.UNREADABLE, read(reader, OWN_PID, address, to, 10, 80), "address " + address);
        }
        final Process child = new ProcessBuilder("/bin/true").start();
        child.waitFor();
        assertEquals(CrossMemory.UNREADABLE, read(reader, (int)child.pid(), to.addressOffset(), to, 10, 80));
        assertEquals(ESRCH, reader.errno());
        assertEquals(CrossMemory.UNREADABLE, read(reader, -1, to.addressOffset(), to, 10, 80));
        for (int i = 0; i < 100; i++)
        {
            assertEquals(0, to.getByte(i));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> read(reader, OWN_PID, to.addressOffset(), to, 10, 91));
        assertThrows(IllegalArgumentException.class, () -> read(reader, OWN_PID, to.addressOffset(), to, 10, 0));
        assertThrows(IllegalArgumentException.class,
            () -> read(reader, OWN_PID, to.addressOffset(), new UnsafeBuffer(new byte[100]), 0, 80));
        assertNull(CrossMemory.whyNot());
    }
}
