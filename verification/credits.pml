/* Copyright 2026 The Tallypost authors */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The dynamic credit protocol: SENDERS senders, one receiver. What is checked and how it maps to the code is in README.md
 * beside this file; the script "check" runs it.
 *
 * Settings, all with -D:
 *   SENDERS  2 or 3                      K        credit slots of a pair
 *   SLOTS    slots per sender, S         RUN      longest run that a sender wants
 *   REGION   slots for data, if it is not what follows from these
 *   CARRIER  DIRECT, PACKET or NODES     PIECES   1: a run goes in pieces (Send); 0: as a whole, with nudges (offer)
 *   CRASHES  deaths and departures, together     GREEDY   sender 0 wants to send for ever, the others may
 *   WORK     slots that each sender has to send; NODES only, where counts grow
 *   LESS     the same of all but sender 0, if theirs is less
 *   MONITORED, ACTIVE  the victim of a theft always, or never, counts as one that rests; else both are tried
 *   LITERAL  the published rules, without the two repairs
 *   REACH    stops at the first answer to a compulsory request, to show that there is one
 *   WRONG    1: a repeated grant adds again; 2: grants have no epoch; 3: a pair's claims are not waited for when it is closed
 */
#define DIRECT 0
#define PACKET 1
#define NODES 2

#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef K
#define K 1
#endif
#ifndef SLOTS
#define SLOTS 3
#endif
#ifndef RUN
#define RUN 2
#endif
#ifndef CARRIER
#define CARRIER DIRECT
#endif
#ifndef PIECES
#define PIECES 1
#endif
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef WORK
#define WORK 3
#endif
#ifndef LESS
#define LESS WORK
#endif
#ifndef WRONG
#define WRONG 0
#endif

#ifndef REGION
#define REGION ((SLOTS - K) * SENDERS)
#endif
#define ROW (K + 1)

#define INBOX (K + 1)

#define min(a, b) ((a) < (b) -> (a) : (b))
#define max(a, b) ((a) > (b) -> (a) : (b))

/* Activity lists: the senders in the order LOW, MEDIUM, HIGH, NULL; within each list the front first. */
#define LOW 0
#define MEDIUM 1
#define HIGH 2
#define NONE 3

/* A sender's thread: between two messages; wants to send; has marked its claim; has credits in hand; has claimed; has sent. */
#define OFF 0
#define IDLE 1
#define WANTS 2
#define MARKED 3
#define HAND 4
#define CLAIMED 5
#define SENT 6
#define RESTS 7

/* The receiver's view of a sender. */
#define JOINED 0
#define CLOSING 1
#define DRAINING 2
#define GONE 3

/* --- the receiver's ledger ------------------------------------------------------------------------------------------ */
byte threshold[SENDERS * ROW];
byte retrieved[SENDERS];
byte current[SENDERS];
byte intended[SENDERS];
byte sinceMonitor[SENDERS];
byte monitorAt[SENDERS];
bool blocked[SENDERS];
byte order[SENDERS];
byte list[SENDERS];
byte available;
#if CRASHES > 0
bool waiting[SENDERS];
byte phase[SENDERS];
byte drain[SENDERS];
byte counted[SENDERS];            /* the incarnation that the ledger counts */
byte reserved;
byte crashes;
#endif

/* --- what lies between them ----------------------------------------------------------------------------------------- */
byte word[SENDERS];               /* credits in the pair's word; NODES: those not shipped yet */
#if CRASHES > 0
byte wordEpoch[SENDERS];          /* 0: the pair is closed */
#endif
chan ring = [REGION] of { byte, byte, byte };       /* sender, slots, 0 or credits of a response + 1 */
byte unread[SENDERS];             /* slots of a sender in the ring */
byte runs[SENDERS];               /* its runs there */
#if CARRIER != DIRECT
byte returning[SENDERS];          /* credits that responses in the ring give back, beside the one that each costs */
#endif
#if CARRIER == PACKET
chan inbox[SENDERS] = [INBOX] of { byte };          /* 0: a request; else credits */
byte creditPackets[SENDERS];
byte travelling[SENDERS];         /* credits in them */
bool requestDue[SENDERS];         /* decided; waits for a credit of the other direction */
bool responseDue[SENDERS];
#endif
#if CARRIER == NODES
chan wire[SENDERS] = [REGION] of { byte, byte };    /* slots, epoch */
byte onWire[SENDERS];
byte store[SENDERS];              /* credits at the sender's node */
byte granted[SENDERS];            /* the cumulative counts: receiver's node */
byte used[SENDERS];
byte backSeen[SENDERS];
byte asked[SENDERS];
byte applied[SENDERS];            /* and sender's node */
byte back[SENDERS];
byte askSeen[SENDERS];
bool owes[SENDERS];
byte left[SENDERS];               /* slots still to be sent */
#if CRASHES > 0
byte oldGranted[SENDERS];         /* what the network may still deliver of the incarnation before */
#endif
#endif

