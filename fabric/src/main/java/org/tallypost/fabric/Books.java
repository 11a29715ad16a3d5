// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import org.tallypost.creditprotocol.Account;
import org.tallypost.creditprotocol.ControlPackets;
import org.tallypost.creditprotocol.CreditStore;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;

/**
 * The protocol's real state of all processes: a {@link Ledger} and an {@link Account} each, and the credits at hand.
 */
final class Books implements FabricView
{
    /** Carries out what ledgers and accounts decide. */
    interface Carrier
    {
        /** A process sends a control packet. */
        void control(int from, int to, int kind, int value);

        /** A process gives credits in memory that both map. */
        void giveDirectly(int from, int to, int credits);

        /** A process decides on a steal. */
        void steals();
    }

    private static final int PLENTY = Integer.MAX_VALUE;

    private final int processes;
    private final Pairs pairs;
    private final int[] cells;
    private final Ledger[] ledgers;
    private final Account[] accounts;

    Books(final int processes, final Pairs pairs, final FlowOptions options, final Carrier carrier)
    {
        this.processes = processes;
        this.pairs = pairs;
        cells = pairs.cells;
        ledgers = new Ledger[processes];
        accounts = new Account[processes];
        if (options.flow() == Flow.NONE || processes == 1)
        {
            for (int row = 0; row < cells.length; row += pairs.row(0, 1))
            {
                cells[row + Pairs.CREDITS] = PLENTY;
            }
            return;
        }
        for (int process = 0; process < processes; process++)
        {
            final Hand hand = new Hand(process, options, carrier);
            ledgers[process] = options.ledger(processes - 1, hand);
            accounts[process] = new Account(processes, options.creditSlots(), hand, hand);
        }
        for (int process = 0; process < processes; process++)
        {
            for (int peer = 0; peer < processes; peer++)
            {
                cells[at(process, peer)] = peer == process ? 0 : ledgers[peer].currentCredits(index(peer, process));
            }
        }
    }

    /** A process's number among the senders of another one, which does not send to itself. */
    static int index(final int receiver, final int sender)
    {
        return sender < receiver ? sender : sender - 1;
    }

    private static int peer(final int receiver, final int index)
    {
        return index < receiver ? index : index + 1;
    }

    /** Where the credits are that a process has at hand for a peer. */
    private int at(final int process, final int peer)
    {
        return pairs.row(process, peer) + Pairs.CREDITS;
    }

    Ledger ledger(final int process)
    {
        return ledgers[process];
    }

    Account account(final int process)
    {
        return accounts[process];
    }

    @Override
    public int credits(final int sender, final int receiver)
    {
        return ledgers[sender] == null ? 0 : cells[at(sender, receiver)];
    }

    int atHand(final int sender, final int receiver)
    {
        return cells[at(sender, receiver)];
    }

    void take(final int sender, final int receiver, final int count)
    {
        if (ledgers[sender] != null)
        {
            cells[at(sender, receiver)] -= count;
        }
    }

    @Override
    public int currentCredits(final int receiver, final int sender)
    {
        return ledgers[receiver] == null || sender == receiver ? 0 : ledgers[receiver].currentCredits(index(receiver, sender));
    }

    @Override
    public int intendedQuota(final int receiver, final int sender)
    {
        return ledgers[receiver] == null || sender == receiver ? 0 : ledgers[receiver].intendedQuota(index(receiver, sender));
    }

    /** What one process's ledger and account act upon. */
    private final class Hand implements LedgerActions, CreditStore, ControlPackets
    {
        private final int self;
        private final boolean isDirect;
        private final Carrier carrier;

        Hand(final int self, final FlowOptions options, final Carrier carrier)
        {
            this.self = self;
            isDirect = options.direct();
            this.carrier = carrier;
        }

        @Override
        public void grant(final int sender, final int count)
        {
            final int to = peer(self, sender);
            if (isDirect)
            {
                carrier.giveDirectly(self, to, count);
            }
            else
            {
                carrier.control(self, to, Mailboxes.CREDIT, count);
            }
        }

        @Override
        public int revoke(final int victim, final int keep)
        {
            carrier.steals();
            final int from = peer(self, victim);
            if (!isDirect)
            {
                accounts[self].request(from);
                return REQUESTED;
            }
            final int at = at(from, self);
            final int taken = Math.max(0, Math.min(cells[at], ledgers[self].currentCredits(victim)) - keep);
            cells[at] -= taken;
            return taken;
        }

        @Override
        public int credits(final int receiver)
        {
            return cells[at(self, receiver)];
        }

        @Override
        public int takeAll(final int receiver)
        {
            final int all = cells[at(self, receiver)];
            cells[at(self, receiver)] = 0;
            return all;
        }

        @Override
        public void add(final int receiver, final int count)
        {
            cells[at(self, receiver)] += count;
        }

        @Override
        public void sendRequest(final int receiver)
        {
            carrier.control(self, receiver, Mailboxes.REQUEST, 0);
        }

        @Override
        public void sendResponse(final int receiver, final int count)
        {
            carrier.control(self, receiver, Mailboxes.RESPONSE, count);
        }
    }
}
