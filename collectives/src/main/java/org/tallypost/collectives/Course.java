// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** How the operations of a team go on: by the arena of a node, or by arenas and messages between nodes. */
interface Course
{
    /** Begins an operation, or queues it behind those that are under way. */
    void start(Operation operation);

    /** Does what can be done now. */
    void progress();

    /** Grows whenever something was done. */
    long position();

    /** Whether there is more to do now than was done. */
    boolean isMoving();

    /** Whether something is waited for that wakes nobody: it has to be looked for. */
    boolean isPolling();

    /** Ends the team if a member that is waited for is gone, or in another operation. */
    void lookAtMembers();

    /** Members that are waited for: their numbers. */
    int late(int[] into);

    /** Ends the team for all its members. */
    void fail(long result, int about);

    /** Ends the team for this member. */
    void end(long result);

    /** This member leaves, and the others do not wait for it any more. */
    void leave();

    /** The member for which the team has ended; -1 if it has not. */
    int culprit();
}