/* --- the senders ---------------------------------------------------------------------------------------------------- */
byte stage[SENDERS];
byte want[SENDERS];
byte hand[SENDERS];               /* credits withdrawn and not claimed with */
#if CRASHES > 0
byte epoch[SENDERS];
bool isOpen[SENDERS];
bool isAlive[SENDERS];
bool hole[SENDERS];               /* its last run in the ring will never be published */
#endif

#if CRASHES > 0
#define isOurs(s) (wordEpoch[s] == epoch[s])
#define isJoined(s) (phase[s] == JOINED)
#define isGone(s) (phase[s] == GONE)
#define epochOf(s) epoch[s]
#define isThere(s) (isAlive[s] && isOurs(s))
#define isReached(s) (isAlive[s] && epoch[s] == counted[s])
#define givable (available > reserved -> available - reserved : 0)
#define isPublished(s) (stage[s] != CLAIMED || runs[s] > 1 || !isAlive[s])
#else
#define isOurs(s) true
#define isJoined(s) true
#define isGone(s) false
#define epochOf(s) 0
#define isThere(s) true
#define isReached(s) true
#define givable available
#define isPublished(s) (stage[s] != CLAIMED || runs[s] > 1)
#endif

#if CARRIER == NODES
#define credits(s) store[s]
#else
#define credits(s) word[s]
#endif

#if defined(GREEDY) && CARRIER == NODES
bool hasBegun;
#endif

/* scratch, 0 between steps */
hidden byte t, i, j, v, give, total, found, cut, x;

inline sumOf(s, result)
{
    result = 0;
    for (i : 0 .. K)
    {
        result = result + threshold[s * ROW + i];
    }
    i = 0;
}

/* Invariants 1, 2 and 4 of the protocol, and that no credit is where the ledger does not know of it. */
inline check()
{
    total = available;
    x = 0;
    for (j : 0 .. SENDERS - 1)
    {
        total = total + current[j];
        x = x + intended[j];
        assert(intended[j] >= K);
#ifndef LITERAL
        sumOf(j, found);
        assert(isGone(j) || current[j] == found - 1 - retrieved[j]);
#endif
        assert(current[j] <= REGION);
    }
    assert(total == REGION);
    assert(x == REGION);
    total = 0;
    x = 0;
    found = 0;
    j = 0;
    checkBooks();
}

#if CARRIER == DIRECT
#define elsewhere(s) 0
#elif CARRIER == PACKET
#define elsewhere(s) (travelling[s] + returning[s])
#else
#define elsewhere(s) (granted[s] - applied[s] + store[s] + onWire[s] + back[s] - backSeen[s] + returning[s])
#endif

/* What the ledger counts is what is in the word, in hand, unread, or on its way; and the data region is never overrun. */
inline checkBooks()
{
    x = 0;
    for (j : 0 .. SENDERS - 1)
    {
        x = x + unread[j];
        assert(isGone(j) || unread[j] <= current[j]);
        assert(!isJoined(j) || !isThere(j) || current[j] == word[j] + hand[j] + unread[j] + elsewhere(j))
    }
    assert(x <= REGION);
    x = 0;
    j = 0;
}

/* --- activity lists --- */
inline unlink(s)
{
    i = 0;
    do
    :: i < SENDERS && order[i] != s -> i++
    :: else -> break
    od;
    do
    :: i < SENDERS - 1 -> order[i] = order[i + 1]; i++
    :: else -> break
    od;
    order[SENDERS - 1] = SENDERS;
    i = 0;
}

/* Inserts a sender that is not in the order at an index. */
inline insertAt(s, index)
{
    i = SENDERS - 1;
    do
    :: i > index -> order[i] = order[i - 1]; i--
    :: else -> break
    od;
    order[i] = s;
    i = 0;
}

