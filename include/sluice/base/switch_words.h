/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words, in either case, for a setting that is on or off: elements of an array of strings, for
 * those who read a setting and those who check what was written.
 */
#ifndef SL_BASE_SWITCH_WORDS_H
#define SL_BASE_SWITCH_WORDS_H

#define SL_OFF_WORDS "0", "no", "off", "false"
#define SL_ON_WORDS "1", "yes", "on", "true"

#endif
