import type { TokenEdits } from '@boathouse/sql'
import { endOfName, nameBetween } from './named-tables.ts'
import { asName } from './names.ts'
import { noteOverwrite } from './overwrite.ts'
import type { Source } from './source.ts'

const PRIORITIES = new Set(['LOW_PRIORITY', 'HIGH_PRIORITY', 'DELAYED', 'QUICK'])

/** INSERT and REPLACE in the other server's forms. */
export function noteInsert(source: Source, edits: TokenEdits): void {
  const verb = source.word(source.first)
  if (noteOverwrite(source, edits)) return
  let at = source.first + 1
  let isIgnored = false
  while (PRIORITIES.has(source.word(at)) || source.word(at) === 'IGNORE') {
    isIgnored ||= source.word(at) === 'IGNORE'
    edits.set(at++, ' ')
  }
  const kept = source.word(at) === 'INTO' ? '' : ' INTO'
  if (verb === 'REPLACE') edits.set(source.first, `INSERT OR REPLACE${kept}`)
  else if (isIgnored) edits.set(source.first, `INSERT OR IGNORE${kept}`)
  else if (kept && source.word(at) !== 'OR') edits.set(source.first, `INSERT${kept}`)
  const first = kept ? at : at + 1
  const behind = endOfName(source, first) + 1
  if (verb === 'REPLACE' || isIgnored) edits.looksAtKeys(nameBetween(source, first, behind - 1))
  noteEmpty(source, behind, edits)
  noteAssigned(source, behind, edits)
  noteDuplicates(source, edits)
}

/** INSERT INTO t () VALUES (): one row of defaults. */
function noteEmpty(source: Source, at: number, edits: TokenEdits): void {
  const isEmpty = (opening: number) => source.word(opening) === '(' && source.partner(opening) === opening + 1
  const values = isEmpty(at) ? at + 2 : at
  const isLast = values + 3 >= source.until || source.word(values + 3) === ';'
  if (/^VALUES?$/.test(source.word(values)) && isEmpty(values + 1) && isLast)
    edits.replace(at, values + 2, 'DEFAULT VALUES')
}

/** INSERT INTO t SET a = 1, b = 2 */
function noteAssigned(source: Source, at: number, edits: TokenEdits): void {
  if (source.word(at) !== 'SET') return
  edits.set(at, 'BY NAME SELECT')
  let first = at + 1
  for (let next = first; next <= source.until; next++) {
    const word = source.word(next)
    if (word === '(') next = Math.max(next, source.partner(next))
    const isEnd =
      next >= source.until || word === ';' || (word === 'ON' && source.word(next + 1) === 'DUPLICATE')
    if (word !== ',' && !isEnd) continue
    noteAssignment(source, [first, next - 1], edits)
    if (isEnd) return
    first = next + 1
  }
}

/** name = value */
function noteAssignment(source: Source, [first, last]: readonly [number, number], edits: TokenEdits): void {
  const equals = endOfName(source, first) + 1
  if (source.word(equals) !== '=' || equals >= last) return
  const name = source.written(equals - 1, equals - 1)
  edits.replace(first, equals, '')
  edits.enclose(equals + 1, last, { before: '', after: ` AS ${asName(name)}` })
}

/** ON DUPLICATE KEY UPDATE a = VALUES(a) */
function noteDuplicates(source: Source, edits: TokenEdits): void {
  let at = source.first
  for (; at < source.until; at++) {
    if (source.word(at) === '(') at = Math.max(at, source.partner(at))
    else if (source.word(at) === 'ON' && source.word(at + 1) === 'DUPLICATE' && source.word(at + 2) === 'KEY')
      break
  }
  if (at >= source.until || source.word(at + 3) !== 'UPDATE') return
  edits.replace(at, at + 3, 'ON CONFLICT DO UPDATE SET')
  for (let next = at + 4; next < source.until; next++) {
    if (source.word(next) !== 'VALUES' || source.word(next + 1) !== '(') continue
    const closing = source.partner(next + 1)
    if (closing !== next + 3) continue
    edits.replace(next, next + 1, 'excluded.')
    edits.set(closing, '')
  }
}
