// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import org.tallypost.mailbox.FuzzInput;
import org.tallypost.transportaeron.internal.handshake.HandshakeMessage;
import org.tallypost.transportaeron.internal.handshake.HandshakeRig;
import org.tallypost.transportaeron.internal.handshake.Sessions;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;

/**
 * Two nodes are linked, and somebody without the secret says any sequence of steps to both, on streams of its own, with whatever
 * it has heard. The link stands: it is never begun anew, and nobody is called a liar but the stranger.
 */
public final class StrangersFuzz
{
    private static final int STRANGERS = 5;
    private static final int FIRST_SESSION = 500;

    private StrangersFuzz()
    {
    }

    /**
     * Entry for the fuzzer.
     *
     * @param bytes of the input.
     */
    public static void fuzzerTestOneInput(final byte[] bytes)
    {
        final FuzzInput input = new FuzzInput(bytes);
        final HandshakeRig rig = new HandshakeRig();
        rig.start();
        rig.run(3);
        rig.assertLinked(1);
        while (input.hasMore())
        {
            final HandshakeRig.Side from = input.nextByte() % 2 == 0 ? rig.initiator : rig.responder;
            final HandshakeRig.Side to = from == rig.initiator ? rig.responder : rig.initiator;
            if (input.nextByte() % 4 == 0)
            {
                rig.run(1 + input.next(3));
            }
            else
            {
                say(input, rig, from, to);
            }
            rig.assertLinked(1);
            if (rig.responder.links.size() != 1)
            {
                throw new AssertionError("the responder has linked anew: " + rig.responder.links);
            }
        }
        rig.run(3);
        rig.assertLinked(1);
    }

    /** Says something in the name of a node, on a session of the stranger. */
    private static void say(
        final FuzzInput input, final HandshakeRig rig, final HandshakeRig.Side from, final HandshakeRig.Side to)
    {
        final int session = FIRST_SESSION + input.next(STRANGERS);
        final int kinds = BatchDescriptor.KIND_CALL - BatchDescriptor.KIND_HELLO + 1;
        final int kind = BatchDescriptor.KIND_HELLO + input.next(kinds);
        final HandshakeMessage heard = from.written.isEmpty() ? null :
            HandshakeRig.decode(from.written.get(input.next(from.written.size())));
        final HandshakeMessage answered = to.written.isEmpty() ? null :
            HandshakeRig.decode(to.written.get(input.next(to.written.size())));
        final boolean isProof = kind == BatchDescriptor.KIND_CHALLENGE || kind == BatchDescriptor.KIND_RESPONSE ||
            kind == BatchDescriptor.KIND_WELCOME;
        final boolean isText = kind == BatchDescriptor.KIND_HELLO || kind == BatchDescriptor.KIND_CHALLENGE;
        final HandshakeMessage model = input.nextByte() % 2 == 0 || answered == null ? heard : answered;
        final byte[] nonce = model == null ? new byte[32] : model.initiatorNonce();
        final byte[] cookie = model == null || !isProof ? new byte[32] : model.responderNonce();
        final byte[] proof = model == null || !isProof ? new byte[32] : model.proof();
        final int[] epochs = {0, from.handshake.ownEpoch(), to.handshake.ownEpoch(), model == null ? 1 : model.senderEpoch(),
            model == null ? 1 : model.receiverEpoch(), input.nextByte()};
        to.read(session, new HandshakeMessage(kind, BatchDescriptor.VERSION, from.node, to.node, rig.terms().hash(),
            epochs[input.next(epochs.length)], epochs[input.next(epochs.length)], new Sessions(session, 0, 0), nonce, cookie,
            proof,
            isText ? rig.terms().encode() : new byte[0]).encode(), rig.nowNs);
    }
}
