import { expect, test } from 'vitest'
import { type Status, statusLines } from './status.ts'

const RUNNING: Extract<Status, { running: true }> = {
  running: true,
  pid: 7,
  mysqlHost: '127.0.0.1',
  mysqlPort: 9030,
  region: 'local-1',
  user: 'admin',
  version: '0.1.0',
  url: 'http://127.0.0.1:8080',
  accountId: 'ABC12345',
  parts: { http: 'running', mysql: 'listening on 127.0.0.1:9030' },
}

test('it is said where the console is, and where programs connect', () => {
  expect(statusLines(RUNNING, '/data')).toEqual([
    'Boathouse 0.1.0 runs at http://127.0.0.1:8080 (account ABC12345)',
    'MySQL endpoint: listening on 127.0.0.1:9030',
  ])
})

test('a server that does not answer says nothing of its endpoint', () => {
  expect(statusLines({ ...RUNNING, parts: { http: 'unreachable (refused)' } }, '/data')).toHaveLength(1)
})

test('without a server it is said of which data', () => {
  expect(statusLines({ running: false }, '/data')).toEqual([
    'Boathouse is not running with the data in /data.',
  ])
})
