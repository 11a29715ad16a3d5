// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The rules: how many credits each sender may hold. Pure state machines without memory mappings, threads, clocks or I/O: inputs
 * come in as calls, decisions go out as calls, and nothing is allocated after construction.
 * <pre>
 *      receiver r                                             sender s
 *   +------------------------+   grant: credit packet or    +------------------+
 *   | Ledger                 |   addition to a shared word  | CreditStore      |--- withdraw n, claim n slots ---+
 *   |  StaticLedger (ch. 5)  |-----------------------------&gt;| (credits left)   |                                 |
 *   |  DynamicLedger (ch. 6) |   request                    | Account          |                                 |
 *   |                        |-----------------------------&gt;| (what waits for  |                                 |
 *   |                        |&lt;-----------------------------|  a credit)       |                                 |
 *   +------------------------+   response                   +------------------+                                 |
 *              ^                                                                                                 |
 *              +----------------- n slots of s were retrieved from r's mailbox and are free &lt;--------------------+
 * </pre>
 * One credit is one slot of the receiver's mailbox. A mailbox of S slots for each of n senders has a credit region of k * n
 * slots, for credit packets that arrive unasked, and a data region of (S - k) * n for everything that costs credits. The
 * regions are counts, not places.
 * <p>
 * Sources: thesis chapter 5 (static protocol, Equation 5.1 and Table 5.1), 6.1 (control packets), 6.2 (state), 6.3 (start),
 * 6.5 (modules), Equation 6.1 (how much is stolen), 6.6 (piggybacking), 6.7 (trace). Two rules are repaired, see
 * {@link org.tallypost.creditprotocol.DynamicLedger}; taken as published they stall.
 * <table>
 * <caption>Invariants</caption>
 * <tr><th>number</th><th>what always holds</th><th>why it matters</th></tr>
 * <tr><td>1</td><td>sum of current credits + available slots = data region</td><td>the data region never overflows</td></tr>
 * <tr><td>2</td><td>current credits = sum of thresholds - 1 - retrieved</td><td>a sender reaches a threshold before it
 * runs dry</td></tr>
 * <tr><td>3</td><td>unread credit packets of a pair at most k</td><td>the credit region never overflows</td></tr>
 * <tr><td>4</td><td>sum of intended quotas = data region, each at least k</td><td>what is aimed at exists</td></tr>
 * <tr><td>5</td><td>no loss, no duplicate, order within a pair</td><td>credits are counted on both sides</td></tr>
 * </table>
 * 1, 2 and 4 can be switched on at run time ({@link org.tallypost.creditprotocol.Ledger#checkInvariants(boolean)}); 3 and 5
 * need both sides in view and are checked in the tests' network.
 */
package org.tallypost.creditprotocol;
