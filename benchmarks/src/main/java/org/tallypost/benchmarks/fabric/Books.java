// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.fabric;

import org.tallypost.creditprotocol.Account;
import org.tallypost.creditprotocol.ControlPackets;
import org.tallypost.creditprotocol.CreditStore;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;

import java.util.Arrays;

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
    private final int[] credits;
    private final Ledger[] ledgers;
    private final Account[] accounts;

    Books(final int processes, final FlowOptions options, final Carrier carrier)
    {
        this.processes = processes;
        credits = new int[processes * processes];
        ledgers = new Ledger[processes];
        accounts = new Account[processes];
        if (options.flow() == Flow.NONE || processes == 1)
        {
            Arrays.fill(credits, PLENTY);
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
                credits[process * processes + peer] = peer == process ? 0 : ledgers[peer].currentCredits(index(peer, process));
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
        return ledgers[sender] == null ? 0 : credits[sender * processes + receiver];
    }

    int atHand(final int sender, final int receiver)
    {
        return credits[sender * processes + receiver];
    }

    void take(final int sender, final int receiver, final int count)
    {
        if (ledgers[sender] != null)
        {
            credits[sender * processes + receiver] -= count;
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
            final int at = from * processes + self;
            final int taken = Math.max(0, Math.min(credits[at], ledgers[self].currentCredits(victim)) - keep);
            credits[at] -= taken;
            return taken;
        }

        @Override
        public int credits(final int receiver)
        {
            return credits[self * processes + receiver];
        }

        @Override
        public int takeAll(final int receiver)
        {
            final int all = credits[self * processes + receiver];
            credits[self * processes + receiver] = 0;
            return all;
        }

        @Override
        public void add(final int receiver, final int count)
        {
            credits[self * processes + receiver] += count;
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
