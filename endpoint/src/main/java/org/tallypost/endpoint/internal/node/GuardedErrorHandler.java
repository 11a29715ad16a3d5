// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.agrona.ErrorHandler;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.Notice;

/**
 * Stands between the runtime and the program's error handler, and is the only class that calls it. What the handler throws ends
 * no thread of the runtime: it is printed to standard error together with what the handler was told. A flood becomes a few lines:
 * of each kind of error {@link #BURST} are told at once, then one in each {@link #INTERVAL_NS} that says how many were left out.
 * The kind is the class of the error and where in the runtime it came from, or what a {@link Notice} tells. The text does not
 * count: strangers may choose it.
 *
 * <p>Any thread. Nothing is locked while the program's handler runs.
 */
public class GuardedErrorHandler implements ErrorHandler
{
    /** Errors of a kind that are told one by one after a time without any. */
    public static final int BURST = 4;
    /** Time between two lines about a flood, in nanoseconds. */
    static final long INTERVAL_NS = 5_000_000_000L;
    /** Kinds that are told apart at a time; all others are one. */
    static final int MAX_KINDS = 64;
    private static final String PRODUCT = "org.tallypost.";
    private static final String OTHERS = "all other kinds";

    private final ErrorHandler handler;
    private final Map<String, Kind> kinds = new HashMap<>();
    private long failures;

    /** What is known of the errors of one kind. */
    private static final class Kind
    {
        long sinceNs;
        int told;
        long leftOut;
        Throwable last;
    }

    public GuardedErrorHandler(final ErrorHandler handler)
    {
        this.handler = handler;
    }

    /** A guard around a handler, which may be one itself. */
    public static GuardedErrorHandler around(final ErrorHandler handler)
    {
        return handler instanceof GuardedErrorHandler ? (GuardedErrorHandler)handler : new GuardedErrorHandler(handler);
    }

    /** Tells an error, or counts it. Does not throw. */
    @Override
    public void onError(final Throwable error)
    {
        onError(error, System.nanoTime());
    }

    public void onError(final Throwable error, final long nowNs)
    {
        try
        {
            final Throwable told = admit(error, nowNs);
            if (told != null)
            {
                tell(told);
            }
        }
        catch (final Throwable ignore)
        {
            // there is no memory or stack even for this, or the error cannot be looked at: nobody is left to tell
            failed();
        }
    }

    /**
     * Tells what a message handler has thrown, in the thread that polls: each of them, as it is the program's own. What the error
     * handler throws goes to the caller of the poll, as a program may want.
     *
     * @param thrown by the message handler.
     */
    public void onThrown(final Throwable thrown)
    {
        handler.onError(thrown);
    }

    /** Tells what was left out of the floods that are over. To be called now and then. */
    public void flush(final long nowNs)
    {
        flush(nowNs, INTERVAL_NS);
    }

    /** Tells all that was left out: nothing comes any more. */
    public void close()
    {
        flush(System.nanoTime(), Long.MIN_VALUE);
    }

    private void flush(final long nowNs, final long ageNs)
    {
        try
        {
            Throwable told = next(nowNs, ageNs);
            for (int count = 0; told != null && count < MAX_KINDS; count++)
            {
                tell(told);
                told = next(nowNs, ageNs);
            }
        }
        catch (final Throwable ignore)
        {
            failed();
        }
    }

    /** Times that the program's handler has thrown where nobody could be told but standard error. */
    synchronized long failures()
    {
        return failures;
    }

    private synchronized void failed()
    {
        failures++;
    }

    /** What is to be told now; null if this error is counted only. */
    private synchronized Throwable admit(final Throwable error, final long nowNs)
    {
        final String name = kind(error);
        if (kinds.size() >= MAX_KINDS && !kinds.containsKey(name))
        {
            kinds.values().removeIf((old) -> old.leftOut == 0 && nowNs - old.sinceNs >= INTERVAL_NS);
        }
        final String key = kinds.size() < MAX_KINDS || kinds.containsKey(name) ? name : OTHERS;
        final Kind kind = kinds.computeIfAbsent(key, (unseen) -> begin(nowNs));
        if (nowNs - kind.sinceNs >= INTERVAL_NS)
        {
            if (kind.leftOut > 0)
            {
                kind.leftOut++;
                kind.last = error;
                return summary(key, kind, nowNs);
            }
            kind.told = 0;
            kind.sinceNs = nowNs;
        }
        if (kind.told < BURST)
        {
            kind.told++;
            return error;
        }
        kind.leftOut++;
        kind.last = error;
        return null;
    }

    private static Kind begin(final long nowNs)
    {
        final Kind kind = new Kind();
        kind.sinceNs = nowNs;
        return kind;
    }

    private synchronized Throwable next(final long nowNs, final long ageNs)
    {
        for (final Map.Entry<String, Kind> entry : kinds.entrySet())
        {
            if (entry.getValue().leftOut > 0 && nowNs - entry.getValue().sinceNs >= ageNs)
            {
                return summary(entry.getKey(), entry.getValue(), nowNs);
            }
        }
        return null;
    }

    private static Throwable summary(final String name, final Kind kind, final long nowNs)
    {
        final Throwable summary = new MailboxException("errors of one kind were left out: count=" + kind.leftOut + ", in ms=" +
            (nowNs - kind.sinceNs) / 1_000_000 + ", kind=" + name + "; the last of them: " + kind.last, kind.last);
        kind.leftOut = 0;
        kind.last = null;
        // while the flood goes on there is nothing but these
        kind.told = BURST;
        kind.sinceNs = nowNs;
        return summary;
    }

    /** What a notice tells; else the class of an error, and the first place in the runtime that it came through. */
    private static String kind(final Throwable error)
    {
        if (error instanceof Notice notice)
        {
            return notice.what();
        }
        for (final StackTraceElement frame : error.getStackTrace())
        {
            if (frame.getClassName().startsWith(PRODUCT))
            {
                return error.getClass().getName() + " at " + frame;
            }
        }
        return error.getClass().getName();
    }

    private void tell(final Throwable error)
    {
        try
        {
            handler.onError(error);
        }
        catch (final Throwable thrown)
        {
            failed();
            // a handler that throws what it was told, or throws around it: that one is printed once
            final boolean isAround = contains(thrown, error);
            final MailboxException both = new MailboxException(
                "the error handler has thrown: found=" + thrown + ", told=" + error, isAround ? thrown : error);
            if (!isAround && !contains(error, thrown))
            {
                both.addSuppressed(thrown);
            }
            both.printStackTrace();
        }
    }

    /** Whether a throwable is another one, or has it among its causes and what they suppress. */
    private static boolean contains(final Throwable around, final Throwable error)
    {
        final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        final Deque<Throwable> next = new ArrayDeque<>();
        next.add(around);
        while (!next.isEmpty())
        {
            final Throwable each = next.remove();
            if (seen.add(each))
            {
                Collections.addAll(next, each.getSuppressed());
                if (each.getCause() != null)
                {
                    next.add(each.getCause());
                }
            }
        }
        return seen.contains(error);
    }
}
