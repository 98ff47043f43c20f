import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TEXT } from '../../../engines/engine/columns.ts'
import type { RowBatch } from '../../../engines/engine/sink.ts'
import { ENDED, type ScriptedServer, batchOf, column, scriptedServer } from './testing/scripted-server.ts'

const hasClient = spawnSync('mariadb', ['--version']).status === 0

async function mariadb(server: ScriptedServer, args: readonly string[]): Promise<string> {
  const login = ['--no-defaults', '-h127.0.0.1', `-P${server.port}`, '-uACME.lea', '-psecret', '--batch']
  const { stdout } = await promisify(execFile)('mariadb', [...login, ...args], { maxBuffer: 2 ** 30 })
  return stdout
}

const A = { columns: [column('a', TEXT)], batches: [batchOf([['grüße'], [null]])] }

describe.skipIf(!hasClient)('the mariadb client', () => {
  it.each([
    ['plainly', ['--skip-ssl']],
    ['over TLS', ['--ssl']],
    ['compressed', ['--compress', '--ssl']],
  ])('signs in and reads rows %s', async (_, args) => {
    const server = await scriptedServer()
    server.answer = ({ sql }) => (sql.startsWith('select') ? [A] : [{}])
    expect(await mariadb(server, [...args, '-e', 'select a'])).toBe('a\ngrüße\nNULL\n')
    // The second time the scramble is known.
    expect(await mariadb(server, [...args, '-e', 'select a; select a'])).toBe(
      'a\ngrüße\nNULL\na\ngrüße\nNULL\n',
    )
  })

  it('sends a clear password over TLS, and none without it', async () => {
    const server = await scriptedServer()
    server.answer = () => [A]
    const clear = ['--default-auth=mysql_clear_password']
    expect(await mariadb(server, [...clear, '--ssl', '-e', 'select a'])).toContain('grüße')
    await expect(mariadb(server, [...clear, '--skip-ssl', '-e', 'select a'])).rejects.toThrow('TLS')
  })

  it('says why somebody is refused', async () => {
    const server = await scriptedServer()
    const wrong = mariadb(server, ['-pwrong', '-e', 'select a'])
    await expect(wrong).rejects.toThrow('ERROR 1045 (28000): Access denied')
  })

  it('sends a local file', async () => {
    const server = await scriptedServer()
    const folder = await mkdtemp(join(tmpdir(), 'boathouse-infile-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'rows.csv')
    const content = 'a,b\n'.repeat(500_000)
    await writeFile(path, content)
    server.answer = ({ client }) => {
      server.send({ kind: 'file-wanted', client, name: path })
      return null
    }
    server.handle = (message) => {
      if (message.kind === 'file-sent') server.send({ ...ENDED, client: message.client, affectedRows: 3 })
      return message.kind === 'file-sent'
    }
    await mariadb(server, ['--local-infile=1', '-e', 'load data local infile'])
    expect(Buffer.concat([...server.files.values()].flat()).toString()).toBe(content)
  })

  it('reads a million rows, and the door stays small', async () => {
    const server = await scriptedServer()
    server.answer = ({ sql }) => (sql.startsWith('select') ? [million()] : [{}])
    const output = await mariadb(server, ['--quick', '--skip-ssl', '-e', 'select million'])
    expect(output.split('\n')).toHaveLength(MILLION + 2)
    expect(peakBytes(server)).toBeLessThan(200 * 1024 * 1024)
  })
})

/** Of the door's process, where the system says it. */
function peakBytes({ child }: ScriptedServer): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024
}

const MILLION = 1_000_000
const BATCH = 2_000

function million() {
  const integer = (bits: number) => ({ kind: 'integer', bits, isSigned: true }) as const
  const columns = [
    column('id', integer(64)),
    column('name', TEXT),
    column('amount', { kind: 'decimal', precision: 18, scale: 2 }),
    column('at', { kind: 'timestamp', precision: 6, isZoned: false }),
    column('count', integer(32)),
  ]
  const rows = Array.from({ length: BATCH }, (_, at) => [
    `${at}`,
    `customer_${at}`,
    `${at}.25`,
    '2026-11-17 18:30:00',
    `${7 * at}`,
  ])
  const batch: RowBatch = batchOf(rows)
  return { columns, batches: Array.from({ length: MILLION / BATCH }, () => batch) }
}
