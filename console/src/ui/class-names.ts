/** Joins what is there; CSS modules may answer undefined. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ')