/* Number of senders in the lists before one; a sender that is not linked is not counted. */
inline countBelow(level, result)
{
    result = 0;
    i = 0;
    do
    :: i < SENDERS && order[i] < SENDERS ->
        if
        :: list[order[i]] < level -> result++
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0;
}

inline addFirst(level, s)
{
    countBelow(level, t);
    insertAt(s, t);
    list[s] = level;
    t = 0;
}

inline addLastOfLow(s)
{
    countBelow(MEDIUM, t);
    insertAt(s, t);
    list[s] = LOW;
    t = 0;
}

/* --- credits that come back unused --- */
inline lower(s, n)
{
#ifdef LITERAL
    skip
#else
    t = n;
    i = 0;
    do
    :: t > 0 ->
        assert(i <= K);
        cut = min(t, threshold[s * ROW + i] - 1);
        threshold[s * ROW + i] = threshold[s * ROW + i] - cut;
        t = t - cut;
        i++
    :: else -> break
    od;
    i = 0;
    cut = 0;
#endif
}

/* Takes what is in the word down to K, or asks for it. */
inline revoke(s)
{
#if CARRIER == DIRECT
    if
    :: isJoined(s) && min(word[s], current[s]) > K ->
        found = min(word[s], current[s]) - K;
        word[s] = word[s] - found;
        available = available + found;
        current[s] = current[s] - found;
        lower(s, found);
        found = 0
    :: else
    fi
#elif CARRIER == PACKET
    requestDue[s] = true;
    blocked[s] = true
#else
    if
    :: isJoined(s) && current[s] > K && word[s] > 0 ->
        found = min(word[s], current[s] - K);
        word[s] = word[s] - found;
        available = available + found;
        current[s] = current[s] - found;
        lower(s, found);
        found = 0
    :: isJoined(s) && current[s] > K && word[s] == 0 ->
        asked[s] = asked[s] + 1;
        blocked[s] = true
    :: else
    fi
#endif
}

inline steal(s, rests)
{
    /* the last of LOW, which is not empty */
    countBelow(MEDIUM, t);
    v = order[t - 1];
    unlink(v);
    t = 0;
    if
    :: !rests ->
        /* IDLE_FIRST: a sender that does send gives up half of what it has more */
        if
        :: intended[v] > intended[s] ->
            found = (intended[v] - intended[s]) / 2;
            intended[v] = intended[v] - found;
            intended[s] = intended[s] + found
        :: else
        fi;
        found = 0;
        addFirst(MEDIUM, v)
    :: else ->
        found = (intended[v] > intended[s] -> intended[v] - intended[s] : intended[s] - intended[v]) / 2;
        found = max(K + 1, found);
        found = min(found, intended[v] - K);
        /* the thesis's rule takes that; IDLE_FIRST all that there is */
        if
        :: true
        :: found < intended[v] - K -> found = intended[v] - K
        fi;
        intended[v] = intended[v] - found;
        intended[s] = intended[s] + found;
        found = 0;
        if
        :: intended[v] > K -> addFirst(MEDIUM, v)
        :: else ->
            addFirst(NONE, v);
            if
            :: current[v] > intended[v] && !blocked[v] && !isGone(v) -> revoke(v)
            :: else
            fi
        fi
    fi;
    v = 0
}

inline monitor(s, rests)
{
    t = list[s];
    unlink(s);
    if
    :: t == LOW || t == MEDIUM -> x = t + 1; addFirst(x, s); x = 0
    :: else ->
        countBelow(MEDIUM, t);
        if
        :: t == 0 ->
            for (i : 0 .. SENDERS - 1)
            {
                if
                :: i != s && (list[i] == MEDIUM || list[i] == HIGH) -> list[i] = list[i] - 1
                :: else
                fi
            }
            i = 0
        :: else
        fi;
        addFirst(HIGH, s);
        countBelow(MEDIUM, t);
        if
        :: t > 0 -> steal(s, rests)
        :: else
        fi
    fi;
    t = 0
}

/* Credits go to a sender. */
inline grantTo(s, n)
{
#if CARRIER == PACKET
    /* the credit region: at most K credit packets of a pair are unread */
    if
    :: isReached(s) ->
        assert(creditPackets[s] < K);
        creditPackets[s] = creditPackets[s] + 1;
        travelling[s] = travelling[s] + n;
        inbox[s] ! n
    :: else
        /* owed, until all that the sender held is free */
    fi
#else
    word[s] = word[s] + n
#endif
}

