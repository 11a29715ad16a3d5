// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.internal.checks.Checks;

/**
 * Reads memory of another process of this host, by the system call {@code process_vm_readv}. It needs Linux and Java 22 or newer.
 * The package {@code java.lang.foreign} is found by reflection, since this class is compiled for Java 17.
 *
 * <p><b>Which process.</b> A pid is used again when its process is gone. So each read also reads a proof: 8 bytes drawn by chance
 * that the other process keeps at an address it has told. The kernel finds the process once for both, so if the proof is there,
 * the bytes are of that process.
 *
 * <p><b>Trust.</b> Whatever pid, addresses and proof are, nothing is written but the range of the caller's buffer, and nothing is
 * read but the memory of the process with the pid, if the kernel allows that.
 *
 * <p>For one thread. {@link #read} allocates nothing.
 */
public final class CrossMemory
{
    /** Most bytes of one {@link #read}. */
    public static final int MAX_LENGTH = 1 << 19;
    /** The bytes cannot be read: the process is gone, does not allow it, is another one, or has nothing at the address. */
    public static final long UNREADABLE = -1;
    /** Oldest Java with the package that this needs. */
    public static final int MIN_FEATURE = 22;

    private static final int VECTOR_LENGTH = 16;
    private static final int LOCAL = 0;
    private static final int REMOTE = LOCAL + 2 * VECTOR_LENGTH;
    private static final int PROOF = REMOTE + 2 * VECTOR_LENGTH;
    private static final int PROOF_LENGTH = Long.BYTES;
    private static final String FUNCTION = "process_vm_readv";
    private static final String WHY_NOT = findOut();

