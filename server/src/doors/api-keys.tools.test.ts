import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { query } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { makeKey } from '../testing/key-kit.ts'
import { rowsIn } from '../testing/load-kit.ts'
import { WITH_MYSQL } from '../testing/mysql-kit.ts'
import { startApp } from '../testing/start-app.ts'
import { portOf } from '../testing/stream-kit.ts'

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'])
    return true
  } catch {
    return false
  }
}
const run = promisify(execFile)

test.skipIf(!has('curl') || !has('mariadb'))(
  'curl and mariadb use one key as the guide says, for a call, a load and a statement',
  async () => {
    const app = await startApp(WITH_MYSQL, { engine: 'embedded' })
    const admin = await app.admin()
    await rowsIn(admin, 'CREATE TABLE main.people (id BIGINT, name VARCHAR)')
    const { secret } = await makeKey(admin, { name: 'nightly' })
    const folder = await mkdtemp(join(tmpdir(), 'boathouse-keys-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'people.csv')
    await writeFile(file, '1,Ann\n2,Ben\n')
    const origin = `http://127.0.0.1:${await portOf(app)}`
    const bearer = ['-s', '-H', `Authorization: Bearer ${secret}`]

    const json = ['-H', 'Content-Type: application/json', '-d', '{}']
    const info = await run('curl', [...bearer, ...json, `${origin}/api/user/info`])
    expect(JSON.parse(info.stdout)).toMatchObject({ data: { user: 'admin' } })

    const headers = ['-H', 'Expect: 100-continue', '-H', 'column_separator: ,']
    const into = `${origin}/api/main/people/_stream_load`
    const loaded = await run('curl', [...bearer, '--location-trusted', '-T', file, ...headers, into])
    expect(JSON.parse(loaded.stdout)).toMatchObject({ Status: 'Success', NumberLoadedRows: 2 })

    const { host, port } = app.mysql?.endpoint ?? { host: '', port: 0 }
    const asUser = ['-h', host, '-P', String(port), '-u', `${app.accountId}.admin`, '--ssl', '-N']
    const env = { ...process.env, MYSQL_PWD: secret }
    const sql = 'select count(*) from main.people'
    const counted = await run('mariadb', [...asUser, '-e', sql], { env })
    expect(counted.stdout.trim()).toBe('2')
    const wrong = run('mariadb', [...asUser, '-e', sql], { env: { ...env, MYSQL_PWD: `${secret}x` } })
    await expect(wrong).rejects.toThrow('1045')

    const { entries } = (await admin.call(query.history, { limit: 10 })).data
    const byKey = entries.filter((entry) => entry.key === 'nightly').map(({ door }) => door)
    expect(byKey).toEqual(expect.arrayContaining(['mysql', 'ingest']))
  },
)