inline cross(s)
{
    total = 0;
    do
    :: retrieved[s] >= threshold[s * ROW] && available > 0 ->
        give = 1;
        x = 1;
        if
        :: blocked[s] && current[s] >= K -> break
        :: blocked[s] && current[s] < K -> skip
        :: else ->
            x = intended[s] / ROW + 1;
            give = min(x, max(givable, 1))
        fi;
        retrieved[s] = retrieved[s] - threshold[s * ROW];
        for (i : 0 .. K - 1)
        {
            threshold[s * ROW + i] = threshold[s * ROW + i + 1];
        }
        i = 0;
#ifdef LITERAL
        threshold[s * ROW + K] = x;
#else
        threshold[s * ROW + K] = give;
#endif
        available = available - give;
        current[s] = current[s] + give;
        total = total + give
    :: else -> break
    od;
    give = 0;
    x = 0;
    found = total;
    total = 0;
    if
    :: found > 0 -> grantTo(s, found)
    :: else
    fi;
    found = 0
}

inline control(s, rests)
{
    if
    :: !blocked[s] && sinceMonitor[s] >= monitorAt[s] ->
        sinceMonitor[s] = 0;
        monitor(s, rests);
        sumOf(s, found);
        monitorAt[s] = found;
        found = 0
    :: else
    fi;
    cross(s)
}

/* A packet of n slots of a sender was retrieved; back > 0: a response with back - 1 credits. */
inline retrieve(s, n, value, rests)
{
    assert(current[s] >= n);
    available = available + n;
    current[s] = current[s] - n;
    retrieved[s] = retrieved[s] + n;
    /* no more than it takes: only whether the point is reached matters */
    sinceMonitor[s] = min(sinceMonitor[s] + n, monitorAt[s]);
    if
    :: value > 1 ->
        assert(current[s] >= value - 1);
        available = available + value - 1;
        current[s] = current[s] - (value - 1);
#if CARRIER != DIRECT
        returning[s] = returning[s] - (value - 1);
#endif
        lower(s, value - 1)
    :: else
    fi;
    if
    :: value > 0 -> blocked[s] = false
    :: else
    fi;
    control(s, rests)
}

inline start(s)
{
    for (i : 0 .. K)
    {
        threshold[s * ROW + i] = 1;
    }
    i = 0;
    retrieved[s] = 0;
    current[s] = K;
    sinceMonitor[s] = 0;
    monitorAt[s] = K + 1;
    blocked[s] = false
}

/* --- the receiver's thread: polls --- */
proctype Receiver()
{
    byte s, n, value;
    bool rests;

end:
    do
    :: atomic
    {
        ring ? <s, n, value> ->
        if
        :: isPublished(s) ->
            ring ? s, n, value;
#if defined(MONITORED)
            rests = true;
#elif defined(ACTIVE)
            rests = false;
#else
            /* whether the victim of a theft rests, if there is one: the code decides by its own past, here it is left open */
            if
            :: rests = false
            :: rests = true
            fi;
#endif
            d_step
            {
                unread[s] = unread[s] - n;
                runs[s] = runs[s] - 1;
#if CRASHES > 0
                for (i : 0 .. SENDERS - 1)
                {
                    drain[i] = (drain[i] > 0 -> drain[i] - 1 : 0);
                }
                if
                :: hole[s] && runs[s] == 0 ->
                    /* skipped: nothing is booked, its credits come back with all the others of the dead */
                    hole[s] = false
                :: else ->
                    assert(!isGone(s));
                    retrieve(s, n, value, rests)
                fi;
#else
                retrieve(s, n, value, rests);
#endif
                check();
                s = 0; n = 0; value = 0; rests = false
            }
        :: else -> s = 0; n = 0; value = 0
        fi
    }
    od
}

/* --- senders --- */
inline put(sender, slots, response)
{
    assert(nfull(ring));
    ring ! sender, slots, response;
    unread[sender] = unread[sender] + slots;
    runs[sender] = runs[sender] + 1
}

#if CARRIER == NODES
inline putOnWire(sender, slots)
{
    onWire[sender] = onWire[sender] + slots;
    wire[sender] ! slots, epochOf(sender)
}
#define isQuiet(s) (onWire[s] + unread[s] == 0)
#else
#define isQuiet(s) (unread[s] == 0)
#endif

