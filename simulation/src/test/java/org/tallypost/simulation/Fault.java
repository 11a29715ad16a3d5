// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

/** What can go wrong in a simulation. A seed chooses some of them. */
enum Fault
{
    /** A process dies between two calls. */
    CRASH,
    /** A process dies in the midst of a call, before any access to shared memory. */
    CRASH_INSIDE,
    /** A process stands still between two calls, up to several liveness intervals. */
    PAUSE,
    /** A process stands still in the midst of a call while others run; some die before they go on. */
    PAUSE_INSIDE,
    /** An endpoint or a node is closed and opened again. */
    CLOSE,
    /** The wall clock of a host jumps, to and fro. */
    CLOCK_JUMP,
    /** A file cannot be made for want of room. */
    NO_ROOM,
    /** Processes live in pid namespaces of their own, where only heartbeats tell. */
    NAMESPACES,
    /** An Error ends an offer, before any access to shared memory, and perhaps what clears up behind it, too. */
    ERROR_INSIDE,
    /** A claim stays open over other work, or is aborted. */
    OPEN_CLAIM,
    /** A message of several runs is given up in the midst of it. */
    GIVE_UP,
    /** A batch of packets is lost on the way. */
    LOSS,
    /** A batch of packets comes twice. */
    DUPLICATE,
    /** A batch of packets comes late, behind others. */
    REORDER,
    /** Nothing goes from one node to another, in one direction or both. */
    PARTITION,
    /** A publication takes nothing for a while. */
    BACK_PRESSURE,
    /** The stream of a node ends at its receiver and begins anew. */
    IMAGE_LOST,
    /** The media driver dies. */
    DRIVER_LOST
}
