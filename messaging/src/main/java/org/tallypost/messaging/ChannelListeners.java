// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.TakenChannelException;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;

/**
 * Reads what comes by the channels of messengers, and hands it to the side that it is for. Only lengths are checked here. What is
 * of an unknown kind, or too short for its kind, is refused. One thread.
 */
final class ChannelListeners
{
    private final MessengerState shared;
    private final IncomingMessages incoming;
    private final OutgoingMessages outgoing;
    private final IncomingData data;
    private final Channel[] channels = new Channel[MessageKind.COUNT];

    ChannelListeners(final MessengerState shared, final IncomingMessages incoming, final OutgoingMessages outgoing)
    {
        this.shared = shared;
        this.incoming = incoming;
        this.outgoing = outgoing;
        data = new IncomingData(shared, incoming);
    }

    void open()
    {
        final FragmentListener runs = new DataListener();
        for (int kind = 0; kind < channels.length; kind++)
        {
            final int id = shared.context.firstChannel() + kind;
            final MessageListener messages = listener(kind);
            final FragmentListener fragments = kind == MessageKind.DATA ? runs : this::onFragment;
            channels[kind] = TakenChannelException.named("MessengerContext.firstChannel",
                () -> shared.endpoint.channel(id, messages, fragments));
        }
    }

    void close()
    {
        for (final Channel channel : channels)
        {
            if (channel != null)
            {
                channel.close();
            }
        }
    }

    private MessageListener listener(final int kind)
    {
        switch (kind)
        {
            case MessageKind.EAGER:
                return (source, compact, buffer, offset, length) -> incoming.onEager(
                    source, MessageKind.context(compact), MessageKind.tag(compact), 0, buffer, offset, length);
            case MessageKind.EAGER_EXTENDED:
                return this::onExtended;
            case MessageKind.EAGER_SYNC:
                return this::onSync;
            case MessageKind.RTS:
            case MessageKind.RTS_REGION:
            case MessageKind.RTS_LOAN:
            case MessageKind.RTS_MEMORY:
                return announcements(kind);
            case MessageKind.CTS:
                return this::onClearToSend;
            case MessageKind.DATA:
                return this::onData;
            default:
                return answerListener(kind);
        }
    }

    private MessageListener answerListener(final int kind)
    {
        switch (kind)
        {
            case MessageKind.DONE:
                return this::onDone;
            case MessageKind.CANCEL:
                return this::onCancel;
            case MessageKind.CANCELLED:
                return this::onCancelled;
            case MessageKind.WINDOW:
                return this::onWindow;
            case MessageKind.HELLO:
                return this::onHello;
            case MessageKind.LOOK:
                return (source, tag, buffer, offset, length) ->
                {
                    // the round that it begins looks after all that is staged
                };
            case MessageKind.GOODBYE:
                return this::onGoodbye;
            default:
                return (source, tag, buffer, offset, length) -> shared.refuse();
        }
    }

    private boolean isShort(final int length, final int least)
    {
        if (length < least)
        {
            shared.refuse();
            return true;
        }
        return false;
    }