#if PIECES
#define mayTry(s) (credits(s) > 0)
#else
#define mayTry(s) (credits(s) >= want[s] || credits(s) > 0 && isQuiet(s))
#endif

#ifdef GREEDY
#define mayRest(s) (s > 0)
#define isWatched(s) (s == 0)
#else
#define mayRest(s) true
#define isWatched(s) false
#endif

#if CARRIER == NODES
#define maySend(s) (left[s] > 0)
#define mostOf(s) (left[s] < RUN -> left[s] : RUN)
#else
#define maySend(s) true
#define mostOf(s) RUN
#endif

/* Takes what the next run costs: all that is wanted, or what there is of it; or a nudge, of one slot. */
inline withdraw(s)
{
    if
    :: credits(s) >= want[s] -> hand[s] = want[s]
    :: else -> hand[s] = (PIECES -> credits(s) : 1)
    fi;
    credits(s) = credits(s) - hand[s]
}

inline booked(s)
{
    if
    :: PIECES || hand[s] == want[s] ->
        want[s] = want[s] - hand[s];
#if CARRIER == NODES
        left[s] = left[s] - hand[s]
#endif
    :: else
    fi;
    hand[s] = 0
}

/* What it wants to send next, if anything. */
inline choose(s)
{
    if
    :: maySend(s) -> n = 1
#if RUN > 1
    :: maySend(s) && mostOf(s) > 1 -> n = 2
#endif
#if RUN > 2
    :: maySend(s) && mostOf(s) > 2 -> n = 3
#endif
    :: !maySend(s) || mayRest(s) -> n = 0
    fi;
    if
    :: n == 0 -> stage[s] = RESTS; goto rests
    :: else -> want[s] = n; stage[s] = WANTS; n = 0
    fi
}

/* A run is out: go on with the rest, or with the next. One that is watched shows that it has sent. */
inline goOn(s)
{
    if
    :: want[s] > 0 -> stage[s] = WANTS
    :: want[s] == 0 && isWatched(s) -> stage[s] = SENT
    :: else -> choose(s)
    fi
}

proctype Sender(byte s)
{
    byte n;

works:
    do
    :: atomic { stage[s] == IDLE -> choose(s) }
#if CRASHES > 0
    /* one store or read-modify-write at a time, since it may be the last one */
    :: atomic { stage[s] == WANTS && isOpen[s] && isOurs(s) && mayTry(s) -> stage[s] = MARKED }
    :: atomic { stage[s] == MARKED ->
        if
        :: isOurs(s) && mayTry(s) -> d_step { withdraw(s); stage[s] = HAND }
        :: else -> stage[s] = WANTS
        fi }
#if CARRIER == NODES
    :: atomic { stage[s] == HAND -> d_step { putOnWire(s, hand[s]); booked(s); checkBooks() }; goOn(s) }
#else
    :: atomic { stage[s] == HAND -> d_step { put(s, hand[s], 0); booked(s); stage[s] = CLAIMED; checkBooks() } }
    :: atomic { stage[s] == CLAIMED -> goOn(s) }
#endif
    :: atomic { stage[s] == WANTS && !isOpen[s] -> stage[s] = OFF; want[s] = 0 }
#else
    /* these cannot be told apart if they are never the last one */
    :: atomic { stage[s] == WANTS && mayTry(s) ->
        d_step
        {
            withdraw(s);
#if CARRIER == NODES
            putOnWire(s, hand[s]);
#else
            put(s, hand[s], 0);
#endif
            booked(s);
            checkBooks()
        };
        goOn(s) }
#endif
    :: atomic { stage[s] == SENT -> choose(s) }
    od;

    /* here it may stay: a sender that wants to send and cannot is a deadlock */
rests:
end:
#if CRASHES > 0
    atomic { stage[s] != RESTS || !isOpen[s] -> stage[s] = (stage[s] == RESTS -> OFF : stage[s]); n = 0 };
#else
    false;
#endif
    goto works
}

inline answered()
{
#ifdef REACH
    assert(false)
#else
    skip
#endif
}

