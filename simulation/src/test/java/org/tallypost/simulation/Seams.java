// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.ProcessIdentity;

/**
 * What the product's classes call in a simulation in place of the machine. Names are those of the methods that they replace.
 */
public final class Seams
{
    private static World world;

    private Seams()
    {
    }

    static void enter(final World value)
    {
        world = value;
    }

    /** Before a load from memory that may be shared. */
    public static void read()
    {
        if (world != null)
        {
            world.step(false);
        }
    }

    /** Before a store into memory that may be shared, and before a change of a file. */
    public static void write()
    {
        if (world != null)
        {
            world.step(true);
        }
    }

    /**
     * The clock of the process that asks.
     *
     * @return nanoseconds.
     */
    public static long nanoTime()
    {
        return world.nanoTime();
    }

    /**
     * The clock on the wall of the host of the process that asks, which may jump.
     *
     * @return milliseconds.
     */
    public static long currentTimeMillis()
    {
        return world.currentTimeMillis();
    }

    /**
     * Stands for the thread that runs.
     *
     * @return a thread that was never started.
     */
    public static Thread currentThread()
    {
        return world.thread();
    }

    /**
     * Whether a simulated thread lives.
     *
     * @param thread of the process that asks.
     * @return true: threads end with their process.
     */
    public static boolean isAlive(final Thread thread)
    {
        return thread != null;
    }

    /** Others run meanwhile. */
    public static void yield()
    {
        world.yield();
    }

    /** Others run meanwhile. */
    public static void onSpinWait()
    {
        world.yield();
    }

    /**
     * The value of a simulated thread.
     *
     * @param local of which the value is wanted.
     * @return the value.
     */
    public static Object get(final ThreadLocal<?> local)
    {
        return world.local(local);
    }

    /**
     * A number by the seed.
     *
     * @param random not asked.
     * @return the number.
     */
    public static int nextInt(final ThreadLocalRandom random)
    {
        return world.random().nextInt();
    }

    /**
     * A number by the seed.
     *
     * @param random not asked.
     * @param bound  of the number.
     * @return the number.
     */
    public static int nextInt(final ThreadLocalRandom random, final int bound)
    {
        return world.random().nextInt(bound);
    }

    /**
     * A number by the seed.
     *
     * @param random not asked.
     * @return the number.
     */
    public static long nextLong(final ThreadLocalRandom random)
    {
        return world.random().nextLong();
    }

    /**
     * A number by the seed.
     *
     * @param random not asked.
     * @param bound  of the number.
     * @return the number.
     */
    public static long nextLong(final ThreadLocalRandom random, final long bound)
    {
        return world.random().nextLong(bound);
    }

    /**
     * Bytes by the seed.
     *
     * @param random not asked.
     * @param bytes  to be filled.
     */
    public static void nextBytes(final SecureRandom random, final byte[] bytes)
    {
        world.nextBytes(bytes);
    }

    /**
     * Writes to a file, if the file system has room. Zeros that reserve pages, which come from a buffer that is read-only, only
     * make the file long enough: it has zeros there, and most pages of a simulated process are never touched.
     *
     * @param channel  of the file.
     * @param from     bytes to write.
     * @param position in the file.
     * @return bytes written.
     * @throws IOException if there is no room.
     */
    public static int write(final FileChannel channel, final ByteBuffer from, final long position) throws IOException
    {
        world.checkRoom();
        final int length = from.remaining();
        if (!from.isReadOnly())
        {
            return channel.write(from, position);
        }
        if (position + length > channel.size())
        {
            from.position(from.limit() - 1);
            channel.write(from, position + length - 1);
        }
        return length;
    }

    /**
     * Identity of the simulated process that asks.
     *
     * @return the identity.
     */
    public static ProcessIdentity current()
    {
        return world.identity();
    }

    /**
     * Whether a simulated process lives, as the one that asks can tell.
     *
     * @param identity of the process.
     * @return what is known.
     */
    public static ProcessIdentity.Liveness probe(final ProcessIdentity identity)
    {
        return world.probe(identity);
    }

    /**
     * Does something under the node's file lock: no other process runs meanwhile, as none could get the lock.
     *
     * @param <T>    type of the result.
     * @param file   to lock.
     * @param action to do.
     * @return what the action returned.
     */
    public static <T> T locked(final File file, final Supplier<T> action)
    {
        return alone(() -> NodeLock.locked(file, action));
    }

    /**
     * The same for a caller that founds a node.
     *
     * @param <T>    type of the result.
     * @param file   to lock.
     * @param action to do.
     * @return what the action returned.
     */
    public static <T> T founding(final File file, final Supplier<T> action)
    {
        return alone(() -> NodeLock.founding(file, action));
    }

    /**
     * The same for a caller that does not wait, nor has to: no other is under the lock.
     *
     * @param file   to lock.
     * @param action to do.
     * @return whether it was done.
     */
    public static boolean tryLocked(final File file, final Runnable action)
    {
        return alone(() -> NodeLock.tryLocked(file, action));
    }

    private static <T> T alone(final Supplier<T> action)
    {
        world.enterLock();
        try
        {
            return action.get();
        }
        finally
        {
            world.leaveLock();
        }
    }
}
