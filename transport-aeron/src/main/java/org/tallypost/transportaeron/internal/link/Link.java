// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.STATE_CLOSED;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.STATE_OPEN;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_BEAT;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_DATA;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_MEMBER;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_NUDGE;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import java.util.HashMap;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.collections.MutableInteger;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.files.Notice;
import org.tallypost.transportaeron.internal.driver.AeronConnection;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.handshake.GroupTerms;
import org.tallypost.transportaeron.internal.handshake.Handshake;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.BatchDecoder;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FragmentCollector;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;
import org.tallypost.transportaeron.internal.wire.FrameHandler;

/**
 * What this node has to do with one other node: a publication to it, a subscription from it, the handshake, and while they are
 * linked frames in both directions. For the agent's thread.
 *
 * <pre>
 *             both proven                  silence, gap, other image, damage, other link
 *   DOWN ---------------------&gt; UP --------------------------------------------------&gt; DOWN: peers gone, handshake anew
 * </pre>
 */
final class Link implements Handshake.Listener, FrameHandler
{
    private static final int DRAIN_LIMIT = 256;
    private static final int RECEIVE_LIMIT = 32;
    private static final int BEATS_PER_INTERVAL = 4;
    private static final int MAX_BAD_PROOFS = 3;
    private static final long REPEAT_NS = 100_000_000L;
    private static final long NONE = -1;

    private final AeronSettings settings;
    private final NodePort port;
    private final NodePortListener listener;
    private final RankMap map;
    private final int ownNode;
    private final int peerNode;
    private final Drops drops = new Drops();
    private final BatchAssembler assembler;
    private final BatchDecoder decoder;
    private final Handshake handshake;
    private final LinkPairs pairs;
    private final FrameStash stash = new FrameStash();
    private final EgressRuns runs;
    private final FragmentCollector fragments = new FragmentCollector(this::onMessage);
    private final int[] locals;
    /** What the other node was told of the ranks here: epoch, 0 if it is closed. */
    private final int[] told;
    private final int[] toTell;
    private boolean isMembersDue;
    private final Map<Integer, Integer> badProofs = new HashMap<>();
    /** Sessions that were never admitted, and since when they are here: by the time for which this thread did not stand still. */
    private final Map<Integer, Long> strangers = new HashMap<>();
    private long pausedNs;
    private final long intervalNs;
    private final long leaseNs;
    private ExclusivePublication publication;
    /** Of the publication that the driver was asked for. */
    private long publicationId = NONE;
    /** Why the other node could not be reached, as it was told. */
    private String unreachable;
    private Subscription subscription;
    private Image image;
    private boolean isUp;
    private long nowNs;
    private long heardNs;
    private long beatNs;
    private long repeatNs;
    private long leaseEndNs;
    private int linkEpoch;
    private boolean isRefused;
    private final Notices refusals = new Notices();
    private final Notices liars = new Notices();
    private final Notices silent = new Notices();
    private boolean isSpent;
    private long rejectedCount;
    /** Batches that had left when the last duty cycle had sent. */
    private long batchesBefore;
    private long batchesReceived;
    private long framesReceived;
    private long linkCount;

    Link(
        final AeronSettings settings, final NodePort port, final NodePortListener listener, final int peerNode,
        final GroupTerms terms, final MutableInteger epochs)
    {
        this.settings = settings;
        this.port = port;
        this.listener = listener;
        this.peerNode = peerNode;
        map = settings.map();
        ownNode = settings.node();
        locals = map.ranks(ownNode);
        told = new int[locals.length];
        toTell = new int[locals.length];
        intervalNs = port.settings().livenessIntervalNs();
        leaseNs = port.settings().isFlowDynamic() ? port.settings().transportSettings().creditLeaseNs() : 0;
        assembler = new BatchAssembler(ownNode, peerNode, terms.hash(),
            BatchDescriptor.maxLength(settings.mtuLength(port.settings(), ownNode, peerNode)), this::offer);
        decoder = new BatchDecoder(ownNode, peerNode, terms.hash(), BatchDescriptor.maxLength(settings.mtuLength()),
            FrameDescriptor.MAX_LENGTH, settings.map(), drops);
        handshake = Handshake.create(new Handshake.Settings(
            ownNode, peerNode, terms, settings.newSecret(), Handshake::newNonce, epochs,
            Math.min(REPEAT_NS, intervalNs / BEATS_PER_INTERVAL)), drops, this::offer, this);
        pairs = new LinkPairs(port, map, ownNode, peerNode, drops);
        runs = new EgressRuns(pairs, assembler, stash);
    }

