/** Holds what the service remembers inside the account's own data; no statement of a user may name it. */
export const INTERNAL_SCHEMA = 'boathouse_internal'

/** In the text of every view that is a table of files. No text of a user's can have it in it. */
export const OF_FILES = `${INTERNAL_SCHEMA}_files`
