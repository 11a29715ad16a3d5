// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Calls of a team with elements in the byte order of each member's own buffers. All members make one of it, and first call
 * {@link #meet()}: each tells its byte order to all. After that
 *
 * <ul>
 * <li>what is received is turned by its receiver, if the member that has sent it has the other byte order (receiver makes
 *     right); in a gather the sender turns it, so that the root has nothing to do for each of the others;
 * <li>operands of a reduction are turned into the machine's byte order before, and the result back, each by its member;
 * <li>if some member wants XDR, all data but those of reductions go as {@link XdrElements} and not in a byte order.
 * </ul>
 *
 * <p>Members that all have the same byte order, that of the machine, copy nothing more than with {@link TeamCalls}. What a
 * member says of its byte order is checked to be one. If it is not that of its data, the values are wrong and nothing is written
 * beside them; XDR values that the type does not have are refused.
 *
 * <p>For the thread that polls the endpoint. Buffers have no byte in common. Nothing is allocated after the first use with the
 * longest data. All calls throw IllegalArgumentException for a count, type or root that is out of range and
 * IndexOutOfBoundsException for data that lie outside their buffer, before anything was sent.
 */
public final class ElementCalls
{
    private static final int BIG = 1;
    private static final int XDR = 2;
    /** The source of portions: each from the member of its number. */
    private static final int EACH = -1;
    /** The result of a reduction. */
    private static final int MACHINE = -2;

    private final Team team;
    private final TeamCalls calls;
    private final ByteOrder order;
    private final byte[] told;
    private final UnsafeBuffer sent = new UnsafeBuffer(new byte[0]);
    private final UnsafeBuffer received = new UnsafeBuffer(new byte[0]);
    private boolean isMet;
    private boolean isXdr;
    private boolean isUnderWay;
    /** What is turned or decoded when the call is done: so many portions, from where, to where. */
    private int portions;
    private int source;
    private ElementType type;
    private MutableDirectBuffer to;
    private int toOffset;
    private int count;

    private ElementCalls(final Team team, final ByteOrder order, final boolean wantsXdr)
    {
        this.team = team;
        this.order = order;
        calls = new TeamCalls(team);
        told = new byte[team.size()];
        told[team.member()] = (byte)((order == ByteOrder.BIG_ENDIAN ? BIG : 0) | (wantsXdr ? XDR : 0));
    }

    /**
     * Calls for elements in a byte order. Nothing is sent yet.
     *
     * @param team  that does the calls.
     * @param order of the bytes of numbers in this member's buffers.
     * @return the calls.
     */
    public static ElementCalls of(final Team team, final ByteOrder order)
    {
        Checks.isSet("order", order);
        return new ElementCalls(team, order, false);
    }

    /**
     * The same for a member that wants data to go as XDR: then they do at all members.
     *
     * @param team  that does the calls.
     * @param order of the bytes of numbers in this member's buffers.
     * @return the calls.
     */
    public static ElementCalls ofXdr(final Team team, final ByteOrder order)
    {
        Checks.isSet("order", order);
        return new ElementCalls(team, order, true);
    }

    /**
     * Bounds the calls that follow.
     *
     * @param deadlineNs time on the clock of {@link System#nanoTime()}.
     * @return this.
     */
    public ElementCalls until(final long deadlineNs)
    {
        calls.until(true, deadlineNs);
        return this;
    }

    /**
     * All members tell their byte orders. Before any other call.
     *
     * @return as {@link AllGather#await(long)}.
     * @throws MailboxException if a member has told what is no byte order.
     */
    public long meet()
    {
        portions = 0;
        final UnsafeBuffer own = new UnsafeBuffer(new byte[]{told[team.member()]});
        return met(calls.allGather(own, 0, new UnsafeBuffer(told), 0, 1));
    }

    private long met(final long result)
    {
        if (result >= 0)
        {
            for (int i = 0; i < told.length; i++)
            {
                if ((told[i] & ~(BIG | XDR)) != 0)
                {
                    throw new MailboxException("member " + i + " of team " + team.id() +
                        " tells a byte order that is none: found=" + (told[i] & 0xff) + ", expected=0 to " + (BIG | XDR));
                }
                isXdr |= (told[i] & XDR) != 0;
            }
            isMet = true;
        }
        return result;
    }

    /**
     * The byte order that a member has told.
     *
     * @param member its number.
     * @return the order of the bytes in its buffers.
     * @throws IllegalStateException before {@link #meet()} is done.
     */
    public ByteOrder orderOf(final int member)
    {
        requireMet();
        Checks.range("member", member, 0, told.length - 1);
        return (told[member] & BIG) != 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /**
     * Whether data go as XDR.
     *
     * @return true if a member wants that.
     */
    public boolean isXdr()
    {
        return isXdr;
    }

    private void requireMet()
    {
        if (!isMet)
        {
            throw new IllegalStateException("byte orders of team " + team.id() + " are not known: call meet before");
        }
    }

    /**
     * Waits for the last call, which has timed out.
     *
     * @return as that call.
     * @throws IllegalStateException if there was no call.
     */
    public long again()
    {
        final long result = calls.again();
        return isMet ? done(result) : met(result);
    }

    /**
     * All get what the root has.
     *
     * @param root     a member.
     * @param elements what they are.
     * @param buffer   that the root reads and all others write.
     * @param offset   of the first element in bytes.
     * @param number   of elements, the same at all members.
     * @return as {@link Broadcast#await(long)}.
     */
    public long broadcast(
        final int root, final ElementType elements, final MutableDirectBuffer buffer, final int offset, final int number)
    {
        begin(root, elements, number, buffer, offset, 1);
        if (root == team.member())
        {
            portions = 0;
        }
        if (!isXdr)
        {
            return done(calls.broadcast(root, buffer, offset, number * elements.length()));
        }
        final UnsafeBuffer data = room(received, 1);
        if (root == team.member())
        {
            XdrElements.encode(elements, buffer, offset, order, number, data, 0);
        }
        return done(calls.broadcast(root, data, 0, data.capacity()));
    }

    /**
     * Each member gets its portion of what the root has.
     *
     * @param root       a member.
     * @param elements   what they are.
     * @param from       buffer with the portions of all members; used at the root only.
     * @param fromOffset of the first one in bytes.
     * @param into       buffer for this member's portion.
     * @param intoOffset of it in bytes.
     * @param number     of elements of each portion.
     * @return as {@link Scatter#await(long)}.
     */
    public long scatter(
        final int root, final ElementType elements, final DirectBuffer from, final int fromOffset,
        final MutableDirectBuffer into, final int intoOffset, final int number)
    {
        begin(root, elements, number, into, intoOffset, 1);
        if (!isXdr)
        {
            return done(calls.scatter(root, from, fromOffset, into, intoOffset, number * elements.length()));
        }
        final UnsafeBuffer data = room(received, 1);
        final UnsafeBuffer all = root == team.member() ? encode(from, fromOffset, told.length) : sent;
        return done(calls.scatter(root, all, 0, data, 0, data.capacity()));
    }

    /**
     * The root gets the portions of all. Others turn them for it.
     *
     * @param root       a member.
     * @param elements   what they are.
     * @param from       buffer with this member's portion.
     * @param fromOffset of it in bytes.
     * @param into       buffer for the portions of all members; used at the root only.
     * @param intoOffset of the first one in bytes.
     * @param number     of elements of each portion.
     * @return as {@link Gather#await(long)}.
     */
    public long gather(
        final int root, final ElementType elements, final DirectBuffer from, final int fromOffset,
        final MutableDirectBuffer into, final int intoOffset, final int number)
    {
        begin(root, elements, number, into, intoOffset, root == team.member() ? told.length : 0);
        if (isXdr)
        {
            final UnsafeBuffer data = encode(from, fromOffset, 1);
            return done(calls.gather(root, data, 0, room(received, portions), 0, data.capacity()));
        }
        // what comes is in the root's order already
        portions = 0;
        final boolean isTurned = orderOf(root) != order;
        final DirectBuffer data = isTurned ? turned(from, fromOffset, 1) : from;
        return done(calls.gather(root, data, isTurned ? 0 : fromOffset, into, intoOffset, number * elements.length()));
    }

    /**
     * All get the portions of all.
     *
     * @param elements   what they are.
     * @param from       buffer with this member's portion.
     * @param fromOffset of it in bytes.
     * @param into       buffer for the portions of all members.
     * @param intoOffset of the first one in bytes.
     * @param number     of elements of each portion.
     * @return as {@link AllGather#await(long)}.
     */
    public long allGather(
        final ElementType elements, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer into,
        final int intoOffset, final int number)
    {
        begin(EACH, elements, number, into, intoOffset, told.length);
        if (!isXdr)
        {
            return done(calls.allGather(from, fromOffset, into, intoOffset, number * elements.length()));
        }
        final UnsafeBuffer data = encode(from, fromOffset, 1);
        return done(calls.allGather(data, 0, room(received, told.length), 0, data.capacity()));
    }

    /**
     * Each gets the portions that the others have for it.
     *
     * @param elements   what they are.
     * @param from       buffer with the portions for all members.
     * @param fromOffset of the first one in bytes.
     * @param into       buffer for the portions of all members.
     * @param intoOffset of the first one in bytes.
     * @param number     of elements of each portion.
     * @return as {@link AllToAll#await(long)}.
     */
    public long allToAll(
        final ElementType elements, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer into,
        final int intoOffset, final int number)
    {
        begin(EACH, elements, number, into, intoOffset, told.length);
        if (!isXdr)
        {
            return done(calls.allToAll(from, fromOffset, into, intoOffset, number * elements.length()));
        }
        final UnsafeBuffer data = encode(from, fromOffset, told.length);
        return done(calls.allToAll(data, 0, room(received, told.length), 0, data.capacity() / told.length));
    }

    /**
     * The root gets the reduction of what all have.
     *
     * @param root      a member.
     * @param elements  what they are.
     * @param reducer   that reduces them.
     * @param in        buffer with this member's elements.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for the reduction; used at the root only.
     * @param outOffset of it in bytes.
     * @param number    of elements.
     * @return as {@link Reduce#await(long)}.
     */
    public long reduce(
        final int root, final ElementType elements, final Reducer reducer, final DirectBuffer in, final int inOffset,
        final MutableDirectBuffer out, final int outOffset, final int number)
    {
        begin(root, elements, number, out, outOffset, root == team.member() ? 1 : 0);
        final DirectBuffer data = operands(in, inOffset, 1);
        return done(
            calls.reduce(root, elements, reducer, data, data == in ? inOffset : 0, out, outOffset, number));
    }

    /**
     * All get the reduction of what all have.
     *
     * @param elements  what they are.
     * @param reducer   that reduces them.
     * @param in        buffer with this member's elements.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for the reduction.
     * @param outOffset of it in bytes.
     * @param number    of elements.
     * @return as {@link AllReduce#await(long)}.
     */
    public long allReduce(
        final ElementType elements, final Reducer reducer, final DirectBuffer in, final int inOffset,
        final MutableDirectBuffer out, final int outOffset, final int number)
    {
        begin(EACH, elements, number, out, outOffset, 1);
        final DirectBuffer data = operands(in, inOffset, 1);
        return done(calls.allReduce(elements, reducer, data, data == in ? inOffset : 0, out, outOffset, number));
    }

    /**
     * Each gets its portion of the reduction of what all have.
     *
     * @param elements  what they are.
     * @param reducer   that reduces them.
     * @param in        buffer with elements for all members.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for this member's portion of the reduction.
     * @param outOffset of it in bytes.
     * @param number    of elements for each member.
     * @return as {@link ReduceScatter#await(long)}.
     */
    public long reduceScatter(
        final ElementType elements, final Reducer reducer, final DirectBuffer in, final int inOffset,
        final MutableDirectBuffer out, final int outOffset, final int number)
    {
        begin(EACH, elements, number, out, outOffset, 1);
        final DirectBuffer data = operands(in, inOffset, told.length);
        return done(calls.reduceScatter(elements, reducer, data, data == in ? inOffset : 0, out, outOffset, number));
    }

    /**
     * Each gets the reduction of what all have up to it.
     *
     * @param elements    what they are.
     * @param reducer     that reduces them.
     * @param isExclusive whether a member's own elements are left out of its result: then member 0 gets nothing.
     * @param in          buffer with this member's elements.
     * @param inOffset    of the first one in bytes.
     * @param out         buffer for the reduction.
     * @param outOffset   of it in bytes.
     * @param number      of elements.
     * @return as {@link Scan#await(long)}.
     */
    public long scan(
        final ElementType elements, final Reducer reducer, final boolean isExclusive, final DirectBuffer in, final int inOffset,
        final MutableDirectBuffer out, final int outOffset, final int number)
    {
        begin(EACH, elements, number, out, outOffset, isExclusive && team.member() == 0 ? 0 : 1);
        final DirectBuffer data = operands(in, inOffset, 1);
        return done(
            calls.scan(elements, reducer, isExclusive, data, data == in ? inOffset : 0, out, outOffset, number));
    }

    /** What is to be done when the call is: with portions that come into a place. */
    private void begin(
        final int root, final ElementType elements, final int number, final MutableDirectBuffer into, final int intoOffset,
        final int expected)
    {
        requireMet();
        if (isUnderWay)
        {
            throw new IllegalStateException("a call of " + this + " is under way: wait for its end by again");
        }
        Checks.isSet("type", elements);
        Checks.range("root", root, EACH, told.length - 1);
        final int unit = Math.max(elements.length(), XdrElements.encodedLength(elements, 1));
        Checks.range("count", number, 0, Integer.MAX_VALUE / (unit * told.length));
        portions = 0;
        source = root;
        type = elements;
        count = number;
        if (expected > 0)
        {
            into.boundsCheck(intoOffset, expected * number * elements.length());
            to = into;
            toOffset = intoOffset;
            portions = expected;
        }
    }

    /** A view of room for so many encoded portions, which grows to the longest ones. */
    private UnsafeBuffer room(final UnsafeBuffer view, final int number)
    {
        return room(view, number, XdrElements.encodedLength(type, count));
    }

    private static UnsafeBuffer room(final UnsafeBuffer view, final int number, final int length)
    {
        final byte[] array = view.byteArray();
        view.wrap(array.length < number * length ? new byte[number * length] : array, 0, number * length);
        return view;
    }

    private UnsafeBuffer encode(final DirectBuffer from, final int fromOffset, final int number)
    {
        from.boundsCheck(fromOffset, number * count * type.length());
        final UnsafeBuffer encoded = room(sent, number);
        for (int i = 0, at = 0; i < number; i++)
        {
            at += XdrElements.encode(type, from, fromOffset + i * count * type.length(), order, count, encoded, at);
        }
        return encoded;
    }

    private UnsafeBuffer turned(final DirectBuffer from, final int fromOffset, final int number)
    {
        from.boundsCheck(fromOffset, number * count * type.length());
        final UnsafeBuffer copy = room(sent, number, count * type.length());
        copy.putBytes(0, from, fromOffset, copy.capacity());
        ElementOrder.turn(type, copy, 0, number * count);
        return copy;
    }

    private DirectBuffer operands(final DirectBuffer from, final int fromOffset, final int number)
    {
        source = MACHINE;
        return order == ByteOrder.nativeOrder() ? from : turned(from, fromOffset, number);
    }

    /** Turns or decodes what has come, if the call is done. */
    private long done(final long result)
    {
        isUnderWay = result == Team.TIMED_OUT;
        for (int i = 0; i < portions && result >= 0; i++)
        {
            final int at = toOffset + i * count * type.length();
            if (isXdr && source != MACHINE)
            {
                XdrElements.decode(type, received, i * XdrElements.encodedLength(type, count), to, at, order, count);
            }
            else if (order != (source == MACHINE ? ByteOrder.nativeOrder() : orderOf(source == EACH ? i : source)))
            {
                ElementOrder.turn(type, to, at, count);
            }
        }
        return result;
    }

    /** Team, and the byte orders as they were told. */
    @Override
    public String toString()
    {
        return "ElementCalls{team=" + team.id() + ", order=" + order + ", told=" + Arrays.toString(told) + "}";
    }
}