    /** Connects to a media driver: what comes from the other node is received from now on. */
    void subscribe(final Aeron aeron)
    {
        subscription = aeron.addSubscription(settings.channel(ownNode), settings.stream(peerNode),
            (found) -> strangers.put(found.sessionId(), System.nanoTime() - pausedNs),
            (lost) ->
            {
                strangers.remove(lost.sessionId());
                badProofs.remove(lost.sessionId());
            });
    }

    /**
     * Begins to publish to the other node, or finds out what has come of it. Its name may not be known yet, and to look it up may
     * take long: the driver does it on a thread of its own, and nobody waits for it.
     *
     * @return false if there is no answer yet.
     * @throws RuntimeException if it is not possible now; the next call begins anew.
     */
    boolean publish(final AeronConnection connection, final long now)
    {
        if (publicationId == NONE)
        {
            publicationId = connection.beginToPublish(
                settings.publicationChannel(port.settings(), peerNode), settings.stream(ownNode));
        }
        final long id = publicationId;
        publicationId = NONE;
        publication = connection.publication(id);
        if (publication == null)
        {
            publicationId = id;
            return false;
        }
        unreachable = null;
        nowNs = now;
        handshake.start(publication.sessionId(), now);
        return true;
    }

    /** It was not possible to publish to the other node: told once for each reason. */
    void onUnreachable(final RuntimeException reason)
    {
        final String text = firstLine(reason.getMessage());
        if (!text.equals(unreachable))
        {
            unreachable = text;
            port.onError(new IllegalStateException("node " + peerNode + " at " + settings.address(peerNode) +
                " cannot be reached, and is tried again: " + text, reason));
        }
    }

    /** The first line of a text that may have several, or be null; what Aeron puts before an error's own words is left out. */
    static String firstLine(final String text)
    {
        final String line = String.valueOf(text).split("\\R", 2)[0];
        return line.replaceFirst("^(ERROR|WARN) - ", "");
    }

    boolean isPublishing()
    {
        return publication != null;
    }

    /** The media driver is gone, or this node closes. */
    void disconnect(final String reason)
    {
        goDown(reason);
        CloseHelper.quietCloseAll(publication, subscription);
        publication = null;
        publicationId = NONE;
        subscription = null;
        strangers.clear();
        badProofs.clear();
    }

