/**
 * What an engine's process and the server say to each other about files outside: HTTP/2 over a pipe that the two have
 * with nobody else. So it flows as fast as it is taken, each answer for itself, and whose engine it is needs no proof.
 */
export const PATHS = { list: '/list', tables: '/tables', files: '/files', read: '/read' } as const

export const REASON_HEADER = 'x-reason'

/** Of a list, in bytes; the server makes none that is longer. */
export const LONGEST_PAGE = 8 * 1024 * 1024

/** As much may be under way of one file, and of all together; in bytes. */
export const WINDOW = { stream: 1024 * 1024, all: 16 * 1024 * 1024 } as const

/** Of one engine at a time. */
export const MOST_AT_ONCE = 128
