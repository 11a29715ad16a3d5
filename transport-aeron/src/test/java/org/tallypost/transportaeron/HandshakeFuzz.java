// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.util.Arrays;
import org.tallypost.mailbox.FuzzInput;
import org.tallypost.transportaeron.internal.handshake.HandshakeRig;

/**
 * Two nodes shake hands while somebody changes, repeats, drops and invents what they say. Nothing is thrown; and when the
 * network is honest again, they link.
 */
public final class HandshakeFuzz
{
    private static final int ENOUGH = 64;

    private HandshakeFuzz()
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
        while (input.hasMore())
        {
            final HandshakeRig.Side from = input.nextByte() % 2 == 0 ? rig.initiator : rig.responder;
            final HandshakeRig.Side to = from == rig.initiator ? rig.responder : rig.initiator;
            step(input, rig, from, to);
        }
        rig.initiator.unread.clear();
        rig.responder.unread.clear();
        rig.run(ENOUGH);
        if (!rig.initiator.handshake.isLinked() || !rig.responder.handshake.isLinked())
        {
            throw new AssertionError("not linked: " + rig.initiator.drops + ", " + rig.responder.drops);
        }
    }

    private static void step(
        final FuzzInput input, final HandshakeRig rig, final HandshakeRig.Side from, final HandshakeRig.Side to)
    {
        switch (input.nextByte() % 6)
        {
            case 0:
                rig.nowNs += HandshakeRig.REPEAT_NS / 2;
                from.handshake.poll(rig.nowNs);
                break;
            case 1:
                rig.deliver(from, to);
                break;
            case 2:
                change(input, rig, from, to);
                break;
            case 3:
                final byte[] invented = input.nextBytes(input.next(300));
                to.read(input.nextByte() % 2 == 0 ? from.session : input.nextByte(), invented, rig.nowNs);
                break;
            case 4:
                if (!from.written.isEmpty())
                {
                    to.read(from.session, from.written.get(input.next(from.written.size())), rig.nowNs);
                }
                break;
            default:
                from.unread.clear();
                break;
        }
    }

    private static void change(
        final FuzzInput input, final HandshakeRig rig, final HandshakeRig.Side from, final HandshakeRig.Side to)
    {
        if (!from.written.isEmpty())
        {
            byte[] bytes = from.written.get(input.next(from.written.size())).clone();
            for (int changes = 1 + input.next(3); changes > 0; changes--)
            {
                bytes[input.next(bytes.length)] = (byte)input.nextByte();
            }
            if (input.nextByte() % 4 == 0)
            {
                bytes = Arrays.copyOf(bytes, input.next(2300));
            }
            to.read(from.session, bytes, rig.nowNs);
        }
    }
}