#if CARRIER == PACKET
/* The thread of a sender that polls: credit packets and requests. A response goes first when there is a credit for it. */
proctype Poller(byte s)
{
    byte n;

end:
    do
    :: atomic { inbox[s] ? n ->
        d_step
        {
            if
            :: n == 0 -> responseDue[s] = true
            :: else ->
                creditPackets[s] = creditPackets[s] - 1;
                travelling[s] = travelling[s] - n;
                word[s] = word[s] + (isOurs(s) -> n : 0)
            fi;
            n = 0;
            if
            :: responseDue[s] && isOurs(s) && word[s] > 0 ->
                responseDue[s] = false;
                n = (word[s] > K -> word[s] - K : 0);
                word[s] = word[s] - n - 1;
                returning[s] = returning[s] + n;
                answered();
                put(s, 1, n + 1);
                n = 0
            :: else
            fi;
            checkBooks()
        } }
    /* the request waits at the receiver for a credit of the other direction, for as long as it takes */
    :: atomic { requestDue[s] && isReached(s) && nfull(inbox[s]) -> requestDue[s] = false; inbox[s] ! 0 }
    od
}
#endif

#if CARRIER == NODES
/* The two agents between a pair's nodes. Counts are absolute: any of them may be lost, come twice, or come late. */
inline onGrant(s, count)
{
#if WRONG == 1
    store[s] = store[s] + count;
    applied[s] = applied[s] + count
#else
    if
    :: count > applied[s] -> store[s] = store[s] + count - applied[s]; applied[s] = count
    :: else
    fi
#endif
}

#if CRASHES > 0
#define isOpenPair(s) (wordEpoch[s] != 0)
#define fits(e, s) (isOpenPair(s) && e == wordEpoch[s])
#else
#define isOpenPair(s) true
#define fits(e, s) true
#endif

proctype Link(byte s)
{
    byte n, e;

end:
    do
    :: atomic { isOpenPair(s) && word[s] > 0 -> granted[s] = granted[s] + word[s]; word[s] = 0 }
    :: atomic { isThere(s) && granted[s] > applied[s] ->
        /* all, or one that was overtaken by others */
        n = applied[s] + 1;
        do
        :: n < granted[s] -> n++
        :: break
        od;
        d_step { onGrant(s, n); n = 0; checkBooks() } }
    :: atomic { isThere(s) && asked[s] > askSeen[s] -> askSeen[s] = asked[s]; owes[s] = true }
    :: atomic { isThere(s) && owes[s] && store[s] > 0 ->
        d_step
        {
            n = (store[s] > K -> store[s] - K : 1);
            store[s] = store[s] - n;
            back[s] = back[s] + n;
            owes[s] = false;
            n = 0
        } }
    :: atomic { isThere(s) && back[s] > backSeen[s] ->
        d_step
        {
            n = back[s] - backSeen[s];
            assert(n <= granted[s] - used[s]);
            used[s] = used[s] + n;
            backSeen[s] = back[s];
            returning[s] = returning[s] + n - 1;
            answered();
            put(s, 1, n);
            n = 0;
            checkBooks()
        } }
    :: atomic { wire[s] ? n, e ->
        d_step
        {
            onWire[s] = onWire[s] - (e == epochOf(s) -> n : 0);
            if
            :: fits(e, s) ->
                assert(n <= granted[s] - used[s]);
                used[s] = used[s] + n;
                put(s, n, 0)
            :: else
            fi;
            n = 0;
            e = 0;
            checkBooks()
        } }
    od
}

/* What the network delivers once more, or much too late: counts that are known, and those of an incarnation before. */
proctype Echo(byte s)
{
    byte n;

end:
    do
    :: atomic { isThere(s) && applied[s] > 0 ->
        n = 0;
        do
        :: n < applied[s] -> n++
        :: break
        od;
        d_step { onGrant(s, n); n = 0; checkBooks() } }
#if CRASHES > 0
    :: atomic { isThere(s) && oldGranted[s] > 0 ->
#if WRONG == 2
        d_step { onGrant(s, oldGranted[s]); checkBooks() }
#else
        /* names another epoch than the pair has: dropped */
        skip
#endif
        }
#endif
    od
}
#endif

#if CRASHES > 0
/* What can happen to a sender: its process dies, or its endpoint closes and a thread of it is still at work; it comes back. */
proctype Fate(byte s)
{
end:
    do
    :: atomic { crashes < CRASHES && isOpen[s] ->
        crashes++;
        if
        :: d_step
            {
                hole[s] = stage[s] == CLAIMED;
                stage[s] = OFF;
                isAlive[s] = false;
                isOpen[s] = false;
                want[s] = 0;
                hand[s] = 0
            }
        :: isOpen[s] = false
        :: skip
        fi }
    :: atomic { stage[s] == OFF && !isOpen[s] ->
        d_step
        {
            epoch[s]++;
            isOpen[s] = true;
            isAlive[s] = true;
            stage[s] = IDLE;
#if CARRIER == NODES
            onWire[s] = 0;
#endif
#if CARRIER == PACKET
            do
            :: len(inbox[s]) > 0 -> inbox[s] ? _
            :: len(inbox[s]) == 0 -> break
            od;
            creditPackets[s] = 0;
            travelling[s] = 0;
            responseDue[s] = false
#endif
        } }
    od
}