    private static int context(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + HeadDescriptor.CONTEXT_OFFSET, LITTLE_ENDIAN);
    }

    private static int tag(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + HeadDescriptor.TAG_OFFSET, LITTLE_ENDIAN);
    }

    private static long number(final DirectBuffer buffer, final int index)
    {
        return buffer.getLong(index, LITTLE_ENDIAN);
    }

    private void onExtended(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isShort(length, HeadDescriptor.EXTENDED_LENGTH))
        {
            incoming.onEager(source, context(buffer, offset), tag(buffer, offset), 0, buffer,
                offset + HeadDescriptor.EXTENDED_LENGTH, length - HeadDescriptor.EXTENDED_LENGTH);
        }
    }

    private void onSync(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isShort(length, HeadDescriptor.SYNC_LENGTH))
        {
            return;
        }
        final long id = number(buffer, offset + HeadDescriptor.SEND_ID_OFFSET);
        if (id == 0)
        {
            shared.refuse();
            return;
        }
        incoming.onEager(source, context(buffer, offset), tag(buffer, offset), id, buffer,
            offset + HeadDescriptor.SYNC_LENGTH, length - HeadDescriptor.SYNC_LENGTH);
    }

    private MessageListener announcements(final int kind)
    {
        final int least = kind == MessageKind.RTS ? HeadDescriptor.RTS_LENGTH : HeadDescriptor.PLACED_LENGTH;
        return (source, none, buffer, offset, length) ->
        {
            if (!isShort(length, least))
            {
                incoming.onReadyToSend(source, context(buffer, offset), tag(buffer, offset),
                    number(buffer, offset + HeadDescriptor.SEND_ID_OFFSET),
                    number(buffer, offset + HeadDescriptor.MESSAGE_LENGTH_OFFSET), kind, buffer,
                    offset + HeadDescriptor.PLACE_KEY_OFFSET);
            }
        };
    }

    private void onClearToSend(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isShort(length, HeadDescriptor.CTS_LENGTH))
        {
            outgoing.onClearToSend(source, number(buffer, offset + HeadDescriptor.ANSWERED_ID_OFFSET),
                number(buffer, offset + HeadDescriptor.RECEIVE_ID_OFFSET), number(buffer, offset + HeadDescriptor.WANTED_OFFSET),
                length >= HeadDescriptor.CTS_STAGED_LENGTH ? buffer : null, offset);
        }
    }

    private void onData(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isShort(length, HeadDescriptor.DATA_LENGTH))
        {
            data.onWhole(source, number(buffer, offset + HeadDescriptor.ASKING_ID_OFFSET),
                number(buffer, offset + HeadDescriptor.POSITION_OFFSET), buffer, offset + HeadDescriptor.DATA_LENGTH,
                length - HeadDescriptor.DATA_LENGTH);
        }
    }

    private void onDone(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isShort(length, HeadDescriptor.DONE_LENGTH))
        {
            outgoing.onDone(source, number(buffer, offset + HeadDescriptor.ANSWERED_ID_OFFSET));
        }
    }

    private void onCancel(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isShort(length, HeadDescriptor.SYNC_LENGTH))
        {
            incoming.store().onCancel(source, context(buffer, offset), tag(buffer, offset),
                number(buffer, offset + HeadDescriptor.SEND_ID_OFFSET));
        }
    }

    private void onCancelled(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isShort(length, HeadDescriptor.DONE_LENGTH))
        {
            outgoing.onCancelled(source, number(buffer, offset + HeadDescriptor.ANSWERED_ID_OFFSET));
        }
    }

    private void onWindow(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isShort(length, HeadDescriptor.WINDOW_LENGTH))
        {
            outgoing.onLimits(source, number(buffer, offset + HeadDescriptor.SESSION_OFFSET),
                number(buffer, offset + HeadDescriptor.BYTES_LIMIT_OFFSET),
                number(buffer, offset + HeadDescriptor.ANNOUNCEMENTS_LIMIT_OFFSET));
        }
    }

    private void onHello(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isShort(length, HeadDescriptor.HELLO_LENGTH))
        {
            incoming.onHello(source, number(buffer, offset + HeadDescriptor.SESSION_OFFSET),
                number(buffer, offset + HeadDescriptor.VERSION_OFFSET));
        }
    }

    /** The other side is closed. What it says of sessions that are over, or were never, changes nothing. */
    private void onGoodbye(final int source, final int part, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isShort(length, HeadDescriptor.GOODBYE_LENGTH))
        {
            final long heard = number(buffer, offset + HeadDescriptor.HEARD_SESSION_OFFSET);
            final boolean isReceiverMeant = outgoing.onGoodbye(source, heard, part);
            final boolean isSenderMeant = (part & HeadDescriptor.GOODBYE_LOW) != 0 && incoming.onGoodbye(
                source, number(buffer, offset + HeadDescriptor.LEFT_SESSION_OFFSET), outgoing.hasGreeted(source, heard));
            shared.counters.add(Counter.OUTDATED, isReceiverMeant || isSenderMeant ? 0 : 1);
        }
    }

    /** Only bytes of announced messages come in several runs. */
    private void onFragment(
        final int source, final int message, final int tag, final int totalLength, final int position,
        final DirectBuffer buffer, final int offset, final int length)
    {
        if (position == 0)
        {
            shared.refuse();
        }
    }

    /** Bytes of announced messages, run by run. */
    private final class DataListener implements FragmentListener
    {
        @Override
        public void onFragment(
            final int source, final int message, final int tag, final int totalLength, final int position,
            final DirectBuffer buffer, final int offset, final int length)
        {
            if (position > 0)
            {
                data.onRun(source, message, buffer, offset, length);
            }
            else if (!isShort(length, HeadDescriptor.DATA_LENGTH) &&
                data.begin(source, message, number(buffer, offset + HeadDescriptor.ASKING_ID_OFFSET),
                    number(buffer, offset + HeadDescriptor.POSITION_OFFSET), totalLength - HeadDescriptor.DATA_LENGTH))
            {
                data.onRun(
                    source, message, buffer, offset + HeadDescriptor.DATA_LENGTH, length - HeadDescriptor.DATA_LENGTH);
            }
        }

        @Override
        public void onLost(final int source, final int message, final int tag, final int totalLength, final int position)
        {
            data.onLost(source, message);
        }
    }
}
