// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import org.agrona.DirectBuffer;

/** What a program of the study sees of its rank: the same for live ranks and for simulated ones. One thread for each rank. */
interface LoggpRank
{
    /** Runs at the receiver of a request. What it returns goes back to the sender. */
    interface RequestCode
    {
        int run(int source, int a, int b);
    }

    /** Runs at the sender when the answer is there. */
    interface AnswerCode
    {
        void run(int a, int value);
    }

    /** Runs at the receiver of a block. */
    interface BlockCode
    {
        void run(int source, int a, DirectBuffer buffer, int offset, int length);
    }

    int rank();

    int size();

    /** Sets the code for requests of a number, and for their answers. All ranks do so before the first request comes. */
    void onRequest(int number, RequestCode code, AnswerCode answer);

    void onBlock(int number, BlockCode code);

    /** Polls, and sends a request as soon as the window allows. */
    void request(int dest, int number, int a, int b);

    /** Polls, and sends a block of at most 4,096 bytes. */
    void block(int dest, int number, int a, DirectBuffer buffer, int offset, int length);

    /** Polls once, and waits for something to come if nothing is there. */
    void poll();

    /** Polls until all requests of this rank are answered. */
    void awaitAnswers();

    /** Takes the time of so many simple operations: in the simulation alone, a machine takes it anyway. */
    void compute(int operations);
}
