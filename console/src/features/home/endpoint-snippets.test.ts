import { expect, test } from 'vitest'
import { CLIENTS, LINES } from './endpoint-snippets.ts'

const facts = { host: 'localhost', port: 9030, user: 'ABC12345.admin', ownCertificate: true }

test('a plain name needs no quotes in a shell', () => {
  expect(LINES.mysql(facts)).toBe('mysql -h localhost -P 9030 -u ABC12345.admin -p --ssl-mode=REQUIRED')
})

test('a name can do no harm in a shell', () => {
  expect(LINES.mariadb({ ...facts, user: "o'hara; rm -rf $HOME" })).toBe(
    String.raw`mariadb -h localhost -P 9030 -u 'o'\''hara; rm -rf $HOME' -p --ssl`,
  )
})

test.each([
  ['jdbc', "user=A.o'hara%20%7B%22%5C%3B%7D&"],
  ['python', String.raw`"A.o'hara {\"\\;}"`],
  ['node', String.raw`user: "A.o'hara {\"\\;}"`],
  ['go', String.raw`"A.o'hara {\"\\;}"`],
  ['php', String.raw`'A.o\'hara {"\\;}'`],
  ['odbc', String.raw`User={A.o'hara {"\;}}};`],
] as const)('a name stays one name in %s', (client, written) => {
  expect(LINES[client]({ ...facts, user: String.raw`A.o'hara {"\;}` })).toContain(written)
})

test('an IPv6 address has brackets where a port follows', () => {
  const at = { ...facts, host: '::1' }
  expect(LINES.jdbc(at)).toContain('//[::1]:9030/')
  expect(LINES.go(at)).toContain('"[::1]:9030"')
  expect(LINES.mysql(at)).toContain('-h ::1 ')
})

test('a certificate that clients can trust is checked, and one of our own is not', () => {
  const lines = (ownCertificate: boolean) =>
    CLIENTS.filter((client) => client !== 'others').map((client) =>
      LINES[client]({ ...facts, ownCertificate }),
    )
  const unchecked = /REQUIRED|--ssl$|none|Unauthorized: false|skip-verify|DONT_VERIFY|SSLVerify=0/
  expect(lines(true).filter((line) => !unchecked.test(line))).toEqual([])
  expect(lines(false).filter((line) => unchecked.test(line))).toEqual([])
})

test('every line names the host, the port and the user', () => {
  for (const client of CLIENTS)
    for (const fact of ['localhost', '9030', 'ABC12345.admin']) expect(LINES[client](facts)).toContain(fact)
})
