import { expect, test } from 'vitest'
import { parseSqlOptions } from './options.ts'

const parse = (...words: string[]) =>
  parseSqlOptions(words, { BOATHOUSE_URL: 'http://env', BOATHOUSE_USER: 'eve' })

test('options are long, short, with a sign or a space, and go before the environment', () => {
  expect(
    parse(
      'https://here',
      '-u',
      'ada',
      '--account=ABC12345',
      '-dmain',
      '-e',
      'select 1',
      '--file',
      'a.sql',
      '--format',
      'json',
    ),
  ).toMatchObject({
    url: 'https://here',
    user: 'ada',
    account: 'ABC12345',
    database: 'main',
    texts: [{ sql: 'select 1' }, { file: 'a.sql' }],
    format: 'json',
    limit: undefined,
    keepsHistory: true,
  })
  expect(parse('--limit', 'all', '--no-history')).toMatchObject({
    url: 'http://env',
    user: 'eve',
    limit: null,
    keepsHistory: false,
  })
})

test('a statement may look like an option', () => {
  expect(parse('-e', '--json').texts).toEqual([{ sql: '--json' }])
})

test.each([
  [['--format', 'xml'], 'There is no format'],
  [['--limit', '0'], 'The limit is a number'],
  [['--user'], '--user needs a value'],
  [['a', 'b'], 'there is one URL'],
  [['-z'], "'-z' is not an option"],
  [['--password', 'x'], 'can be read by others'],
  [['--key=bh_x'], 'can be read by others'],
])('%j is refused', (words, message) => {
  expect(() => parse(...words)).toThrow(message)
})
