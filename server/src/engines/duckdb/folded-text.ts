/** With its place before it: a session may have functions of its own by these names. */
const OWN = 'system.main'

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * An expression as DuckDB compares names, the same as `foldedName`. DuckDB's `lower` knows more capitals than its names do,
 * so that it is right for ASCII alone; the other way takes twenty times as long.
 */
export const foldedText = (text: string): string =>
  `CASE WHEN ${OWN}.strlen(${text}) = ${OWN}.length(${text}) THEN ${OWN}.lower(${text})
    ELSE ${OWN}.translate(${text}, '${CAPITALS}', '${CAPITALS.toLowerCase()}') END`
