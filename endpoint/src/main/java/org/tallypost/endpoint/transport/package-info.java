// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What a transport between nodes implements, and what it is given: packets, credits, and which rank is where.
 */
package org.tallypost.endpoint.transport;
