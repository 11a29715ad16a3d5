// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/** Creates a mail box, or looks one up: asks the home of the name. */
final class NameRequest extends Operation
{
    private final Deck deck;
    private final String name;
    /** That is created; null if one is looked up. */
    private final MailBox created;
    private final int home;
    private boolean isSent;
    private boolean isAnswered;
    private int number;
    private Destination found;

    NameRequest(final Deck deck, final String name, final MailBox created)
    {
        Names.check(name);
        this.deck = deck;
        this.name = name;
        this.created = created;
        home = Names.home(name, deck.rankCount());
    }

    /** The home went away. If it comes back it knows nothing of this. */
    void sendAgain()
    {
        isSent = isAnswered;
    }

    int number()
    {
        return number;
    }

    int home()
    {
        return home;
    }

    boolean isAnswered()
    {
        return isAnswered;
    }

    Destination found()
    {
        return found;
    }

    @Override
    boolean attempt(final long nowNs)
    {
        if (number == 0)
        {
            number = deck.handler().enter(this);
            if (created != null)
            {
                deck.incoming().open(created);
            }
        }
        if (isActive() && !isSent)
        {
            isSent = true;
            deck.controls().send(home, created == null ? ControlDescriptor.CLONE : ControlDescriptor.CREATE,
                created == null ? 0 : created.number(), name, created, this);
        }
        if (isActive() && !isAnswered && isLate(nowNs))
        {
            expire();
        }
        if (isActive() && !isAnswered)
        {
            return false;
        }
        deck.handler().leave(number);
        if (created != null && failure() != null)
        {
            deck.incoming().close(created);
        }
        return isActive() ? end() : true;
    }

    private void expire()
    {
        if (created == null)
        {
            deck.controls().send(home, ControlDescriptor.WITHDRAW, number, 0, 0);
            fail(DeckFailure.TIMED_OUT, "no mail box has the name in time: " + this +
                "; create it, start the process that does, or wait longer");
        }
        else
        {
            deck.controls().send(home, ControlDescriptor.REMOVE, created.number(), name, null, null);
            fail(DeckFailure.TIMED_OUT, "the home of the name has not answered in time: " + this +
                "; open a deck at that rank and let it work, or wait longer");
        }
    }

    void onCreated(final int value)
    {
        isAnswered = true;
        created.isNamed = value == 0;
        if (value != 0)
        {
            fail(DeckFailure.DUPLICATE_NAME, "a mail box has the name already: name='" + name + "', owner=rank " + (value - 1));
        }
    }

    void onCloned(final Destination destination)
    {
        isAnswered = true;
        found = destination;
        if (destination == null)
        {
            fail(DeckFailure.BUSY, "the home of the name has " + Names.MAX_WAITING + " clones waiting: " + this);
        }
    }

    boolean isCreation()
    {
        return created != null;
    }

    String name()
    {
        return name;
    }

    @Override
    void abandon()
    {
        fail(DeckFailure.CLOSED, "the deck was closed: " + this);
    }

    @Override
    public String toString()
    {
        return (created == null ? "clone" : "create") + " name='" + name + "', home=rank " + home + ", which is " +
            deck.stateOf(home);
    }
}
