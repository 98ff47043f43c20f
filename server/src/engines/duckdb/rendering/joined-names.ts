import {
  keywordAt,
  kindAt,
  quoteIdentifier,
  readStatement,
  textAt,
  TOKEN,
  unquoteIdentifier,
} from '@boathouse/sql'
import type { Written } from '../../engine/written.ts'
import { applied, change } from './text-changes.ts'

/** Reading a text word by word takes long; most have no such name at all. */
const MAY_JOIN = /`[^`]*\.[^`]*`\s*\./

/**
 * `catalog.database`.`table`, as tools write it that know no catalogs: they take for a database what they connected to.
 * Catalog and database are two names again.
 */
export function withJoinedNames(text: string, written: Pick<Written, 'quotes'> | undefined): string {
  if (!MAY_JOIN.test(text)) return text
  const statement = readStatement(text, written?.quotes)
  const changes = []
  for (let at = statement.first; at < statement.until; at++) {
    if (kindAt(statement, at) !== TOKEN.quotedIdentifier || !textAt(statement, at).startsWith('`')) continue
    if (keywordAt(statement, at + 1) !== '.' || keywordAt(statement, at - 1) === '.') continue
    const name = unquoteIdentifier(textAt(statement, at))
    const dot = name.indexOf('.')
    if (dot <= 0 || dot === name.length - 1) continue
    const parts = [name.slice(0, dot), name.slice(dot + 1)].map(quoteIdentifier)
    changes.push(change(statement, { first: at }, parts.join('.')))
  }
  return applied(text, 0, changes) ?? text
}

const INFORMATION = 'information_schema'

/**
 * `default_catalog.information_schema.tables`, as tools of StarRocks write it. What is listed there is the session's own
 * catalog, so that its name can be left out; that of another one stays, and is not found.
 */
export function withoutOwnCatalog(
  text: string,
  written: Pick<Written, 'quotes'> | undefined,
  catalog: string,
): string {
  if (!text.toLowerCase().includes(catalog.toLowerCase())) return text
  const statement = readStatement(text, written?.quotes)
  const isNamed = (at: number, name: string) =>
    (kindAt(statement, at) === TOKEN.word || kindAt(statement, at) === TOKEN.quotedIdentifier) &&
    unquoteIdentifier(textAt(statement, at)).toLowerCase() === name.toLowerCase()
  const changes = []
  for (let at = statement.first; at + 4 < statement.until; at++) {
    if (keywordAt(statement, at - 1) === '.' || !isNamed(at, catalog)) continue
    const isInformation = isNamed(at + 2, INFORMATION) && keywordAt(statement, at + 3) === '.'
    if (keywordAt(statement, at + 1) === '.' && isInformation)
      changes.push(change(statement, { first: at, last: at + 1 }, ''))
  }
  return applied(text, 0, changes) ?? text
}
