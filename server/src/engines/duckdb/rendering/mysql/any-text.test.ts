import { analyse, STANDARD_QUOTES } from '@boathouse/sql'
import { expect, test } from 'vitest'
import { render } from '../render.ts'

const QUOTES = { escapes: true, doubleIsText: true, comments: 'mysql' } as const
const WRITTEN = { quotes: QUOTES, systemVariables: {}, variables: {}, words: 'mysql' } as const

/** What an attacker would put together: quotes, escapes, comments, and words that have rules. */
const PARTS = [
  ...String.raw`' " \ \' \" '' "" \\ # -- --1 /* */ ; ( ) , . + - * / % ^ ! = <=> && || -> ->> ? { } @ @@ $ $$`.split(
    ' ',
  ),
  ...`select from t a b 1 0 0x41 x'41' null true case when then else end as interval day + - / div mod xor not regexp like
  concat( date_add( date_format( group_concat( separator cast( as signed char if( ifnull( trim( both now() extract( year
  count( distinct over order by group with rollup limit union values set insert into replace on duplicate key update at pivot
  \`a\` 'text' "text" 'it\\'s' "a\\"b" _utf8mb4'x' {fn {d use index for dual collate utf8mb4_bin binary`.split(
    /\s+/,
  ),
  ' ',
  '\n',
  "'; drop table t; -- ",
]

/** The same numbers in every run. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

function* texts(count: number): Generator<string> {
  const random = numbers(7)
  const next = (below: number): number => Math.floor(random.next().value * below)
  for (let at = 0; at < count; at++) {
    const parts = Array.from({ length: 2 + next(24) }, () => PARTS[next(PARTS.length)] ?? '')
    yield `select ${parts.join(next(3) === 0 ? '' : ' ')}`
  }
}

test('no text becomes more statements than it is, or leaves a quote or a comment open', () => {
  let whole = 0
  for (const text of texts(12_000)) {
    const { count, statements } = analyse(text, 10, QUOTES)
    const [statement] = statements
    if (count !== 1 || !statement || statement.unclosed) continue
    whole++
    const sent = render(statement.text, WRITTEN)?.text ?? statement.text
    const read = analyse(sent, 10, STANDARD_QUOTES)
    expect([text, sent, read.count, read.statements[0]?.unclosed ?? null]).toEqual([text, sent, 1, null])
  }
  expect(whole).toBeGreaterThan(1500)
})
