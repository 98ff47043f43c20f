import { expect, test } from 'vitest'
import { mysqlCommand } from './endpoint-snippets.ts'

const facts = { host: 'localhost', port: 9030, accountId: 'ABC12345', user: 'admin' }

test('a plain name needs no quotes in a shell', () => {
  expect(mysqlCommand(facts)).toBe('mysql -h localhost -P 9030 -u ABC12345.admin -p')
})

test('a name can do no harm in a shell', () => {
  expect(mysqlCommand({ ...facts, user: "o'hara; rm -rf $HOME" })).toBe(
    String.raw`mysql -h localhost -P 9030 -u 'ABC12345.o'\''hara; rm -rf $HOME' -p`,
  )
})
