/** An account that is set up gets an engine and sample data: the longest of all waits, beside a busy machine. */
export const SET_UP_MS = 240_000
