/** In capitals; comments and spaces before it do not count. */
export function firstWord(sql: string): string {
  const word = /^\w*/.exec(sql.slice(blankLength(sql)))
  return word ? word[0].toUpperCase() : ''
}

/** What follows a word at the start of a text; null when it does not start so. */
export function afterWord(sql: string, word: RegExp): string | null {
  const rest = sql.slice(blankLength(sql))
  const found = word.exec(rest)
  return found ? rest.slice(found[0].length) : null
}

/** Whether it is a CREATE TABLE. */
export function makesTable(sql: string): boolean {
  const rest = afterWord(sql, /^create\b/i)
  return rest !== null && /^(?:\s+(?:or|replace|temp|temporary))*\s+table\b/i.test(rest)
}

/** Length of the spaces and comments at the start; block comments nest. */
export function blankLength(sql: string): number {
  let at = 0
  let depth = 0
  while (at < sql.length) {
    if (sql.startsWith('/*', at)) {
      depth++
      at += 2
    } else if (depth > 0) {
      const closes = sql.startsWith('*/', at)
      depth -= closes ? 1 : 0
      at += closes ? 2 : 1
    } else {
      const blank = /^(?:\s+|--[^\n\r]*)/.exec(sql.slice(at))
      if (!blank) return at
      at += blank[0].length
    }
  }
  return at
}
