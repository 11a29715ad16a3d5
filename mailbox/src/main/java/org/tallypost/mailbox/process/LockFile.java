// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.CloseHelper;
import org.tallypost.mailbox.files.MappedFiles;

/**
 * A lock on a file of a directory, which the operating system takes back when the process that holds it dies.
 *
 * <p>The system counts such locks for processes: a process that closes any descriptor of the file loses its lock, also one that
 * another thread, or another copy of this class in another class loader, has taken. So before the file is opened, its place
 * is claimed in the JVM: by a shared lock on one byte of the directory itself. A JVM has one table of the locks of all its class
 * loaders, by device and inode, and refuses the second one; other processes are not kept out by it. The holder of the claim
 * is the only one in the JVM that opens or closes the file.
 *
 * <p>The file is opened within the directory that was opened before, whatever happens to their names, and a symbolic link in
 * its place is refused. Only a holder of the lock may delete the file. So a lock counts only if the file that is locked is
 * still the one of that name: its holder writes a number into it that no other holder has, and looks for it under the name.
 *
 * <p>For one thread at a time.
 */
public final class LockFile implements AutoCloseable
{
    /** Place of the {@link NodeLock}. */
    static final long NODE_PLACE = 0;
    /** Place of the lock that a process holds while it carries the packets between nodes. */
    public static final long TRANSPORT_PLACE = 1;

    private static final int STAMP_LENGTH = 2 * Long.BYTES;
    private static final Path ITSELF = Path.of(".");

    private final File file;
    private final Path name;
    private final DirectoryStream<Path> directory;
    private FileChannel claim;
    private FileChannel channel;
    private FileChannel witness;
    /** Device and inode of the file that was opened. */
    private Object openedKey;

    private LockFile(final File file) throws IOException
    {
        this.file = file;
        name = file.toPath().getFileName();
        directory = Files.newDirectoryStream(directoryOf(file));
    }

    static Path directoryOf(final File file)
    {
        return file.getAbsoluteFile().getParentFile().toPath();
    }

    /**
     * Claims the place of a lock file in this JVM.
     *
     * @param file  that will be locked.
     * @param place of it in its directory: each lock file has its own.
     * @return to be closed by the caller; null if another thread has claimed it.
     * @throws NoSuchFileException if there is no such directory.
     * @throws IOException if the file system refuses.
     */
    public static LockFile claim(final File file, final long place) throws IOException
    {
        final LockFile claimed = new LockFile(file);
        boolean isDone = false;
        try
        {
            isDone = claimed.claim(place);
        }
        finally
        {
            if (!isDone)
            {
                claimed.close();
            }
        }
        return isDone ? claimed : null;
    }

    private boolean claim(final long place) throws IOException
    {
        if (!(directory instanceof SecureDirectoryStream))
        {
            // not on the systems that this is made for: class loaders are not told apart there
            return true;
        }
        claim = open(ITSELF, EnumSet.of(StandardOpenOption.READ));
        try
        {
            return claim.tryLock(place, 1, true) != null;
        }
        catch (final OverlappingFileLockException ex)
        {
            return false;
        }
    }

    private FileChannel open(final Path path, final Set<? extends OpenOption> options) throws IOException
    {
        final FileAttribute<?>[] attributes = options.contains(StandardOpenOption.CREATE) && MappedFiles.posix(path) ?
            new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(MappedFiles.FILE_MODE)} : new FileAttribute<?>[0];
        return (FileChannel)(directory instanceof SecureDirectoryStream ?
            ((SecureDirectoryStream<Path>)directory).newByteChannel(path, options, attributes) :
            Files.newByteChannel(directoryOf(file).resolve(path), options, attributes));
    }

    private FileChannel channel() throws IOException
    {
        if (channel == null)
        {
            channel = open(name, Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS));
            openedKey = key();
        }
        return channel;
    }

    /**
     * Locks the file, made if it is not there, if no other process has locked it. Does not wait.
     *
     * @return true if it is locked now, and is the file of this name.
     * @throws IOException if the file system refuses, or the thread is interrupted; to be closed then.
     */
    public boolean tryLock() throws IOException
    {
        return channel().tryLock() != null && isCurrent();
    }

    boolean tryLockAny() throws IOException
    {
        return channel().tryLock() != null;
    }

    /** Waits for the lock. {@link #giveUp} ends that. */
    void lock() throws IOException
    {
        channel().lock();
    }

    /** Ends the wait of another thread in {@link #lock}. It must not have the lock yet. */
    void giveUp()
    {
        CloseHelper.quietClose(channel);
    }

    /** Whether the file that is locked is the one under its name, in the directory under its name: for the lock's holder. */
    boolean isCurrent() throws IOException
    {
        final ByteBuffer stamp = ByteBuffer.allocate(STAMP_LENGTH);
        stamp.putLong(ProcessIdentity.current().pid()).putLong(ThreadLocalRandom.current().nextLong()).flip();
        try
        {
            return (write(stamp) ? isFound(stamp.flip()) : openedKey.equals(key())) && isDirectoryCurrent();
        }
        catch (final NoSuchFileException ex)
        {
            return false;
        }
    }

    /** False if the file system has no room for a few bytes: then the inode has to do, as it was when the file was opened. */
    private boolean write(final ByteBuffer stamp) throws IOException
    {
        try
        {
            channel.write(stamp, 0);
            return true;
        }
        catch (final ClosedChannelException ex)
        {
            throw ex;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    private boolean isFound(final ByteBuffer stamp) throws IOException
    {
        // stays open as long as the lock is wanted
        witness = open(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        final ByteBuffer found = ByteBuffer.allocate(STAMP_LENGTH);
        witness.read(found, 0);
        return found.flip().equals(stamp);
    }

    private Object key() throws IOException
    {
        return Files.readAttributes(directoryOf(file).resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
            .fileKey();
    }

    private boolean isDirectoryCurrent() throws IOException
    {
        return isIn(Files.readAttributes(directoryOf(file), BasicFileAttributes.class).fileKey());
    }

    /** Whether the directory that was opened has this device and inode: another one may have been made under its name. */
    boolean isIn(final Object directoryKey) throws IOException
    {
        return !(directory instanceof SecureDirectoryStream) || directoryKey.equals(((SecureDirectoryStream<Path>)directory)
            .getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey());
    }

    /** Lets go of the lock, and of the claim after it. */
    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(channel, witness, claim, directory);
    }
}
