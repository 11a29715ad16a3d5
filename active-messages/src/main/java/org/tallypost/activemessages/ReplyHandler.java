// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

/** Runs at the sender of a request when its short answer comes. It sends nothing and does not block. */
@FunctionalInterface
public interface ReplyHandler
{
    /**
     * An answer. What it throws goes to the error handler of the context.
     *
     * @param source rank that has answered.
     * @param a      first word of the answer.
     * @param b      second word.
     * @param c      third word.
     * @param d      fourth word.
     * @param e      fifth word.
     */
    void onReply(int source, int a, int b, int c, int d, int e);
}