    private long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (publication == null)
        {
            return -1;
        }
        long result = publication.offer(buffer, offset, length);
        if (result == ExclusivePublication.ADMIN_ACTION)
        {
            // a term has ended: the next one is there already
            result = publication.offer(buffer, offset, length);
        }
        isSpent |= result == ExclusivePublication.MAX_POSITION_EXCEEDED || result == ExclusivePublication.CLOSED;
        return result;
    }

    /** What is to go out. */
    int send(final long now, final long pauseNs)
    {
        nowNs = now;
        // while this node stood still it could not hear anything
        heardNs += pauseNs;
        pausedNs += pauseNs;
        int work = 0;
        handshake.poll(now);
        work += strangers.isEmpty() ? 0 : rejectStrangers();
        if (stash.isEmpty() || stash.drainTo(assembler) > 0 && stash.isEmpty())
        {
            work += port.drain(peerNode, listener, DRAIN_LIMIT);
        }
        if (isUp)
        {
            work += tell(assembler.batchCount() == batchesBefore);
        }
        batchesBefore = assembler.batchCount();
        if (isSpent)
        {
            renew();
        }
        return work;
    }

    /** A stream ends after 2^31 terms: the agent begins another one. */
    private void renew()
    {
        isSpent = false;
        final ExclusivePublication spent = publication;
        publication = null;
        goDown("the stream to node " + peerNode + " has come to its end, and begins anew");
        CloseHelper.quietClose(spent);
    }

    /** What has come in. */
    int receive()
    {
        final int work = subscription == null ? 0 : subscription.poll(fragments, RECEIVE_LIMIT);
        if (isUp)
        {
            checkAlive();
        }
        return work;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (length >= BatchDescriptor.HEADER_LENGTH && BatchDescriptor.kind(buffer, offset) != BatchDescriptor.KIND_BATCH)
        {
            handshake.onMessage(header.sessionId(), buffer, offset, length, nowNs);
        }
        else if (!isUp || header.sessionId() != handshake.peerSession())
        {
            drops.add(Drop.NOT_ADMITTED);
        }
        else
        {
            final int frames = decode(buffer, offset, length);
            if (frames == BatchDecoder.BROKEN)
            {
                goDown("packets are missing or damaged: " + drops);
            }
            else if (frames >= 0)
            {
                heardNs = nowNs;
                batchesReceived++;
                framesReceived += frames;
            }
        }
    }

    private int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        try
        {
            return decoder.decode(buffer, offset, length, this);
        }
        finally
        {
            pairs.release();
        }
    }

    @Override
    public boolean onRunsAhead(
        final int source, final int dest, final int sourceEpoch, final int destEpoch, final int slots)
    {
        return pairs.reserve(dest, source, sourceEpoch, destEpoch, slots);
    }

    @Override
    public boolean onNextRun(
        final int flags, final int value, final DirectBuffer buffer, final int offset, final int length)
    {
        return pairs.deliverNext(flags, value, buffer, offset, length);
    }

    /**
     * Tells what there is to tell, behind the data.
     *
     * @param isFlushed whether what is in hand leaves. If a full batch left in this duty cycle, or since the one before, it stays
     *                  until the next, and is the fuller for it.
     */
    private int tell(final boolean isFlushed)
    {
        int work = 0;
        pairs.answer();
        if (stash.isEmpty())
        {
            work += isMembersDue ? tellMembers() : 0;
            if (nowNs - repeatNs >= 0)
            {
                repeatNs = nowNs + REPEAT_NS;
                pairs.repeat();
            }
            if (leaseNs > 0 && nowNs - leaseEndNs >= 0)
            {
                leaseEndNs = nowNs + leaseNs;
                pairs.endLeases();
            }
            work += pairs.tellDue(assembler, nowNs);
        }
        if (nowNs - beatNs >= 0 &&
            assembler.appendControl(TYPE_BEAT, 0, 0, 0, decoder.nextSequence() - 1, 0, 0))
        {
            beatNs = nowNs + intervalNs / BEATS_PER_INTERVAL;
        }
        return work + (isFlushed ? Math.max(0, assembler.flush()) : assembler.pendingFrames());
    }

    /** After the frames that a rank sent before it closed, and before those that it sends when it is open. */
    private int tellMembers()
    {
        int count = 0;
        for (int i = 0; i < locals.length; i++)
        {
            if (told[i] != toTell[i])
            {
                final boolean isOpen = toTell[i] != 0;
                if (!isOpen)
                {
                    // what it has received, or that is told as lost
                    pairs.tellAll(assembler);
                }
                if (!assembler.appendControl(TYPE_MEMBER, isOpen ? STATE_OPEN : STATE_CLOSED, locals[i], 0,
                    isOpen ? toTell[i] : told[i], 0, 0))
                {
                    return count;
                }
                told[i] = toTell[i];
                count++;
            }
        }
        isMembersDue = false;
        return count;
    }

    void onLocalRank(final int local, final int epoch, final boolean isOpen)
    {
        final int i = map.localIndex(local);
        if (isUp && isMembersDue && told[i] != toTell[i])
        {
            // each change is told in its turn
            tellMembers();
        }
        toTell[i] = isOpen ? epoch : 0;
        isMembersDue = true;
    }

    private void checkAlive()
    {
        // a little less than the interval: it is to be told within that
        final long silenceNs = intervalNs - (intervalNs >> 3);
        if (nowNs - heardNs > silenceNs)
        {
            goDown("nothing was heard of node " + peerNode + " for " + silenceNs / 1_000_000 + " ms");
        }
        else if (image != null && image.isClosed())
        {
            goDown("the stream of node " + peerNode + " has ended");
        }
    }

    private void goDown(final String reason)
    {
        if (isUp)
        {
            isUp = false;
            over(reason);
            if (publication != null && !publication.isClosed())
            {
                handshake.start(publication.sessionId(), nowNs);
            }
        }
    }

    /** Nothing of the link that stood is taken or sent any more. */
    private void over(final String reason)
    {
        decoder.close();
        stash.clear();
        pairs.clear();
        image = null;
        for (final int peer : map.ranks(peerNode))
        {
            port.closePeer(peer, listener);
        }
        port.event(new TransportEvent(
            TransportEvent.Kind.LINK_DOWN, peerNode, -1, -1, linkEpoch, 0, reason));
    }

    @Override
    public void onLinked(final int ownEpoch, final int peerEpoch, final int peerSession)
    {
        if (isUp)
        {
            over("node " + peerNode + " has begun anew");
        }
        isUp = true;
        isRefused = false;
        linkEpoch = ownEpoch;
        linkCount++;
        strangers.remove(peerSession);
        leaseEndNs = nowNs + leaseNs;
        assembler.open(peerEpoch, ownEpoch);
        decoder.open(ownEpoch, peerEpoch);
        fragments.admit(peerSession);
        image = subscription.imageBySessionId(peerSession);
        heardNs = nowNs;
        beatNs = nowNs;
        repeatNs = nowNs + REPEAT_NS;
        for (int i = 0; i < locals.length; i++)
        {
            told[i] = 0;
            toTell[i] = port.localEpoch(locals[i]);
        }
        isMembersDue = true;
        badProofs.clear();
        port.event(new TransportEvent(TransportEvent.Kind.LINK_UP, peerNode, -1, -1, ownEpoch, 0,
            "linked with node " + peerNode + " at " + settings.address(peerNode)));
    }

    @Override
    public void onRefused(final String text)
    {
        isRefused |= !isUp;
        if (refusals.isDue(nowNs))
        {
            port.event(new TransportEvent(TransportEvent.Kind.REFUSED, peerNode, -1, -1, 0, 0, text + refusals.untold()));
            port.onError(new Notice("not linked", text + "; give all nodes the same values" + refusals.untold()));
        }
    }

    @Override
    public void onBadProof(final int session)
    {
        final int count = badProofs.merge(session, 1, Integer::sum);
        if (count == 1 && liars.isDue(nowNs))
        {
            port.event(new TransportEvent(TransportEvent.Kind.STRANGER, peerNode, -1, -1, 0, 0,
                "somebody who does not know the secret says to be node " + peerNode + ": session=" + session +
                liars.untold()));
        }
        if (count >= MAX_BAD_PROOFS)
        {
            // if the stream goes on all the same its image is rejected again
            badProofs.remove(session);
            reject(session);
        }
    }

    /** A stream without a proof in time is sent away, whatever else it says. */
    private int rejectStrangers()
    {
        // a copy: while one is rejected Aeron may tell of others that have come or gone
        final Integer[] due = strangers.entrySet().stream()
            .filter((stranger) -> nowNs - pausedNs - stranger.getValue() > settings.admissionNs()).map(Map.Entry::getKey)
            .toArray(Integer[]::new);
        for (final Integer session : due)
        {
            strangers.remove(session);
            badProofs.remove(session);
            if (reject(session) && !isRefused && silent.isDue(nowNs))
            {
                port.event(new TransportEvent(TransportEvent.Kind.STRANGER, peerNode, -1, -1, 0, 0,
                    "somebody who says to be node " + peerNode + " has given no proof of the secret for " +
                    settings.admissionNs() / 1_000_000 + " ms and is rejected: session=" + session + silent.untold()));
            }
        }
        return due.length;
    }

    private boolean reject(final int session)
    {
        final Image stranger = subscription == null ? null : subscription.imageBySessionId(session);
        if (stranger == null || stranger.isClosed())
        {
            return false;
        }
        rejectedCount++;
        stranger.reject("not admitted");
        return true;
    }

    EgressRuns runs()
    {
        return runs;
    }

    @Override
    public void onFrame(
        final int type, final int flags, final int source, final int dest, final int value, final int sourceEpoch,
        final int destEpoch, final DirectBuffer buffer, final int offset, final int length)
    {
        if (type != TYPE_DATA)
        {
            // only in memory that changes meanwhile is anything left; programs are called with no claim open
            pairs.release();
        }
        switch (type)
        {
            case TYPE_DATA:
            case TYPE_NUDGE:
                final boolean isNudge = type == TYPE_NUDGE;
                if (isNudge && (value < 1 || value > FrameDescriptor.MAX_SLOTS))
                {
                    drops.add(Drop.COUNT);
                    break;
                }
                if (pairs.onPacket(dest, source, sourceEpoch, destEpoch, FrameDescriptor.slots(type, value, length),
                    !isNudge && (flags & FrameDescriptor.FLAG_LAST) != 0) &&
                    !port.deliver(isNudge, flags, source, dest, value, buffer, offset, length))
                {
                    drops.add(Drop.RANK_EPOCH);
                }
                break;
            case TYPE_MEMBER:
                onMember(source, value, flags == STATE_OPEN);
                break;
            case TYPE_BEAT:
                break;
            default:
                pairs.onControl(type, dest, source, value, sourceEpoch, destEpoch);
                break;
        }
    }

    private void onMember(final int peer, final int epoch, final boolean isOpen)
    {
        port.closePeer(peer, listener);
        if (isOpen && epoch != 0)
        {
            port.openPeer(peer, epoch, listener);
        }
    }

    LinkPairs pairs()
    {
        return pairs;
    }

    boolean isUp()
    {
        return isUp;
    }

    /** Whether all that was sent to the other node has arrived there, as far as it can be known. */
    boolean isQuiet()
    {
        return !isUp || stash.isEmpty() && assembler.pendingFrames() == 0 && !isMembersDue && pairs.isQuiet() &&
            port.unacknowledged(peerNode) == 0;
    }

    @Override
    public String toString()
    {
        return "node=" + peerNode + ", isUp=" + isUp + ", links=" + linkCount + ", batches sent=" + assembler.batchCount() +
            ", frames sent=" + assembler.frameCount() + ", refused=" + assembler.refusedCount() + ", batches received=" +
            batchesReceived + ", frames received=" + framesReceived + ", strangers rejected=" + rejectedCount + ", " + drops;
    }
}
