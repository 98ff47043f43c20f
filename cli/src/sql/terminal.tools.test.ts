import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from '@boathouse/contract'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeKey } from '../../../server/src/testing/key-kit.ts'
import { sharedApp } from '../../../server/src/testing/start-app.ts'
import { openTerminal } from './testing/sql-command.ts'

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'])
    return true
  } catch {
    return false
  }
}

const PROMPT = 'default_catalog.main> '
const [CTRL_C, CTRL_D, UP, TAB] = ['\u0003', '\u0004', '\u001b[A', '\t']

const shared = sharedApp({}, { engine: 'embedded' })
let made: { secret: string } | undefined

async function startServer() {
  const app = await shared()
  const admin = await app.admin()
  made ??= await makeKey(admin)
  const { secret } = made
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-terminal-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const history = join(folder, 'history')
  const env = { BOATHOUSE_URL: await app.url(), BOATHOUSE_KEY: secret, BOATHOUSE_SQL_HISTORY: history }
  return { app, admin, env, history }
}

describe.skipIf(!hasPython())('boathouse sql in a terminal', () => {
  test('a statement of several lines, a table that fits, help, another format, and Ctrl+D leaves', async () => {
    const { env } = await startServer()
    const terminal = await openTerminal([], { env, columns: 60 })
    await terminal.shows(PROMPT)
    terminal.type("select 1 as id,\rrepeat('wide ', 40) as text,\rnull as nothing;\r")
    const table = await terminal.shows(/\(1 row, [\d.]+ m?s\)/)
    expect(table).toContain('NULL')
    expect(table).toContain('…')
    const lines = table.split('\n').filter((line) => line.includes(' | '))
    expect(lines).toHaveLength(2)
    // Before the first line are prompts for what was typed ahead, and what was shown while it ran, on a slow machine.
    const BEFORE = /^.*(?:-> |Ctrl\+C stops it\.|\r)/s
    for (const line of lines) expect(line.replace(BEFORE, '').length).toBeLessThanOrEqual(60)
    await terminal.shows(PROMPT)
    terminal.type('\\?\r')
    await terminal.shows('Ctrl+C stops')
    terminal.type('\\f json\r')
    await terminal.shows('Rows are written as json.')
    await terminal.shows(PROMPT)
    terminal.type('select 7 as seven;\r')
    await terminal.shows('{"seven":7}')
    await terminal.shows(PROMPT)
    terminal.type(CTRL_D)
    expect(await terminal.ended()).toBe(0)
  })

  test('Ctrl+C stops the statement and not the program, shows progress before, and clears a line', async () => {
    const { admin, env } = await startServer()
    const terminal = await openTerminal([], { env })
    await terminal.shows(PROMPT)
    terminal.type('select count(*) from range(1000000) a, range(1000000) b where a.range <> b.range;\r')
    await terminal.shows(/Running, \d/)
    terminal.type(CTRL_C)
    await terminal.shows('Stopped.')
    await terminal.shows(PROMPT)
    await vi.waitFor(async () => expect((await admin.call(query.running, {})).data.entries).toEqual([]))
    terminal.type(`select 'never run${CTRL_C}`)
    await terminal.shows('^C')
    await terminal.shows(PROMPT)
    terminal.type("select 'alive' as state;\r")
    await terminal.shows(/alive\n\(1 row/)
    terminal.type('\\q\r')
    expect(await terminal.ended()).toBe(0)
  })

  test('the history is kept for its user alone, without secrets, and found again', async () => {
    const { env, history } = await startServer()
    const first = await openTerminal([], { env })
    await first.shows(PROMPT)
    first.type('select 1 as a,\r2 as b;\r')
    await first.shows('(1 row')
    await first.shows(PROMPT)
    first.type("create user eve identified by 'Rowing_1999!';\r")
    await first.shows(/OK|ERROR/)
    await first.shows(PROMPT)
    first.type(CTRL_D)
    await first.ended()
    expect(await readFile(history, 'utf8')).toBe('select 1 as a, 2 as b;\n')
    expect((await stat(history)).mode & 0o777).toBe(0o600)
    const second = await openTerminal([], { env })
    await second.shows(PROMPT)
    second.type(`${UP}\r`)
    await second.shows('(1 row')
    second.type(CTRL_D)
    await second.ended()
  })

  test('Tab completes keywords, tables and columns', async () => {
    const { env } = await startServer()
    const terminal = await openTerminal([], { env })
    await terminal.shows(PROMPT)
    terminal.type('create table voyages (harbour varchar);\r')
    await terminal.shows('OK')
    await terminal.shows(PROMPT)
    terminal.type(`sel${TAB}`)
    await terminal.shows('select')
    terminal.type(` 1 fr${TAB}`)
    await terminal.shows('from')
    terminal.type(` voy${TAB}`)
    await terminal.shows('voyages')
    terminal.type(` where harb${TAB}`)
    await terminal.shows('harbour')
    terminal.type(' is null;\r')
    await terminal.shows('(0 rows')
    terminal.type(CTRL_D)
    expect(await terminal.ended()).toBe(0)
  })

  test('a password is asked for and not shown, and values cannot steer the terminal', async () => {
    const { app, env } = await startServer()
    app.clock.advance(Date.now() - app.clock.now().getTime())
    const { BOATHOUSE_KEY: _, ...without } = env
    const terminal = await openTerminal(['--account', app.accountId, '--user', 'admin'], { env: without })
    await terminal.shows('Password of admin: ')
    terminal.type(`${app.password}\r`)
    await terminal.shows(PROMPT)
    expect(terminal.raw()).not.toContain(app.password)
    terminal.type("select chr(27) || ']0;owned' || chr(7) || chr(8238) as value;\r")
    expect(await terminal.shows('(1 row')).toContain('\\e]0;owned\\x07\\u{202e}')
    expect(terminal.raw()).not.toContain('\u001b]0;')
    terminal.type('exit\r')
    expect(await terminal.ended()).toBe(0)
  })

  test('-e in a terminal writes a table, and Ctrl+C ends it with 130', async () => {
    const { env } = await startServer()
    const table = await openTerminal(['-e', 'select 5 as five'], { env })
    await table.shows(/five\n----\n {3}5\n\(1 row/)
    expect(await table.ended()).toBe(0)
    const slow = await openTerminal(
      ['-e', 'select count(*) from range(1000000) a, range(1000000) b where a.range <> b.range'],
      { env },
    )
    await slow.shows(/Running, \d/)
    slow.type(CTRL_C)
    await slow.shows('Stopped.')
    expect(await slow.ended()).toBe(130)
  })
})