    /** Leaves no errno: a call that does allocates until it is compiled to the end. */
    private final MethodHandle function;
    private final MethodHandle functionWithErrno;
    private final ByteBuffer callState = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    private final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(PROOF + PROOF_LENGTH, 64));
    private int errno;

    private CrossMemory() throws ReflectiveOperationException
    {
        function = bind(null);
        functionWithErrno = bind(callState);
        memory.putLong(LOCAL, memory.addressOffset() + PROOF);
        memory.putLong(LOCAL + Long.BYTES, PROOF_LENGTH);
        memory.putLong(REMOTE + Long.BYTES, PROOF_LENGTH);
    }

    /**
     * Why this process cannot read the memory of any other one.
     *
     * @return what was found and expected; null if it can read its own, and so perhaps that of others of its user: whether it is
     *         allowed to is known when it reads.
     */
    public static String whyNot()
    {
        return WHY_NOT;
    }

    /**
     * A reader.
     *
     * @return the reader.
     * @throws UnsupportedOperationException if there is none here: {@link #whyNot()}.
     */
    public static CrossMemory open()
    {
        if (WHY_NOT != null)
        {
            throw new UnsupportedOperationException("memory of other processes cannot be read: " + WHY_NOT);
        }
        try
        {
            return new CrossMemory();
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new UnsupportedOperationException("memory of other processes cannot be read: " + ex, ex);
        }
    }

    private static String findOut()
    {
        if (!System.getProperty("os.name", "").startsWith("Linux"))
        {
            return "found=" + System.getProperty("os.name") + ", expected=Linux";
        }
        if (Runtime.version().feature() < MIN_FEATURE)
        {
            return "found=Java " + Runtime.version().feature() + ", expected=Java " + MIN_FEATURE + " or newer";
        }
        try
        {
            final CrossMemory reader = new CrossMemory();
            final UnsafeBuffer own = new UnsafeBuffer(ByteBuffer.allocateDirect(2 * Long.BYTES));
            own.putLong(0, 1);
            final long found = reader.read((int)ProcessHandle.current().pid(), own.addressOffset(), 1, own.addressOffset(), own,
                Long.BYTES, Long.BYTES);
            return found == Long.BYTES ? null :
                "found=" + FUNCTION + " fails with errno " + reader.errno + ", expected=a system call that is allowed";
        }
        catch (final InvocationTargetException ex)
        {
            return "found=" + ex.getCause() + ", expected=--enable-native-access=ALL-UNNAMED, if that is needed";
        }
        catch (final ReflectiveOperationException | RuntimeException ex)
        {
            return "found=" + ex + ", expected=java.lang.foreign and " + FUNCTION;
        }
    }

    /** The function as a handle of the type (int, long, long, long, long, long)long. It leaves errno in a buffer, or null. */
    private static MethodHandle bind(final ByteBuffer state) throws ReflectiveOperationException
    {
        final String home = "java.lang.foreign.";
        final Class<?> linkers = Class.forName(home + "Linker");
        final Class<?> options = Class.forName(home + "Linker$Option");
        final Class<?> segments = Class.forName(home + "MemorySegment");
        final Class<?> layouts = Class.forName(home + "MemoryLayout");
        final Class<?> values = Class.forName(home + "ValueLayout");
        final Class<?> descriptors = Class.forName(home + "FunctionDescriptor");
        final Object linker = linkers.getMethod("nativeLinker").invoke(null);
        final Object lookup = linkers.getMethod("defaultLookup").invoke(linker);
        final Optional<?> address =
            (Optional<?>)Class.forName(home + "SymbolLookup").getMethod("find", String.class).invoke(lookup, FUNCTION);
        if (address.isEmpty())
        {
            throw new NoSuchMethodException(FUNCTION);
        }
        final Object word = values.getField("JAVA_LONG").get(null);
        final Object arguments = Array.newInstance(layouts, 6);
        Array.set(arguments, 0, values.getField("JAVA_INT").get(null));
        for (int i = 1; i < 6; i++)
        {
            Array.set(arguments, i, word);
        }
        final Object descriptor = descriptors.getMethod("of", layouts, arguments.getClass()).invoke(null, word, arguments);
        final Object capture = Array.newInstance(options, state == null ? 0 : 1);
        if (state != null)
        {
            Array.set(capture, 0, options.getMethod("captureCallState", String[].class)
                .invoke(null, (Object)new String[]{"errno"}));
        }
        final MethodHandle handle = (MethodHandle)linkers.getMethod("downcallHandle", segments, descriptors, capture.getClass())
            .invoke(linker, address.get(), descriptor, capture);
        return state == null ? handle : handle.bindTo(segments.getMethod("ofBuffer", java.nio.Buffer.class).invoke(null, state));
    }

    /**
     * Reads bytes of another process.
     *
     * @param pid          of it, in the pid namespace of this process.
     * @param proofAddress where it keeps its proof.
     * @param proof        the 8 bytes there.
     * @param address      of the bytes in its memory.
     * @param to           that gets them, off the heap.
     * @param offset       in it.
     * @param length       of them, 1 to {@link #MAX_LENGTH}.
     * @return the length; {@link #UNREADABLE} if the bytes cannot be read, or the proof is not there. Then some bytes of
     *         the range may have been written.
     * @throws IndexOutOfBoundsException if they do not fit into the buffer.
     * @throws IllegalArgumentException if the length is out of range, or the buffer is on the heap, where arrays move.
     */
    public long read(
        final int pid, final long proofAddress, final long proof, final long address, final MutableDirectBuffer to,
        final int offset, final int length)
    {
        if (length < 1 || length > MAX_LENGTH || to.byteArray() != null)
        {
            throw new IllegalArgumentException("cannot read into this: found=" + length + " bytes" +
                (to.byteArray() != null ? " on the heap" : "") + ", expected=1 to " + MAX_LENGTH + " off the heap");
        }
        Checks.within(to, offset, length);
        memory.putLong(PROOF, ~proof);
        memory.putLong(LOCAL + VECTOR_LENGTH, to.addressOffset() + offset);
        memory.putLong(LOCAL + VECTOR_LENGTH + Long.BYTES, length);
        memory.putLong(REMOTE, proofAddress);
        memory.putLong(REMOTE + VECTOR_LENGTH, address);
        memory.putLong(REMOTE + VECTOR_LENGTH + Long.BYTES, length);
        errno = 0;
        long found = call(function, pid, memory.addressOffset());
        if (found < 0)
        {
            // once more, to learn why
            found = call(functionWithErrno, pid, memory.addressOffset());
            errno = found < 0 ? callState.getInt(0) : 0;
        }
        Reference.reachabilityFence(to);
        return found == PROOF_LENGTH + length && memory.getLong(PROOF) == proof ? length : UNREADABLE;
    }

    private static long call(final MethodHandle handle, final int pid, final long vectors)
    {
        try
        {
            return (long)handle.invokeExact(pid, vectors + LOCAL, 2L, vectors + REMOTE, 2L, 0L);
        }
        catch (final RuntimeException | Error ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /**
     * What the kernel said to the last read.
     *
     * @return errno, as 1 (EPERM), 3 (ESRCH) or 14 (EFAULT); 0 if it said nothing.
     */
    public int errno()
    {
        return errno;
    }
}
