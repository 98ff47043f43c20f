/** The database that a new account finds. */
export const SAMPLE_DATABASE = 'sample'
