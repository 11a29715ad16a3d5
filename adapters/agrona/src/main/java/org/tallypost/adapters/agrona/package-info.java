// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** An endpoint in the place of a ring buffer of Agrona. */
package org.tallypost.adapters.agrona;
