/** Holds what the service remembers inside the account's own data; no statement of a user may name it. */
export const INTERNAL_SCHEMA = 'boathouse_internal'
