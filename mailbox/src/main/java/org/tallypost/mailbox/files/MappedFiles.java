// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.files;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.FormerMappings;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Creates and maps the shared files. A file appears under its name only when every page of it is reserved and its
 * contents are complete: a full file system is an error here, with the numbers, and never a SIGBUS later.
 *
 * <p>Mappings are released by the garbage collector, not by hand: another thread may be inside a send while an
 * endpoint is closed, and touching unmapped memory ends the JVM. That nothing can reach a mapping any more is a proof which
 * holds for every thread, virtual ones included, and costs nothing for a message. {@link FormerMappings} asks for it.
 */
public final class MappedFiles
{
    private static final int CHUNK_LENGTH = 1 << 18;
    /** One for all files: direct memory comes back with a collection only. Its position and limit are never changed. */
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(CHUNK_LENGTH).asReadOnlyBuffer();
    /** Belongs to the user of this process. */
    private static final Path SELF = Paths.get("/proc/self");
    private static final Object ROOT = 0;
    private static final int MAX_ATTEMPTS = 1_000;
    /** Permissions of a file that this runtime makes: its owner reads and writes it. */
    public static final Set<PosixFilePermission> FILE_MODE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY_MODE = PosixFilePermissions.fromString("rwx------");

    private MappedFiles()
    {
    }

    /**
     * Makes a directory that only its owner can enter (0700), and those above it that are not there. An existing directory is
     * taken as it is, if no other user can write to it and it is this user's own. A symbolic link on the way is followed if it
     * belongs to this user or to root.
     *
     * @param directory to make.
     * @throws MailboxException if it cannot be made, is no directory, belongs to another user, others may write to it, or a
     *                          symbolic link of another user leads to it.
     */
    public static void ensureDirectory(final File directory)
    {
        for (int attempt = 1;; attempt++)
        {
            try
            {
                makeAndCheck(directory, directory.toPath());
                return;
            }
            catch (final NoSuchFileException ex)
            {
                // its last user removed it in the midst of this
                if (attempt == MAX_ATTEMPTS)
                {
                    throw new MailboxException("directory is removed again and again: file=" + directory + ", cause=" + ex, ex);
                }
            }
            catch (final IOException ex)
            {
                throw new MailboxException("cannot make directory: file=" + directory + ", cause=" + ex, ex);
            }
            catch (final InvalidPathException ex)
            {
                throw new MailboxException("the name of the directory has characters that this JVM cannot give to the system: " +
                    "file=" + directory + "; start it with another locale, as LC_ALL=C.UTF-8, or choose another name, cause=" +
                    ex.getMessage(), ex);
            }
        }
    }

