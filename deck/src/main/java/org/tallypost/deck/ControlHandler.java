// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.collections.Int2ObjectHashMap;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.RankState;

/** What a deck does about control messages, and about ranks that come and go. The thread of the deck. */
final class ControlHandler
{
    private final Deck deck;
    private final int rank;
    private final Controls controls;
    private final IncomingMessages incoming;
    private final Names names;
    private final Presence presence;
    private final Int2ObjectHashMap<Operation> numbered = new Int2ObjectHashMap<>();
    private final List<Destination> destinations = new ArrayList<>();
    /** Begins anywhere: what was asked by a former process of this rank is not answered to this one. */
    private int nextNumber = ThreadLocalRandom.current().nextInt();

    ControlHandler(final Deck deck, final int rank, final Controls controls, final IncomingMessages incoming)
    {
        this.deck = deck;
        this.rank = rank;
        this.controls = controls;
        this.incoming = incoming;
        names = new Names(deck, controls);
        presence = new Presence(deck.rankCount());
    }

    MembershipListener presence()
    {
        return presence;
    }

    int work()
    {
        return presence.work();
    }

    /**
     * Follows which ranks come and go. Those that go are forgotten at once: all that they have sent had its turn in earlier
     * rounds, and the next message of the rank is one of its next process.
     */
    private final class Presence implements MembershipListener
    {
        /** Of each rank the incarnation that is open, 0 if none is. */
        private final int[] open;
        /** Of each rank the last incarnation that is over. */
        private final int[] gone;
        private final List<Integer> toGreet = new ArrayList<>();

        Presence(final int rankCount)
        {
            open = new int[rankCount];
            gone = new int[rankCount];
        }

        @Override
        public void onOpen(final int rank, final int incarnation)
        {
            open[rank] = incarnation;
            toGreet.add(rank);
        }

        @Override
        public void onGone(final int rank, final int incarnation)
        {
            open[rank] = 0;
            gone[rank] = incarnation;
            forget(rank, incarnation);
        }

        int work()
        {
            final int work = toGreet.size();
            if (work == 0)
            {
                // no iterators on the hot path
                return 0;
            }
            for (final int rank : toGreet)
            {
                register(rank);
            }
            toGreet.clear();
            return work;
        }
    }

    /** A rank is gone with all that it was to give. */
    private void forget(final int rank, final int incarnation)
    {
        names.onGone(rank, incarnation);
        incoming.onGone(rank);
        for (int i = destinations.size() - 1; i >= 0; i--)
        {
            final Destination each = destinations.get(i);
            if (each.rank == rank && each.incarnation <= incarnation)
            {
                each.failure = DeckFailure.OWNER_GONE;
                destinations.remove(i);
            }
        }
        for (final Operation each : numbered.values())
        {
            if (each instanceof NameRequest && ((NameRequest)each).home() == rank && each.isActive())
            {
                // it may be started anew, in time
                ((NameRequest)each).sendAgain();
            }
        }
    }

    /** A rank that keeps names may have been started anew, and then knows none. */
    private void register(final int rank)
    {
        for (final MailBox box : incoming.boxes())
        {
            if (box.isNamed && Names.home(box.name(), deck.rankCount()) == rank)
            {
                controls.send(rank, ControlDescriptor.CREATE, box.number(), box.name(), box, null);
            }
        }
    }

    /**
     * The incarnation of a rank that a message is about. Each node counts those of ranks elsewhere by itself, so what another
     * node says is not comparable: then it is the one that this endpoint has heard of last. Another one may be open by now.
     */
    int incarnation(final int source, final int of, final int said)
    {
        if (deck.isSameNode(source) && deck.isSameNode(of))
        {
            return said;
        }
        if (presence.open[of] != 0)
        {
            return presence.open[of];
        }
        // messages of the first one may be here before it was heard of
        return deck.stateOf(of) == RankState.OPEN ? deck.incarnationOf(of) : presence.gone[of] + 1;
    }

    boolean isGone(final int rank, final int incarnation)
    {
        return incarnation <= presence.gone[rank];
    }

    /** A number by which answers find their operation. */
    int enter(final Operation operation)
    {
        while (nextNumber == 0 || numbered.containsKey(nextNumber))
        {
            nextNumber++;
        }
        numbered.put(nextNumber, operation);
        return nextNumber++;
    }

    void leave(final int number)
    {
        numbered.remove(number);
    }

    void onControl(final int source, final int kind, final Controls message, final int nameLength)
    {
        final int request = message.value(ControlDescriptor.REQUEST_OFFSET);
        final int box = message.value(ControlDescriptor.BOX_OFFSET);
        final int value = message.value(ControlDescriptor.VALUE_OFFSET);
        final Operation operation = numbered.get(request);
        switch (kind)
        {
            case ControlDescriptor.CREATE:
            case ControlDescriptor.CLONE:
            case ControlDescriptor.REMOVE:
                onName(source, kind, message, nameLength);
                break;
            case ControlDescriptor.WITHDRAW:
                names.onWithdraw(source, request);
                break;
            case ControlDescriptor.CREATED:
            case ControlDescriptor.CLONED:
                onAnswer(source, kind, message, operation, request);
                break;
            case ControlDescriptor.TOKENS:
                onTokens(source, box, value);
                break;
            case ControlDescriptor.WANT:
                incoming.onWant(source, box, value);
                break;
            case ControlDescriptor.ANNOUNCE:
                incoming.large().onAnnounced(source, request, incoming.find(box), value);
                break;
            case ControlDescriptor.READY:
                onReady(source, operation, value);
                break;
            case ControlDescriptor.CANCEL:
                incoming.large().onCancelled(source, request);
                break;
            case ControlDescriptor.NO_BOX:
                onNoBox(source, box);
                break;
            default:
                deck.count(Counter.REFUSED);
                break;
        }
    }

