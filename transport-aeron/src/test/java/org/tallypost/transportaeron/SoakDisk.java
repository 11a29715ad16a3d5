// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.tallypost.mailbox.ForkedJvm;

/**
 * Where the nodes of a soak have their files: a small file system in memory that can be filled, in a mount namespace of its own,
 * or a plain directory where the machine does not allow that. A process that does nothing holds the namespace, and ends with its
 * input.
 */
final class SoakDisk implements AutoCloseable
{
    private static final int CHUNK_LENGTH = 1 << 20;
    private static final int PAGE_LENGTH = 4096;

    private final File directory;
    private final Process holder;

    SoakDisk(final File directory, final int mib) throws IOException
    {
        this.directory = directory;
        final Process started = new ProcessBuilder("unshare", "-m", "sh", "-c",
            "mount -t tmpfs -o size=" + mib + "m,mode=700 tmpfs " + directory + " && echo mounted && exec cat")
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final boolean isMounted = started.getInputStream().read() == 'm';
        if (!isMounted)
        {
            started.destroyForcibly();
        }
        holder = isMounted ? started : null;
    }

    /** Whether it can be filled. */
    boolean isSmall()
    {
        return holder != null;
    }

    /** Starts a process that sees it, and may have some descriptors only. */
    ForkedJvm start(final int descriptors, final List<String> options, final Class<?> main, final Object... arguments)
    {
        final List<String> launcher = holder == null ? List.of() :
            List.of("nsenter", "--mount=/proc/" + holder.pid() + "/ns/mnt");
        return ForkedJvm.startFromShell(launcher, "ulimit -n " + descriptors + " && export JDK_JAVA_OPTIONS='" +
            String.join(" ", options) + "' && exec \"$@\"", main, arguments);
    }

    /** The directory as this process sees it. */
    private File seen()
    {
        return holder == null ? directory : new File("/proc/" + holder.pid() + "/root" + directory);
    }

    private File filler()
    {
        return new File(seen(), "filler");
    }

    /** Takes all room that is left. */
    void fill()
    {
        for (int length = CHUNK_LENGTH; length >= PAGE_LENGTH; length /= 16)
        {
            final byte[] bytes = new byte[length];
            try (FileOutputStream output = new FileOutputStream(filler(), true))
            {
                while (true)
                {
                    output.write(bytes);
                }
            }
            catch (final IOException ignore)
            {
                // full for as many bytes
            }
        }
    }

    /** Gives it back. */
    void empty()
    {
        if (!filler().delete())
        {
            throw new AssertionError("cannot delete " + filler());
        }
    }

    /** Files in it, without directories. */
    List<Path> files()
    {
        try (Stream<Path> all = Files.walk(seen().toPath()))
        {
            return all.filter(Files::isRegularFile).map(seen().toPath()::relativize).toList();
        }
        catch (final UncheckedIOException ex)
        {
            // something was removed meanwhile
            return files();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Room that is taken, in KiB. */
    long usedKib()
    {
        final File file = seen();
        return (file.getTotalSpace() - file.getFreeSpace()) >> 10;
    }

    @Override
    public void close()
    {
        if (holder != null)
        {
            holder.destroyForcibly();
            try
            {
                holder.waitFor();
            }
            catch (final InterruptedException ex)
            {
                throw new AssertionError(ex);
            }
        }
    }
}
