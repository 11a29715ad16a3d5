// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The rules: who may hold how many credits. Pure state machines without memory mappings, threads, clocks or I/O:
 * inputs come in as calls, decisions go out as calls.
 */
package org.tallypost.creditprotocol;
