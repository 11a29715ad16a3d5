// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.NONCE_LENGTH;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.BatchSink;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.HandshakeDescriptor;

/**
 * How two nodes come to trust one another. The node of lower index begins.
 *
 * <pre>
 *  initiator                                              responder
 *
 *     --------- HELLO: terms, epoch, nonce ----------------&gt;   terms differ: REFUSE, with both values
 *     &lt;-------- CHALLENGE: terms, epoch, nonce, proof ------
 *  proof right:
 *     --------- RESPONSE: proof ---------------------------&gt;   proof right: linked, the nonce is used up
 *     &lt;-------- WELCOME: proof -----------------------------
 *  proof right: linked
 *
 *     &lt;-------- CALL: here I am, and not linked with you ---
 *  linked all the same:
 *     --------- HELLO: the same, and the responder's epoch -&gt;   it is that of my link: nothing; else as above
 * </pre>
 *
 * Each proof is made over all that both have said, the sessions and both nonces, under a label of its own: none can be
 * reflected, moved to another session, or used twice. What an unproven message says changes nothing of a link that stands;
 * a new link replaces it only when the other side has proven itself. The responder's nonce is a cookie ({@link CookieJar}): it
 * keeps nothing of a question until a RESPONSE brings back both, with a proof. HELLO and RESPONSE are repeated by timer, their
 * answers whenever they are repeated. For one thread; the time is told.
 */
public abstract class Handshake
{
    /** Roles of the proofs. */
    static final int ROLE_CHALLENGE = 'C';
    static final int ROLE_RESPONSE = 'R';
    static final int ROLE_WELCOME = 'W';

    private static final byte[] NO_NONCE = new byte[NONCE_LENGTH];
    private static final byte[] NO_PROOF = new byte[GroupSecret.PROOF_LENGTH];
    private static final byte[] NO_TEXT = {};
    private static final int MAX_TOLD_LENGTH = 200;

    final int ownNode;
    final int peerNode;
    final GroupSecret secret;
    final GroupTerms terms;
    final byte[] encodedTerms;
    final byte[] termsDigest;
    final long repeatNs;
    final Drops drops;
    final Listener listener;
    private final Settings settings;
    private final UnsafeBuffer outgoing = new UnsafeBuffer(0, 0);
    Sessions ownSessions = Sessions.NONE;
    private boolean isLinked;
    private int ownEpoch;
    private int peerEpoch;
    private int peerSession;
    private String told;

    /** Hears what comes of it. */
    public interface Listener
    {
        /**
         * The other node is admitted, and has admitted this one. A link that stood before is over.
         *
         * @param ownEpoch     that this node gave.
         * @param peerEpoch    that the other node gave.
         * @param peerSessions of the other node's streams, which are admitted.
         */
        void onLinked(int ownEpoch, int peerEpoch, Sessions peerSessions);

        /**
         * The nodes do not fit together. Told once for each text until there is a link.
         *
         * @param text what differs, with both values.
         */
        void onRefused(String text);

        /**
         * Somebody does not know the secret.
         *
         * @param session Aeron session that it came on.
         */
        void onBadProof(int session);
    }

    /**
     * What a handshake needs to know.
     *
     * @param ownNode  index of this node.
     * @param peerNode index of the other node.
     * @param terms    of this node.
     * @param secret   of the group.
     * @param nonces   fresh random bytes, {@link HandshakeDescriptor#NONCE_LENGTH} of them each time.
     * @param epochs   last link epoch that this node gave; best random at first.
     * @param repeatNs after which a step is repeated.
     */
    public record Settings(
        int ownNode, int peerNode, GroupTerms terms, GroupSecret secret, Supplier<byte[]> nonces, MutableInteger epochs,
        long repeatNs)
    {
    }

    private final BatchSink sink;

    Handshake(final Settings settings, final Drops drops, final BatchSink sink, final Listener listener)
    {
        this.settings = settings;
        this.drops = drops;
        this.sink = sink;
        this.listener = listener;
        ownNode = settings.ownNode();
        peerNode = settings.peerNode();
        secret = settings.secret();
        terms = settings.terms();
        encodedTerms = terms.encode();
        termsDigest = terms.digest();
        repeatNs = settings.repeatNs();
    }

    /** The side that this node has to take. */
    public static Handshake create(
        final Settings settings, final Drops drops, final BatchSink sink, final Listener listener)
    {
        return settings.ownNode() < settings.peerNode() ? new HandshakeInitiator(settings, drops, sink, listener) :
            new HandshakeResponder(settings, drops, sink, listener);
    }

    /**
     * Begins, or begins anew: a link that stood is over.
     *
     * @param sessions of this node's streams.
     * @param nowNs    the time.
     */
    public final void start(final Sessions sessions, final long nowNs)
    {
        ownSessions = sessions;
        isLinked = false;
        told = null;
        onStart(nowNs);
    }

    abstract void onStart(long nowNs);

    /** Repeats what is due. */
    public abstract void poll(long nowNs);

    abstract void onStep(HandshakeMessage message, byte[] digest, long nowNs);

