// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** Sends and receives that wait, for threads of any kind and number. */
package org.tallypost.adapters.blocking;
