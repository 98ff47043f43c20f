import {
  backquoteIdentifier,
  kindAt,
  type Statement,
  stringAt,
  textAt,
  TOKEN,
  unquoteIdentifier,
} from '@boathouse/sql'

/** As a client of MySQL reads it: names in backticks, and two backslashes for one in a text. */
export function requoted(statement: Statement, first: number, until: number): string {
  const { text, start, tokens } = statement
  const parts: string[] = []
  let end = tokens.starts[first] ?? start
  for (let at = first; at < until; at++) {
    const begins = tokens.starts[at] ?? end
    parts.push(text.slice(end - start, begins - start), tokenOf(statement, at))
    end = tokens.ends[at] ?? begins
  }
  return parts.join('')
}

function tokenOf(statement: Statement, at: number): string {
  const kind = kindAt(statement, at)
  if (kind === TOKEN.quotedIdentifier) return backquoteIdentifier(unquoteIdentifier(textAt(statement, at)))
  if (kind !== TOKEN.string) return textAt(statement, at)
  return `'${stringAt(statement, at).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