/* A thread that claims in the receiver's mailbox for a sender is waited for, if its process is there. */
#if WRONG == 3 || CARRIER == NODES
#define isClaiming(s) false
#else
#define isClaiming(s) (isAlive[s] && (stage[s] == MARKED || stage[s] == HAND || stage[s] == CLAIMED))
#endif

inline revokeFromRichest()
{
    v = SENDERS;
    found = K;
    for (j : 0 .. SENDERS - 1)
    {
        if
        :: !isGone(j) && !blocked[j] && current[j] > found -> found = current[j]; v = j
        :: else
        fi
    }
    found = 0;
    if
    :: v < SENDERS -> revoke(v)
    :: else
    fi;
    v = 0;
    j = 0
}

/* The receiver's thread: which senders come and go. */
proctype Member(byte s)
{
end:
    do
    :: atomic { phase[s] == JOINED && (!isOpen[s] || epoch[s] != counted[s]) ->
        d_step { wordEpoch[s] = 0; word[s] = 0; phase[s] = CLOSING } }
    :: atomic { phase[s] == CLOSING && !isClaiming(s) -> drain[s] = len(ring); phase[s] = DRAINING }
    :: atomic { phase[s] == DRAINING && drain[s] == 0 ->
        d_step
        {
            assert(runs[s] == 0);
            available = available + current[s];
            start(s);
            current[s] = 0;
            retrieved[s] = K;
            unlink(s);
            addLastOfLow(s);
#if CARRIER == PACKET
            requestDue[s] = false;
#endif
            phase[s] = GONE;
            check()
        } }
    :: atomic { phase[s] == GONE && isOpen[s] ->
        d_step
        {
            if
            :: available < K && !waiting[s] -> waiting[s] = true; reserved = reserved + K
            :: else
            fi;
            if
            :: available < K -> revokeFromRichest()
            :: else
            fi;
            if
            :: available >= K ->
                reserved = (waiting[s] -> reserved - K : reserved);
                waiting[s] = false;
                available = available - K;
                start(s);
                counted[s] = epoch[s];
                phase[s] = JOINED;
                wordEpoch[s] = epoch[s];
                word[s] = K;
#if CARRIER == NODES
                oldGranted[s] = granted[s];
                granted[s] = 0;
                used[s] = 0;
                backSeen[s] = 0;
                asked[s] = 0;
                applied[s] = 0;
                back[s] = 0;
                askSeen[s] = 0;
                owes[s] = false;
                store[s] = 0;
#endif
            :: else
            fi;
            check()
        } }
    od
}
#endif

init
{
    d_step
    {
        for (j : 0 .. SENDERS - 1)
        {
            start(j);
            intended[j] = REGION / SENDERS + (j < REGION % SENDERS -> 1 : 0);
            order[j] = j;
            list[j] = LOW;
            word[j] = K;
            stage[j] = IDLE;
#if CARRIER == NODES
            left[j] = (j == 0 -> WORK : LESS);
#endif
#if CRASHES > 0
            epoch[j] = 1;
            wordEpoch[j] = 1;
            counted[j] = 1;
            isOpen[j] = true;
            isAlive[j] = true;
#endif
        }
        available = REGION - K * SENDERS;
        check()
    };
    atomic
    {
        for (j : 0 .. SENDERS - 1)
        {
            run Sender(j);
#if CARRIER == PACKET
            run Poller(j);
#endif
#if CARRIER == NODES
            run Link(j);
            run Echo(j);
#endif
#if CRASHES > 0
            run Fate(j);
            run Member(j);
#endif
        }
        j = 0;
#if defined(GREEDY) && CARRIER == NODES
        hasBegun = true;
#endif
        run Receiver()
    }
}

#ifdef GREEDY
#if CARRIER == NODES
ltl sends { <> (hasBegun && left[0] == 0) }
#else
ltl sends { [] <> (stage[0] == SENT) }
#endif
#endif