    private void onName(final int source, final int kind, final Controls message, final int nameLength)
    {
        final String name = message.name(nameLength);
        final int limit = message.value(ControlDescriptor.LIMIT_OFFSET);
        final int buffers = message.value(ControlDescriptor.BUFFERS_OFFSET);
        final int box = message.value(ControlDescriptor.BOX_OFFSET);
        final int request = message.value(ControlDescriptor.REQUEST_OFFSET);
        if (name == null || Names.home(name, deck.rankCount()) != rank ||
            kind == ControlDescriptor.CREATE && !isPossible(box, limit, buffers))
        {
            deck.count(Counter.REFUSED);
        }
        else if (kind == ControlDescriptor.CREATE)
        {
            names.onCreate(source, request,
                new Names.Entry(source, message.sourceIncarnation(), box, limit, buffers), name);
        }
        else if (kind == ControlDescriptor.CLONE)
        {
            names.onClone(source, request, name);
        }
        else
        {
            names.onRemove(source, box, name);
        }
    }

    private static boolean isPossible(final int box, final int limit, final int buffers)
    {
        return box >= 0 && box < BoxNumbers.COUNT && limit >= SizeClass.MIN && limit <= SizeClass.MAX && buffers > 0 &&
            buffers <= DeckContext.MAX_BUFFERS;
    }

    private void onAnswer(
        final int source, final int kind, final Controls message, final Operation operation, final int request)
    {
        final int value = message.value(ControlDescriptor.VALUE_OFFSET);
        final NameRequest asked = operation instanceof NameRequest ? (NameRequest)operation : null;
        if (asked == null || asked.isAnswered() || asked.home() != source ||
            asked.isCreation() != (kind == ControlDescriptor.CREATED))
        {
            // an answer after the deadline: its request is not known any more
            deck.count(operation == null ? Counter.UNDELIVERED : Counter.REFUSED);
        }
        else if (kind == ControlDescriptor.CREATED)
        {
            asked.onCreated(value);
        }
        else if (value == ControlDescriptor.BUSY)
        {
            asked.onCloned(null);
        }
        else if (value < 0 || value >= deck.rankCount() || !isPossible(message.value(ControlDescriptor.BOX_OFFSET),
            message.value(ControlDescriptor.LIMIT_OFFSET), message.value(ControlDescriptor.BUFFERS_OFFSET)))
        {
            deck.count(Counter.REFUSED);
        }
        else
        {
            asked.onCloned(destination(asked.name(), source, value, message));
        }
    }

    /** Clones of one mail box share its tokens. */
    private Destination destination(final String name, final int home, final int rank, final Controls message)
    {
        final int box = message.value(ControlDescriptor.BOX_OFFSET);
        final int owner = incarnation(home, rank, message.value(ControlDescriptor.OWNER_OFFSET));
        for (final Destination each : destinations)
        {
            if (each.rank == rank && each.box == box && each.incarnation == owner && each.failure == null)
            {
                return each;
            }
        }
        final Destination made = new Destination(controls, name, rank, box, message.value(ControlDescriptor.LIMIT_OFFSET),
            message.value(ControlDescriptor.BUFFERS_OFFSET), owner);
        if (isGone(rank, owner))
        {
            made.failure = DeckFailure.OWNER_GONE;
        }
        else
        {
            destinations.add(made);
        }
        return made;
    }

    private Destination find(final int rank, final int box)
    {
        for (int i = 0; i < destinations.size(); i++)
        {
            final Destination each = destinations.get(i);
            if (each.rank == rank && each.box == box)
            {
                return each;
            }
        }
        return null;
    }

    private void onTokens(final int source, final int box, final int value)
    {
        final Destination destination = find(source, box);
        final int sizeClass = value & 0xFF;
        if (destination == null)
        {
            deck.count(Counter.UNDELIVERED);
        }
        else if (sizeClass < SizeClass.MIN || sizeClass > destination.limit || !destination.give(sizeClass, value >>> 8))
        {
            deck.count(Counter.REFUSED);
        }
    }

    private void onNoBox(final int source, final int box)
    {
        final Destination destination = find(source, box);
        if (destination != null)
        {
            destination.failure = DeckFailure.BOX_CLOSED;
            destinations.remove(destination);
        }
    }

    private void onReady(final int source, final Operation operation, final int value)
    {
        if (operation instanceof Posting && ((Posting)operation).isFrom(source))
        {
            ((Posting)operation).onReady(value);
        }
        else if (value >= 0)
        {
            // the time was over before: the owner keeps a buffer that would never be filled
            controls.send(source, ControlDescriptor.CANCEL, value, 0, 0);
        }
    }
}