    /**
     * A message came that is no batch.
     *
     * @param session Aeron session that it came on.
     * @param buffer  that holds it.
     * @param offset  in bytes.
     * @param length  in bytes.
     * @param nowNs   the time.
     */
    public final void onMessage(
        final int session, final DirectBuffer buffer, final int offset, final int length, final long nowNs)
    {
        final HandshakeMessage message = HandshakeMessage.decode(buffer, offset, length);
        if (message == null)
        {
            drops.add(Drop.HANDSHAKE);
        }
        else if (message.sourceNode() != peerNode || message.destNode() != ownNode)
        {
            drops.add(Drop.NODE);
        }
        else if (message.version() != BatchDescriptor.VERSION)
        {
            drops.add(Drop.VERSION);
            final String text = "version: found=" + message.version() + ", expected=" + BatchDescriptor.VERSION;
            refuse(text, message, nowNs);
            tell(text);
        }
        else if (message.session() != session)
        {
            drops.add(Drop.HANDSHAKE);
        }
        else
        {
            final boolean hasTerms = message.kind() == BatchDescriptor.KIND_HELLO ||
                message.kind() == BatchDescriptor.KIND_CHALLENGE;
            final GroupTerms theirs = hasTerms ? GroupTerms.decode(message.text()) : terms;
            if (theirs == null || message.kind() != BatchDescriptor.KIND_REFUSE && message.groupHash() != theirs.hash())
            {
                drops.add(Drop.HANDSHAKE);
                return;
            }
            final String difference = terms.firstDifference(theirs);
            if (difference != null)
            {
                drops.add(Drop.TERMS);
                refuse(difference, message, nowNs);
                tell(difference);
                return;
            }
            onStep(message, hasTerms ? theirs.digest() : termsDigest, nowNs);
        }
    }

    /** Tells the other side what differs, if that is this side's part. */
    abstract void refuse(String text, HandshakeMessage message, long nowNs);

    final void tell(final String text)
    {
        if (!text.equals(told))
        {
            told = text;
            listener.onRefused("node " + peerNode + " and this node, " + ownNode + ", differ: " + text);
        }
    }

    /** The other side said what differs: its found is what we have. */
    final void onRefuse(final HandshakeMessage message)
    {
        final String text = new String(message.text(), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
        tell("it says: " + text.substring(0, Math.min(text.length(), MAX_TOLD_LENGTH)));
    }

    final void linked(final int own, final int peer, final Sessions sessions)
    {
        isLinked = true;
        ownEpoch = own;
        peerEpoch = peer;
        peerSession = sessions.messages();
        told = null;
        listener.onLinked(own, peer, sessions);
    }

    final boolean send(
        final int kind, final int receiverEpoch, final int senderEpoch, final byte[] initiatorNonce,
        final byte[] responderNonce, final byte[] proof, final byte[] text)
    {
        outgoing.wrap(new HandshakeMessage(
            kind, BatchDescriptor.VERSION, ownNode, peerNode, terms.hash(), receiverEpoch, senderEpoch, ownSessions,
            initiatorNonce == null ? NO_NONCE : initiatorNonce, responderNonce == null ? NO_NONCE : responderNonce,
            proof == null ? NO_PROOF : proof, text == null ? NO_TEXT : text).encode());
        return sink.offer(outgoing, 0, outgoing.capacity()) >= 0;
    }

    /** Random bytes that nobody can know before. */
    public static byte[] newNonce()
    {
        final byte[] nonce = new byte[HandshakeDescriptor.NONCE_LENGTH];
        new SecureRandom().nextBytes(nonce);
        return nonce;
    }

    /** All that both sides have said, initiator first. */
    static byte[] transcript(
        final int initiatorNode, final int responderNode, final int initiatorEpoch, final int responderEpoch,
        final byte[] initiatorNonce, final byte[] responderNonce, final Sessions initiator, final Sessions responder,
        final byte[] initiatorDigest, final byte[] responderDigest)
    {
        final byte[] bytes = new byte[(5 + 2 * Sessions.COUNT) * Integer.BYTES + 2 * NONCE_LENGTH + initiatorDigest.length +
            responderDigest.length];
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        buffer.putInt(BatchDescriptor.VERSION).putInt(initiatorNode).putInt(responderNode)
            .putInt(initiatorEpoch).putInt(responderEpoch).putInt(initiator.messages()).putInt(responder.messages())
            .putInt(initiator.bulk()).putInt(responder.bulk()).putInt(initiator.high()).putInt(responder.high())
            .put(initiatorNonce).put(responderNonce).put(initiatorDigest).put(responderDigest);
        return bytes;
    }

    /** What the proof of a CHALLENGE is made over: with the link that the HELLO names, if it names one. */
    static byte[] asked(final byte[] transcript, final int standingEpoch)
    {
        return standingEpoch == 0 ? transcript :
            ByteBuffer.allocate(transcript.length + Integer.BYTES).put(transcript).putInt(standingEpoch).array();
    }

    final byte[] nonce()
    {
        return settings.nonces().get();
    }

    /** A link epoch that this node has not given before; never 0. */
    final int nextEpoch()
    {
        final int next = settings.epochs().incrementAndGet();
        return next != 0 ? next : settings.epochs().incrementAndGet();
    }

    public boolean isLinked()
    {
        return isLinked;
    }

    public int ownEpoch()
    {
        return ownEpoch;
    }

    int peerEpoch()
    {
        return peerEpoch;
    }

    public int peerSession()
    {
        return peerSession;
    }
}
