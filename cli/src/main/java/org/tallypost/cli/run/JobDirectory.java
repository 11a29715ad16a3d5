// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.tallypost.transportaeron.launch.LaunchSetting;

/**
 * The directory of one job, with mode 0700: the node's directory is in it. It is deleted when the job has ended.
 * <p>
 * The file "launcher" in it is locked as long as the process that made it lives. So a directory that is left by a process that
 * was killed is known: the next job of the same user in the same place removes it, and ends what lives on of that job.
 */
final class JobDirectory implements AutoCloseable
{
    /** The environment variable that names the directory to each process of the job. */
    static final String VARIABLE = "TALLYPOST_JOB";

    private static final String LOCK_NAME = "launcher";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path path;
    private final FileChannel channel;

    private JobDirectory(final Path path, final FileChannel channel)
    {
        this.path = path;
        this.channel = channel;
    }

    /** TALLYPOST_DIRECTORY, else /dev/shm, else the place for temporary files. */
    static File defaultBase()
    {
        final String named = System.getenv(LaunchSetting.DIRECTORY.variable());
        if (named != null && !named.isBlank())
        {
            return new File(named);
        }
        return Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY.toFile() : new File(System.getProperty("java.io.tmpdir"));
    }

    /** What a job's directory is called: this, and digits. */
    private static String prefix()
    {
        return "tallypost-run-" + System.getProperty("user.name").replace('/', '_') + "-";
    }

    /**
     * Makes a directory, and removes those of the same user that killed processes have left.
     *
     * @param base directory in which it is made.
     * @return the directory, to be closed when all ranks have ended.
     * @throws IOException if it cannot be made; the message says where and why.
     */
    static JobDirectory create(final File base) throws IOException
    {
        final Path place = base.toPath().toAbsolutePath().normalize();
        if (!Files.isDirectory(place))
        {
            throw new IOException(place + " is no directory, and the job's directory has to be made in it");
        }
        try
        {
            removeAbandoned(place);
            final Path path = Files.createTempDirectory(place, prefix(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            final FileChannel channel =
                FileChannel.open(path.resolve(LOCK_NAME), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            channel.lock();
            return new JobDirectory(path, channel);
        }
        catch (final AccessDeniedException ex)
        {
            throw new IOException("the job's directory cannot be made in " + place + ": this user may not write there", ex);
        }
    }

    private static void removeAbandoned(final Path place) throws IOException
    {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(place, prefix() + "*"))
        {
            for (final Path path : found)
            {
                removeIfAbandoned(path);
            }
        }
    }

    private static void removeIfAbandoned(final Path path)
    {
        // a directory that has no such file yet is being made
        try (FileChannel other = FileChannel.open(path.resolve(LOCK_NAME),
            StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            FileLock lock = other.tryLock())
        {
            if (lock != null)
            {
                processes(path).forEach(ProcessHandle::destroyForcibly);
                delete(path);
            }
        }
        catch (final IOException | OverlappingFileLockException ignore)
        {
            // another job removes it at the same time, or it is another user's
        }
    }

    Path path()
    {
        return path;
    }

    /** All processes of the job: the ranks, and what they have started, also if its parent is gone. */
    Stream<ProcessHandle> processes()
    {
        return processes(path);
    }

    /** All processes that have the directory in their environment: the ranks, and what they have started. */
    private static Stream<ProcessHandle> processes(final Path path)
    {
        final byte[] mark = (VARIABLE + "=" + path).getBytes(StandardCharsets.UTF_8);
        // the handle comes first: it is of that process, and of no later one with the same number
        return ProcessHandle.allProcesses().filter((handle) -> isMarked(handle, mark));
    }

    /** Whether a process is of this job, or of a job that a rank has started: the directory of that one is in this one. */
    private static boolean isMarked(final ProcessHandle handle, final byte[] mark)
    {
        try
        {
            final byte[] variables = Files.readAllBytes(Path.of("/proc", Long.toString(handle.pid()), "environ"));
            for (int i = 0; i + mark.length < variables.length; i++)
            {
                final byte next = variables[i + mark.length];
                if ((next == 0 || next == '/') && (i == 0 || variables[i - 1] == 0) &&
                    Arrays.equals(variables, i, i + mark.length, mark, 0, mark.length))
                {
                    return true;
                }
            }
        }
        catch (final IOException ignore)
        {
            // it has ended, or is another user's
        }
        return false;
    }

    /** Deletes the directory and all that is in it. What cannot be deleted stays. */
    @Override
    public void close() throws IOException
    {
        try (channel)
        {
            if (Files.exists(path))
            {
                delete(path);
            }
        }
    }

    private static void delete(final Path path) throws IOException
    {
        Files.walkFileTree(path, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(final Path file, final IOException ex)
            {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(final Path directory, final IOException ex) throws IOException
            {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
