// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.function.Consumer;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Ranks that do collectives together. Each of them has a number in the team, its member number. All members start the same
 * operations in the same order; members that do not are found out, and then the team ends at all of them ({@link #MISMATCH}).
 *
 * <p><b>Failure.</b> When a member is gone, when members called different operations, or when one has revoked the team, it ends
 * at all members: what is under way and what is started later returns the same negative number, also at members that do not
 * wait for the one that is gone. Some may have got an operation done that failed at others. A team that has ended does not come
 * back.
 *
 * <p><b>Threads.</b> The team, its operations and {@link #progress()} are for the thread that polls the endpoint.
 */
public final class Team implements AutoCloseable
{
    /** Not done yet: call {@link Operation#progress()} again. */
    public static final long IN_PROGRESS = -1;
    /** A member died or closed, its team too, before it had got through: {@link #goneMember()}. The team has ended. */
    public static final long MEMBER_GONE = -2;
    /** A member has ended the team: {@link #revoke()}. */
    public static final long REVOKED = -3;
    /** This member has closed the team, or its endpoint is closed. */
    public static final long CLOSED = -4;
    /**
     * Members have called different operations, or passed different roots, lengths, types or reducers. The team has ended. It
     * is found in the operation itself if members wait for each other in it, and otherwise in the next one.
     */
    public static final long MISMATCH = -5;
    /** The deadline has passed, and the operation is still under way: {@link #lateMembers} names those that keep it up. */
    public static final long TIMED_OUT = -6;
    /** There is no room in the node's file system for the arena of a new team. The old team goes on. */
    public static final long NO_ROOM = -9;
    /** The shared memory has what no member writes. The team has ended. */
    public static final long DAMAGED = -10;
    /**
     * A reducer of the program has thrown an exception at a member: {@link #goneMember()}. The member has got the exception, and
     * the operation cannot go on anywhere. The team has ended.
     */
    public static final long REDUCER_FAILED = -11;

    private final Teams teams;
    private final TeamArena place;
    /** Between the nodes of the team; null if it has one. */
    private final NodesPath nodes;
    private final Exchange exchange;
    private final Voting votes;
    private final TeamCalls calls;
    private TeamCall call;

    Team(final Teams teams, final TeamArena place, final Peers peers)
    {
        this.teams = teams;
        this.place = place;
        exchange = new Exchange(place.arena(), place.member(), peers, place.direct());
        votes = new Votes(exchange, peers);
        calls = new TeamCalls(this);
        nodes = null;
    }

    /** Of members on several nodes. Those of this one are a team of their own, which belongs to it. */
    Team(final Teams teams, final TeamArena place, final Team inner, final NodesPath nodes)
    {
        this.teams = teams;
        this.place = place;
        exchange = inner.exchange;
        votes = nodes.votes();
        calls = new TeamCalls(this);
        this.nodes = nodes;
    }

    /**
     * Number of members.
     *
     * @return at least 1.
     */
    public int size()
    {
        return nodes == null ? place.ranks().length : nodes.size();
    }

    /**
     * This member.
     *
     * @return its number, from 0 to the size, exclusive.
     */
    public int member()
    {
        return nodes == null ? exchange.member() : nodes.self();
    }

    /**
     * Whether a broadcast may go to all nodes at once, as its leaders hear each other so.
     *
     * @return false for a team of one node; the same at all members until the team is closed.
     */
    public boolean hasMulticast()
    {
        return nodes != null && nodes.hasMulticast();
    }

    /**
     * The team's number.
     *
     * @return the same at all members.
     */
    public long id()
    {
        return place.id();
    }

    /**
     * Which version of the team's membership this is.
     *
     * @return at least 1, the same at all members.
     */
    public int view()
    {
        return place.view();
    }

    /**
     * The ranks of all members.
     *
     * @return the set.
     */
    public RankSet ranks()
    {
        return RankSet.of(nodes == null ? place.ranks() : nodes.ranks());
    }

    /**
     * The rank of a member.
     *
     * @param member from 0 to the size, exclusive.
     * @return the rank.
     */
    public int rankOf(final int member)
    {
        return nodes == null ? place.ranks()[member] : nodes.ranks()[member];
    }

    /**
     * The member that a rank is.
     *
     * @param rank any.
     * @return the member; -1 if the rank is none.
     */
    public int memberOf(final int rank)
    {
        for (int i = 0; i < size(); i++)
        {
            if (rankOf(i) == rank)
            {
                return i;
            }
        }
        return -1;
    }

    /**
     * Makes a barrier.
     *
     * @return the handle.
     */
    public Barrier newBarrier()
    {
        return new Barrier(this);
    }

    /**
     * Makes a broadcast.
     *
     * @return the handle.
     */
    public Broadcast newBroadcast()
    {
        return new Broadcast(this);
    }

    /**
     * Makes a scatter.
     *
     * @return the handle.
     */
    public Scatter newScatter()
    {
        return new Scatter(this);
    }

    /**
     * Makes a gather.
     *
     * @return the handle.
     */
    public Gather newGather()
    {
        return new Gather(this);
    }

    /**
     * Makes a gather to all members.
     *
     * @return the handle.
     */
    public AllGather newAllGather()
    {
        return new AllGather(this);
    }

    /**
     * Makes an exchange of portions between all members.
     *
     * @return the handle.
     */
    public AllToAll newAllToAll()
    {
        return new AllToAll(this);
    }

    /**
     * Makes a reduction to one member.
     *
     * @param type    of the elements.
     * @param reducer for them.
     * @return the handle.
     * @throws IllegalArgumentException if the reducer has no meaning for the type.
     */
    public Reduce newReduce(final ElementType type, final Reducer reducer)
    {
        return new Reduce(this, type, reducer);
    }

    /**
     * Makes a reduction to all members.
     *
     * @param type    of the elements.
     * @param reducer for them.
     * @return the handle.
     * @throws IllegalArgumentException if the reducer has no meaning for the type.
     */
    public AllReduce newAllReduce(final ElementType type, final Reducer reducer)
    {
        return new AllReduce(this, type, reducer);
    }

    /**
     * Makes a reduction of which each member gets a portion.
     *
     * @param type    of the elements.
     * @param reducer for them.
     * @return the handle.
     * @throws IllegalArgumentException if the reducer has no meaning for the type.
     */
    public ReduceScatter newReduceScatter(final ElementType type, final Reducer reducer)
    {
        return new ReduceScatter(this, type, reducer);
    }

    /**
     * Makes a reduction of the members up to each one. Where members of other nodes stand between those of a node, each
     * member gathers the elements of all.
     *
     * @param type        of the elements.
     * @param reducer     for them.
     * @param isExclusive whether a member's own elements are left out of its result.
     * @return the handle.
     * @throws IllegalArgumentException if the reducer has no meaning for the type.
     */
    public Scan newScan(final ElementType type, final Reducer reducer, final boolean isExclusive)
    {
        return new Scan(this, type, reducer, isExclusive);
    }

    /**
     * Allocates memory from which other members read what operations send, by one copy and without this member's help. Each
     * member gets a part, of a length of its own. All members call it at the same place of their operations, and it waits for
     * them. With several nodes the members of each node read one another's parts; between nodes data go by messages.
     *
     * @param length of this member's part in bytes, at least 0; 2 GiB less two pages for all members of a node together.
     * @return the memory.
     * @throws IllegalArgumentException if a length is out of range.
     * @throws IllegalStateException if there are 64 allocations already.
     * @throws MailboxException if there is no room, or the team has ended.
     */
    public TeamMemory allocate(final int length)
    {
        return TeamMemory.allocate(this, length);
    }

    /**
     * Makes an agreement.
     *
     * @return the handle.
     */
    public Agreement newAgreement()
    {
        return new Agreement(this);
    }

    /**
     * Makes what makes a team of members with the same color.
     *
     * @return the handle.
     */
    public Split newSplit()
    {
        return new Split(this);
    }

    /**
     * Makes what makes a team of the living members.
     *
     * @return the handle.
     */
    public Shrink newShrink()
    {
        return new Shrink(this);
    }

    /**
     * The operations as calls that wait until they are done.
     *
     * @return the calls, without a deadline: the same object for all, with or without one.
     */
    public TeamCalls calls()
    {
        return calls.until(false, 0);
    }

    /**
     * The operations as calls that wait until they are done, or until a deadline.
     *
     * @param deadlineNs time on the clock of {@link System#nanoTime()}, for all calls until others are asked for.
     * @return the calls.
     */
    public TeamCalls calls(final long deadlineNs)
    {
        return calls.until(true, deadlineNs);
    }

    /**
     * Waits until all members have come.
     *
     * @return as {@link Operation#await()}.
     */
    public long barrier()
    {
        return calls().barrier();
    }

    /**
     * Waits until all living members have called this, see {@link TeamCalls#agree}.
     *
     * @param flags of this member, at least 0.
     * @return the flags that all have that have called this, the same at all members; or a negative result.
     * @throws IllegalArgumentException if the flags are negative.
     */
    public long agree(final int flags)
    {
        return calls().agree(flags);
    }

    /**
     * Waits until all members have called this, and makes a team of those with the same color.
     *
     * @param color which team this member wants to be in; negative for none.
     * @param key   which place it wants there, see {@link Split#start}.
     * @param out   gets the new team; it is not called without one.
     * @return as {@link Split#await()}.
     */
    public long split(final int color, final int key, final Consumer<Team> out)
    {
        return calls().split(color, key, out);
    }

    /**
     * Waits until all members have called this, and makes a team of all of them: operations in one team do not meet those in the
     * other.
     *
     * @param out gets the new team.
     * @return as {@link Split#await()}.
     */
    public long duplicate(final Consumer<Team> out)
    {
        return split(0, member(), out);
    }

    /**
     * Waits until all living members have called this, and makes a team of them, in the same order.
     *
     * @param out gets the new team.
     * @return as {@link Shrink#await()}.
     */
    public long shrink(final Consumer<Team> out)
    {
        return calls().shrink(out);
    }

    /**
     * Does what can be done now for all operations that are under way.
     *
     * @return 0; or why the team has ended, a negative number.
     */
    public long progress()
    {
        course().progress();
        return exchange.failure();
    }

    /**
     * The members that keep up the operation under way, or else the agreement, the split or the shrink. They are alive as far as
     * is known, but have not come so far.
     *
     * @param into their numbers, in ascending order, as many as there is room for.
     * @return how many there are; 0 if nothing is under way.
     */
    public int lateMembers(final int[] into)
    {
        final int count = course().late(into);
        return count == 0 && call != null ? call.late(into) : count;
    }

    /**
     * The members that are gone as far as this one knows now: they died, or closed the team or their endpoint.
     *
     * @param into their numbers, in ascending order, as many as there is room for.
     * @return how many there are in it.
     */
    public int goneMembers(final int[] into)
    {
        int count = 0;
        for (int i = 0; i < size() && count < into.length; i++)
        {
            if (votes.isGone(i))
            {
                into[count++] = i;
            }
        }
        return count;
    }

    /**
     * The member for which the team has ended.
     *
     * @return with MEMBER_GONE the one that is gone, with MISMATCH one of those that called something else,
     *         with REDUCER_FAILED the one with the reducer, with REVOKED the one that revoked; -1 if the team has
     *         not ended.
     */
    public int goneMember()
    {
        return course().culprit();
    }

    /** Ends the team for all members: what is under way and what is started later returns {@link #REVOKED}. */
    public void revoke()
    {
        course().fail(REVOKED, member());
    }

    long await(final Progress awaited, final boolean hasDeadline, final long deadlineNs)
    {
        return teams.waiting().await(course(), awaited, hasDeadline, deadlineNs);
    }

    /** Of agreements and new teams there is one at a time. */
    void started(final TeamCall started)
    {
        if (call != null)
        {
            throw new IllegalStateException(call + " is under way: wait for its end before " + started + " is started");
        }
        call = started;
    }

    void ended()
    {
        call = null;
    }

    /** Before the thread sleeps: tells which member it waits for. Whether that was told before, and nothing has changed. */
    boolean tell()
    {
        return exchange.tell();
    }

    /** Takes back what was told. Whether there was anything. */
    boolean awake()
    {
        return exchange.awake();
    }

    /** The same at all living members: they have had the same agreements. */
    int nextView()
    {
        return place.nextView();
    }

    Teams teams()
    {
        return teams;
    }

    /** Where its members of this node have met. */
    TeamArena place()
    {
        return place;
    }

    Voting votes()
    {
        return votes;
    }

    /** How operations go on. */
    Course course()
    {
        return nodes == null ? exchange : nodes;
    }

    /** Between the nodes of the team; null if it has one. */
    NodesPath nodes()
    {
        return nodes;
    }

    Exchange exchange()
    {
        return exchange;
    }

    /**
     * Leaves the team: what is under way here returns {@link #CLOSED}. At the others an operation that this member has not got
     * through ends with {@link #MEMBER_GONE}, and so do those that are started later. The endpoint stays open. Idempotent.
     */
    @Override
    public void close()
    {
        course().leave();
        place.close();
        teams.closed(this);
        if (nodes != null)
        {
            teams.closed(nodes.inner());
        }
    }

    /**
     * Says in words what a negative result means.
     *
     * @param result of an operation.
     * @return the words; for a result of 0 or more that it is done.
     */
    public static String errorString(final long result)
    {
        if (result >= 0)
        {
            return "DONE";
        }
        switch ((int)Math.max(result, REDUCER_FAILED - 1))
        {
            case (int)IN_PROGRESS:
                return "IN_PROGRESS: not done yet; call progress() again";
            case (int)MEMBER_GONE:
                return "MEMBER_GONE: a member died or closed; the team has ended";
            case (int)REVOKED:
                return "REVOKED: a member has ended the team";
            case (int)CLOSED:
                return "CLOSED: this member has closed the team, or its endpoint is closed";
            case (int)MISMATCH:
                return "MISMATCH: members called different operations, or with different roots, lengths, types or reducers; " +
                    "the team has ended";
            case (int)TIMED_OUT:
                return "TIMED_OUT: the deadline has passed; the operation is still under way, see lateMembers()";
            case (int)NO_ROOM:
                return "NO_ROOM: no room for the arena of a new team, see cause(); the old team goes on";
            case (int)DAMAGED:
                return "DAMAGED: the shared memory has what no member writes; the team has ended";
            case (int)REDUCER_FAILED:
                return "REDUCER_FAILED: a reducer has thrown an exception at a member, see goneMember(); the team has ended";
            default:
                return "unknown result " + result;
        }
    }

    /** Number, view, member and size. */
    @Override
    public String toString()
    {
        return "Team{id=" + id() + ", view=" + view() + ", member=" + member() + ", size=" + size() + "}";
    }
}
