// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Looks whether the files of a node still are what they were when they were mapped, at each look at the processes that are there.
 *
 * <p>A file that somebody cuts off takes its pages with it: to touch them is a bus error, which the JVM turns into an
 * InternalError, thrown somewhere near. This finds out which file it was, says so, and closes the endpoints of this process,
 * so that nobody touches the pages again. A file or directory that was removed or replaced stays mapped, and a process that has
 * mapped it goes on; but nobody can come any more, which is told once.
 */
public final class NodeWatch
{
    private static final int MAILBOXES_AT_A_LOOK = 8;
    /** Looks at lengths only between two at all that is known of the node's files. */
    private static final int SHORT_LOOKS = 4;

    private final NodeRuntime node;
    private final Consumer<Boolean> onCut;
    private final List<Watched> watched = new ArrayList<>();
    private boolean isRemovalTold;
    private int turn;
    private int looks;
    private boolean isGroupCut;
    private volatile MailboxException broken;

    /** A file, what tells it from another one of the same name, and whether it is a ring, which nothing of the group lies in. */
    private record Watched(File file, long length, Object key, boolean isRing)
    {
    }

    /**
     * Watches the files that all processes of the node share, rings to other nodes of either priority too, and those of the
     * mailboxes that are mapped.
     *
     * @param node  they are of.
     * @param onCut called once when one was truncated, with whether the group file can still be written.
     */
    NodeWatch(final NodeRuntime node, final Consumer<Boolean> onCut)
    {
        this.node = node;
        this.onCut = onCut;
        final File directory = node.context().directory();
        watch(new File(directory, NodeFiles.REGISTRY_NAME), false);
        watch(node.group().file(), false);
        if (node.remote() != null)
        {
            node.remote().fileNames().forEach((name) -> watch(new File(directory, name), false));
            node.remote().rings().forEach((ring) -> watch(ring.file(), true));
        }
    }

    private void watch(final File file, final boolean isRing)
    {
        final BasicFileAttributes attributes = read(file);
        if (attributes != null)
        {
            watched.add(new Watched(file, attributes.size(), attributes.fileKey(), isRing));
        }
    }

    private static BasicFileAttributes read(final File file)
    {
        try
        {
            return Files.readAttributes(file.toPath(), BasicFileAttributes.class);
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    /**
     * Looks at the lengths of the node's files, now and then whether they still are the same ones, and at some of the mailboxes
     * that are mapped: at all of them in turn. Reads nothing that is mapped.
     *
     * @return whether the mappings may be touched.
     */
    public boolean check()
    {
        return check(MAILBOXES_AT_A_LOOK);
    }

    /**
     * Looks at one mailbox, before something in it is put right: what looks damaged may be missing.
     *
     * @return whether it may be touched.
     */
    public boolean isWhole(final Mailbox mailbox)
    {
        return broken == null && (mailbox.file().length() >= mailbox.buffer().capacity() || check(Integer.MAX_VALUE));
    }

    private boolean check(final int mailboxes)
    {
        if (broken != null)
        {
            return false;
        }
        if (findCut(mailboxes))
        {
            node.errors().onError(broken);
            onCut.accept(!isGroupCut);
        }
        return broken == null;
    }

    /** Whether this call, of several at once, has found a file that was cut off. */
    private synchronized boolean findCut(final int mailboxes)
    {
        if (broken != null)
        {
            return false;
        }
        final boolean isFull = looks++ % SHORT_LOOKS == 0 || mailboxes == Integer.MAX_VALUE;
        for (final Watched each : watched)
        {
            if (!isFull && each.file.length() >= each.length)
            {
                continue;
            }
            final BasicFileAttributes now = read(each.file);
            if (now == null || !Objects.equals(now.fileKey(), each.key))
            {
                tellRemoval(each.file);
            }
            else if (now.size() < each.length)
            {
                // also if it is the file of pairs, which lies beside them
                isGroupCut |= !each.isRing;
                cut(each.file, now.size(), each.length);
            }
        }
        final Mailbox[] all = node.mailboxes().all();
        for (int i = 0; i < Math.min(mailboxes, all.length); i++)
        {
            turn = turn + 1 < all.length ? turn + 1 : 0;
            final Mailbox mailbox = all[turn];
            final long length = mailbox.file().length();
            // 0 also if it was closed and deleted
            if (length < mailbox.buffer().capacity() && mailbox.file().exists())
            {
                cut(mailbox.file(), length, mailbox.buffer().capacity());
            }
        }
        return broken != null;
    }

    private void cut(final File file, final long found, final long expected)
    {
        broken = new MailboxException("file was truncated while it was mapped: file=" + file + ", found=" + found +
            ", expected=" + expected + "; what was in it is lost, and this process's endpoints are closed: find out which " +
            "program truncates files in this directory, and launch all processes of the node anew");
    }

    private void tellRemoval(final File file)
    {
        // a process that was declared gone hears that, and not that others have made the node anew since
        if (!isRemovalTold && node.isMember())
        {
            isRemovalTold = true;
            node.errors().onError(new MailboxException("file was removed or replaced while it was mapped: file=" +
                file + "; what is connected stays so, but no process, rank or sender can join: find out which program clears " +
                "this directory, and launch all processes of the node anew"));
        }
    }

    /**
     * What an InternalError in the midst of an access to a mapping means.
     *
     * @param error of the JVM.
     * @return the reason, if a file is shorter than it was.
     * @throws InternalError the same, if all files are as long as they were.
     */
    public MailboxException reason(final InternalError error)
    {
        if (check(Integer.MAX_VALUE))
        {
            throw error;
        }
        return new MailboxException(broken.getMessage(), error);
    }
}