    private static void makeAndCheck(final File directory, final Path path) throws IOException
    {
        checkLinks(path.toAbsolutePath());
        makeDirectories(path.toAbsolutePath());
        if (!Files.isDirectory(path))
        {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS))
            {
                throw new NoSuchFileException(path.toString());
            }
            throw new MailboxException("not a directory: file=" + directory + ", choose another directory");
        }
        if (posix(path))
        {
            checkMode(directory, path);
            checkOwner(directory, path);
        }
    }

    /** Attributes of what is created at a place; none where the file system has no such modes. */
    private static FileAttribute<?>[] mode(final Path place, final Set<PosixFilePermission> permissions)
    {
        return posix(place) ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(permissions)} : new FileAttribute<?>[0];
    }

    /** Those above it are made with the same mode: what the umask would let others do there is not wanted either. */
    private static void makeDirectories(final Path path) throws IOException
    {
        if (path == null || Files.exists(path))
        {
            return;
        }
        makeDirectories(path.getParent());
        try
        {
            Files.createDirectory(path, mode(path, DIRECTORY_MODE));
        }
        catch (final FileAlreadyExistsException ignore)
        {
            // another process was first: what matters is checked below
        }
    }

    /**
     * In a directory in which all may write, as /dev/shm, a stranger can put a symbolic link to where it wants our files to be
     * made and deleted. So a link on the way counts only if it belongs to this user, or to root.
     */
    private static void checkLinks(final Path path) throws IOException
    {
        if (!posix(path) || !Files.exists(SELF))
        {
            return;
        }
        final Object own = Files.getAttribute(SELF, "unix:uid");
        for (Path each = path; each != null; each = each.getParent())
        {
            if (Files.isSymbolicLink(each))
            {
                final Object owner = Files.getAttribute(each, "unix:uid", LinkOption.NOFOLLOW_LINKS);
                if (!owner.equals(own) && !owner.equals(ROOT))
                {
                    throw new MailboxException("symbolic link of another user on the way: file=" + each + ", found uid=" +
                        owner + ", expected=" + own + "; use another directory, or the path that it leads to");
                }
            }
        }
    }

    private static void checkMode(final File directory, final Path path) throws IOException
    {
        final Set<PosixFilePermission> mode = Files.getPosixFilePermissions(path);
        final EnumSet<PosixFilePermission> foreign = EnumSet.copyOf(mode);
        foreign.retainAll(EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
        if (!foreign.isEmpty())
        {
            throw new MailboxException("directory is writable by others: file=" + directory + ", found=" +
                PosixFilePermissions.toString(mode) + ", expected=rwx------; use chmod 700 or another directory");
        }
    }

    /** The owner of a directory can put other files in the place of ours: for a process that may write everywhere. */
    private static void checkOwner(final File directory, final Path path) throws IOException
    {
        if (Files.exists(SELF))
        {
            final Object own = Files.getAttribute(SELF, "unix:uid");
            final Object found = Files.getAttribute(path, "unix:uid");
            if (!own.equals(found))
            {
                throw new MailboxException("directory belongs to another user: file=" + directory + ", found uid=" + found +
                    ", expected=" + own + "; use another directory");
            }
        }
    }

    /**
     * Creates a file of the given length with mode 0600, its pages reserved, filled by {@code initialise}, and shows it
     * under its name in one step. An older file of the name is replaced.
     *
     * @param file       to create.
     * @param length     in bytes.
     * @param initialise writes the contents; the file is all zeros before.
     * @return the mapping.
     * @throws NoRoomException  if there is no room for it.
     * @throws MailboxException if the file system refuses.
     */
    public static UnsafeBuffer create(final File file, final long length, final Consumer<UnsafeBuffer> initialise)
    {
        try (UnshownFile unshown = prepare(file, UnshownFile.SUFFIX, length, initialise))
        {
            unshown.show();
            return unshown.buffer();
        }
    }

    /**
     * The same, but the file is not shown yet.
     *
     * @param file       to be made.
     * @param suffix     of its name until then, see {@link UnshownFile}.
     * @param length     of the file in bytes.
     * @param initialise writes what is to be there.
     * @return the file, to be shown or closed.
     */
    public static UnshownFile prepare(
        final File file, final String suffix, final long length, final Consumer<UnsafeBuffer> initialise)
    {
        return prepare(file, suffix, length, length, initialise);
    }

    /**
     * The same for a file that grows: all of it is mapped, and its first pages are reserved. The others may not be touched until
     * {@link #reserve} has reserved them.
     *
     * @param file           to be made.
     * @param suffix         of its name until it is shown.
     * @param length         of the file and of the mapping in bytes.
     * @param reservedLength in bytes, at most the length.
     * @param initialise     writes what is to be there.
     * @return the file, to be shown or closed.
     */
    public static UnshownFile prepare(
        final File file,
        final String suffix,
        final long length,
        final long reservedLength,
        final Consumer<UnsafeBuffer> initialise)
    {
        final Path target = file.toPath();
        Path temporary = null;
        UnshownFile result = null;
        try
        {
            temporary = createNew(target.toAbsolutePath().getParent(), UnshownFile.PREFIX + file.getName() + "-", suffix);
            final Path unfinished = temporary;
            final UnsafeBuffer buffer = Uninterrupted.call(() -> reserveAndMap(file, unfinished, length, reservedLength));
            initialise.accept(buffer);
            result = new UnshownFile(temporary, target, buffer);
            return result;
        }
        catch (final IOException ex)
        {
            throw new MailboxException("cannot create file: file=" + file + ", length=" + length + ", cause=" + ex, ex);
        }
        finally
        {
            if (result == null)
            {
                deleteQuietly(temporary);
            }
        }
    }

    /**
     * Creates an empty file that only this user can read. {@code Files.createTempFile} would do it, but loads some hundred
     * classes for secure random numbers, and a process that starts would wait for that. No secret is needed here: the file must
     * not be there before.
     */
    private static Path createNew(final Path directory, final String prefix, final String suffix) throws IOException
    {
        while (true)
        {
            final long number = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
            try
            {
                return Files.createFile(directory.resolve(prefix + number + suffix), mode(directory, FILE_MODE));
            }
            catch (final FileAlreadyExistsException ignore)
            {
                // another number
            }
        }
    }

    /**
     * Maps an existing file for reading and writing.
     *
     * @param file      to map.
     * @param minLength the least length in bytes at which its header can be read.
     * @param what      the kind of file, for the error message.
     * @return the mapping of the whole file.
     * @throws MailboxException if it is not there, too short, or longer than can be mapped.
     */
    public static UnsafeBuffer map(final File file, final int minLength, final String what)
    {
        try
        {
            return Uninterrupted.call(() -> mapWhole(file, minLength, what));
        }
        catch (final NoSuchFileException ex)
        {
            throw new MailboxException("no " + what + " file: file=" + file + ", found=nothing, expected=a " + what +
                " of at least " + minLength + " bytes; was it created, and in this directory?", ex);
        }
        catch (final IOException ex)
        {
            throw new MailboxException("cannot map " + what + " file: file=" + file + ", cause=" + ex, ex);
        }
    }

    private static UnsafeBuffer mapWhole(final File file, final int minLength, final String what) throws IOException
    {
        try (FileChannel channel = FileChannel.open(
            file.toPath(), StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final long length = channel.size();
            if (length < minLength || length > Integer.MAX_VALUE)
            {
                throw new MailboxException(what + " file has a wrong length: file=" + file + ", found=" + length +
                    ", expected=" + minLength + " to " + Integer.MAX_VALUE + "; it is truncated or not a " + what);
            }
            return new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, length));
        }
    }

    /**
     * Maps an existing file as {@link #map}, and makes something of the mapping. If that throws, the file is not mapped any more:
     * attempts that fail again and again take no address space, and keep no file that was deleted.
     *
     * @param <T>       what is made.
     * @param file      to map.
     * @param minLength the least length in bytes at which its header can be read.
     * @param what      the kind of file, for the error message.
     * @param attach    checks the mapping and makes something of it; hands it to no other thread before it returns.
     * @return what was made.
     * @throws MailboxException if the file cannot be mapped, or {@code attach} refuses it.
     */
    public static <T> T attach(
        final File file, final int minLength, final String what, final Function<UnsafeBuffer, T> attach)
    {
        final UnsafeBuffer buffer = map(file, minLength, what);
        boolean isTaken = false;
        try
        {
            final T attached = attach.apply(buffer);
            isTaken = true;
            return attached;
        }
        finally
        {
            if (!isTaken)
            {
                BufferUtil.free(buffer);
            }
        }
    }

    /**
     * Checks magic, version and length, the same way for every kind of shared file.
     *
     * @param buffer        mapping of the file.
     * @param file          for the error message.
     * @param what          the kind of file.
     * @param magic         expected at offset 0.
     * @param version       expected at offset 8.
     * @param lengthOffset  where the file's length is stored as a long.
     * @throws MailboxException that names file, found and expected.
     */
    public static void checkHeader(
        final UnsafeBuffer buffer,
        final File file,
        final String what,
        final long magic,
        final int version,
        final int lengthOffset)
    {
        // SYNC POINT file-complete: pairs with the creator's release store of the version
        final int foundVersion = buffer.getIntAcquire(MailboxDescriptor.VERSION_OFFSET);
        final long foundMagic = buffer.getLong(MailboxDescriptor.MAGIC_OFFSET);
        if (foundMagic != magic)
        {
            throw new MailboxException("not a " + what + " file: file=" + file + ", found magic=0x" +
                Long.toHexString(foundMagic) + ", expected=0x" + Long.toHexString(magic));
        }
        if (foundVersion != version)
        {
            throw new MailboxException(what + " file has another version" +
                (foundVersion == 0 ? " (its creation was not finished)" : "") + ": file=" + file + ", found=" +
                foundVersion + ", expected=" + version);
        }
        final long foundLength = buffer.getLong(lengthOffset);
        if (foundLength != buffer.capacity())
        {
            throw new MailboxException(what + " file has a wrong length: file=" + file + ", found=" +
                buffer.capacity() + ", expected=" + foundLength + "; it was truncated or extended");
        }
    }

    /** Deletes a file if it is there, and says nothing if it cannot. */
    static void deleteQuietly(final Path path)
    {
        if (path != null)
        {
            try
            {
                Files.deleteIfExists(path);
            }
            catch (final IOException ignore)
            {
                // a left-over temporary file does no harm
            }
        }
    }

    private static UnsafeBuffer reserveAndMap(
        final File file, final Path temporary, final long length, final long reservedLength) throws IOException
    {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            if (posix(temporary))
            {
                Files.setPosixFilePermissions(temporary, FILE_MODE);
            }
            reserve(file, channel, 0, reservedLength);
            return new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, length));
        }
    }

    /**
     * Reserves further pages of a file that this process has made and that is unused behind {@code from}. They are zeros then.
     *
     * @param file         that grows.
     * @param numberOffset where it has a number by which it is known again: another file may have its name by now.
     * @param number       expected there.
     * @param from         length that is reserved, in bytes.
     * @param to           length that is to be reserved, in bytes, at most that of the file.
     * @return false if the file was removed or replaced; then nothing was done.
     * @throws NoRoomException  if there is no room; what is reserved by then stays so until {@link #giveBack}.
     * @throws MailboxException if the file system refuses.
     */
    public static boolean reserve(
        final File file, final int numberOffset, final long number, final long from, final long to)
    {
        try
        {
            return Uninterrupted.call(() -> reserveSame(file, numberOffset, number, from, to));
        }
        catch (final NoSuchFileException ex)
        {
            return false;
        }
        catch (final IOException ex)
        {
            throw new MailboxException("cannot reserve pages: file=" + file + ", from=" + from + ", to=" + to + ", cause=" + ex,
                ex);
        }
    }

    /**
     * Gives pages back that {@link #reserve} has reserved before it found no room. The file has its length afterwards as
     * before, and holds no page behind {@code reservedLength}, where nobody touches any. For a moment it is shorter: the caller
     * holds a lock, and one that finds a wrong length looks again under that lock.
     *
     * @param file           that did not grow.
     * @param numberOffset   where it has a number by which it is known again.
     * @param number         expected there.
     * @param reservedLength that stays reserved, in bytes.
     * @param length         of the file in bytes.
     * @throws MailboxException if the file system refuses.
     */
    public static void giveBack(
        final File file, final int numberOffset, final long number, final long reservedLength, final long length)
    {
        try
        {
            Uninterrupted.call(() ->
            {
                giveBackSame(file, numberOffset, number, reservedLength, length);
                return null;
            });
        }
        catch (final NoSuchFileException ignore)
        {
            // its pages go with its mappings
        }
        catch (final IOException ex)
        {
            throw new MailboxException("cannot give pages back: file=" + file + ", from=" + reservedLength + ", cause=" + ex, ex);
        }
    }

    private static void giveBackSame(
        final File file, final int numberOffset, final long number, final long reservedLength, final long length)
        throws IOException
    {
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            if (isSame(channel, numberOffset, number))
            {
                channel.truncate(reservedLength);
                // makes it as long as it was, without pages: a write would need one
                BufferUtil.free(channel.map(FileChannel.MapMode.READ_WRITE, length - 1, 1));
            }
        }
    }

    private static boolean isSame(final FileChannel channel, final int numberOffset, final long number) throws IOException
    {
        final ByteBuffer found = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        return channel.read(found, numberOffset) == Long.BYTES && found.getLong(0) == number;
    }

    private static boolean reserveSame(
        final File file, final int numberOffset, final long number, final long from, final long to) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final boolean isSame = isSame(channel, numberOffset, number) && channel.size() >= to;
            if (isSame)
            {
                reserve(file, channel, from, to);
            }
            return isSame;
        }
    }

    private static void reserve(final File file, final FileChannel channel, final long from, final long length)
        throws IOException
    {
        // Writing is what reserves pages on every file system, tmpfs included; a sparse file would end in SIGBUS.
        final ByteBuffer zeros = ZEROS.duplicate();
        long written = from;
        try
        {
            while (written < length)
            {
                zeros.clear().limit((int)Math.min(zeros.capacity(), length - written));
                written += channel.write(zeros, written);
            }
        }
        catch (final ClosedByInterruptException ex)
        {
            throw ex;
        }
        catch (final IOException ex)
        {
            // what this attempt has taken is given back
            final long usable = file.getAbsoluteFile().getParentFile().getUsableSpace() + written - from;
            throw new NoRoomException("no room for file: file=" + file + ", needed=" + length + " bytes, written=" +
                written + ", free now=" + usable +
                "; use fewer slots or sources, a shorter file, or a directory with more room, cause=" +
                ex.getMessage(), ex, length);
        }
    }

    /**
     * Whether a file system has the permissions of POSIX.
     *
     * @param path in it.
     * @return true if so.
     */
    public static boolean posix(final Path path)
    {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
