import { Lexer, TOKEN } from '@boathouse/sql'
import { describe, expect, test } from 'vitest'
import { formatSql } from './format-sql.ts'

/** All but white space; lines of a comment may be indented in another way. */
function tokensOf(sql: string): string[] {
  const lexer = new Lexer(sql)
  const tokens: string[] = []
  while (lexer.next()) {
    if (lexer.kind === TOKEN.whitespace) continue
    const token = sql.slice(lexer.start, lexer.end)
    tokens.push(lexer.kind === TOKEN.comment ? token.replaceAll(/\s+/g, ' ').trim() : token)
  }
  return tokens
}

/** The same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

const EXPRESSIONS = [
  'a', 't.b', '"My col"', '`back`', "'it''s -- no comment'", "e'\\n'", '$$a; b$$', "x'ff'", '1.5e3', ':day',
  '{{limit}}', "{'k':v}", '[1,2]', 'list[1:n]', 'd::date', "j->>'$.a'", 'a<=>b', 'a//b', '@v', '-1', '- -1',
  'count(*) filter (where a>1)', 'sum(a) over (partition by b order by c)', 'case when a then b else c end',
  "'first'\n'second'", '(select max(x) from u)', 'x -> x+1', 'interval 1 day', '?', '$1', 'not a', 'a is null',
] // prettier-ignore
const COMMENTS = ['-- said\n', '/* kept */', '/*+ hint(1) */', '/* two\n   lines */', '--\n']

function* randomStatements(seed: number, count: number): Generator<string> {
  const random = randomNumbers(seed)
  const one = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? ''
  const gap = (): string => (random() < 0.15 ? ` ${one(COMMENTS)} ` : one([' ', '  ', '\n', '\t', '\r\n']))
  const list = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => one(EXPRESSIONS)).join(`${gap()},${gap()}`)
  for (let made = 0; made < count; made++) {
    const words = [
      'select',
      list(),
      'from',
      one(['t', 't as x', 'd.t, u', 't join u using(id)', '(select 1) s']),
    ]
    if (random() < 0.5) words.push('where', `${one(EXPRESSIONS)} and ${one(EXPRESSIONS)}`)
    if (random() < 0.3) words.push('group by', list())
    if (random() < 0.3) words.push('order by', one(EXPRESSIONS), 'desc')
    const text = words.join(gap())
    yield random() < 0.2 ? `${text};${gap()}insert into t values (1,2),(3,4)` : text
  }
}

describe('format', () => {
  test('changes white space alone: comments, texts and names survive in every statement', () => {
    let changed = 0
    for (const sql of randomStatements(7, 250)) {
      const { text, unread } = formatSql(sql)
      expect(tokensOf(text)).toEqual(tokensOf(sql))
      if (text !== sql && unread === null) changed++
      // Formatting twice changes nothing more.
      if (unread === null) expect(tokensOf(formatSql(text).text)).toEqual(tokensOf(sql))
    }
    expect(changed).toBeGreaterThan(150)
  })

  test('writes a clause to a line, with the case of keywords as it was', () => {
    expect(formatSql('SELECT a,b::int as x FROM t where a>1 and b in (1,2)').text).toBe(
      'SELECT\n  a,\n  b::int as x\nFROM\n  t\nwhere\n  a > 1\n  and b in (1, 2)',
    )
  })

  test.each([
    ['parameters and structures', "select :day, {{n}}, {'k':v} from t", ':day', '{{n}}', "{'k': v}"],
    ['names in backquotes beside casts', 'select `a b`::int, `c` from `t`', '`a b`::int'],
    ['variables and operators of MySQL', 'select @a:=1, b<=>c from t', '@a := 1', 'b <=> c'],
    ['comments of MySQL', 'select a, # the first\n b from `t`', '# the first\n'],
  ])('%s', (_, sql, ...parts) => {
    const { text, unread } = formatSql(sql)
    expect(unread).toBeNull()
    for (const part of parts) expect(text).toContain(part)
  })

  test('what cannot be read stays as it is, and the rest is formatted', () => {
    const { text, unread } = formatSql('select 1;  select (2  from;\nselect  3')
    expect(text).toBe('select\n  1;\n\nselect (2  from;\n\nselect\n  3')
    expect(unread).toBe(11)
  })

  test('statements are apart by an empty line, and comments between them stay', () => {
    expect(formatSql('set warehouse  w;use d; -- here\nselect 1;').text).toBe(
      'set warehouse  w;\n\nuse d; -- here\nselect\n  1;',
    )
  })

  test('a part is indented as the text around it', () => {
    expect(formatSql("select a, 'x\ny' from t", '    ').text).toBe(
      "select\n      a,\n      'x\ny'\n    from\n      t",
    )
  })
})
