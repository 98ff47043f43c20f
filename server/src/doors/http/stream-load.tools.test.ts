import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { rowsIn } from '../../testing/load-kit.ts'
import { startApp } from '../../testing/start-app.ts'
import { portOf } from '../../testing/stream-kit.ts'
import type { StreamResponse } from './stream-answer.ts'

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
})()

test.skipIf(!hasCurl)(
  'curl sends a file as the guide says, is refused without its password, and sends it once [REAL-02]',
  async () => {
    const app = await startApp({}, { engine: 'embedded' })
    const admin = await app.admin()
    await rowsIn(admin, 'CREATE TABLE main.people (id BIGINT, name VARCHAR)')
    const folder = await mkdtemp(join(tmpdir(), 'boathouse-curl-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'people.csv')
    // Large enough that curl would be in the middle of it when it is refused.
    await writeFile(file, Array.from({ length: 300_000 }, (_, at) => `${at},person ${at}\n`).join(''))
    const url = `http://127.0.0.1:${await portOf(app)}/api/main/people/_stream_load`
    const curl = async (password: string, ...more: string[]) => {
      const user = ['--location-trusted', '-s', '-u', `${app.accountId}.admin:${password}`]
      const headers = ['label: people-1', 'column_separator: ,', 'columns: id, name'].flatMap((one) => [
        '-H',
        one,
      ])
      const all = [...user, ...headers, '-w', '\n%{http_code}', ...more, '-T', file, url]
      const { stdout } = await promisify(execFile)('curl', all)
      const [body = '', status] = stdout.trim().split(/\n(?=\d+$)/)
      return { status, body: JSON.parse(body) as StreamResponse }
    }
    expect(await curl('wrong', '-H', 'Expect: 100-continue')).toMatchObject({
      status: '401',
      body: { Status: 'Fail' },
    })
    // Sent without asking first, as by a client that reads its answer late.
    expect(await curl('wrong', '-H', 'Expect:')).toMatchObject({ status: '401', body: { Status: 'Fail' } })
    expect(await curl(app.password, '-H', 'Expect: 100-continue')).toMatchObject({
      status: '200',
      body: { Status: 'Success', Label: 'people-1', NumberLoadedRows: 300_000 },
    })
    expect((await curl(app.password, '-H', 'Transfer-Encoding: chunked')).body).toMatchObject({
      Status: 'Label Already Exists',
      ExistingJobStatus: 'FINISHED',
    })
    expect(await rowsIn(admin, 'SELECT count(*) FROM main.people')).toEqual([['300000']])
  },
)

/** As a front end of StarRocks: it sends each client on to where loads are taken. */
async function startFrontEnd(port: number): Promise<string> {
  const asked = createServer((request, response) => {
    response.writeHead(307, { location: `http://localhost:${port}${request.url}`, connection: 'close' }).end()
  })
  // Answered before the body comes, as they do.
  asked.on('checkContinue', (request, response) => asked.emit('request', request, response))
  asked.listen(0, '127.0.0.1')
  await once(asked, 'listening')
  onTestFinished(() => void asked.close())
  return `http://127.0.0.1:${(asked.address() as AddressInfo).port}`
}

test.skipIf(!hasCurl)(
  'curl that is sent here by a redirect loads once, and without its password it is refused [REAL-02]',
  async () => {
    const app = await startApp({}, { engine: 'embedded' })
    const admin = await app.admin()
    await rowsIn(admin, 'CREATE TABLE main.people (id BIGINT, name VARCHAR)')
    const folder = await mkdtemp(join(tmpdir(), 'boathouse-curl-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'people.csv')
    await writeFile(file, Array.from({ length: 50_000 }, (_, at) => `${at},person ${at}\n`).join(''))
    const url = `${await startFrontEnd(await portOf(app))}/api/main/people/_stream_load`
    const load = async (follow: string): Promise<StreamResponse> => {
      const user = `${app.accountId}.admin:${app.password}`
      const headers = ['label: sent-on', 'column_separator: ,', 'Expect: 100-continue'].flatMap((one) => [
        '-H',
        one,
      ])
      const { stdout } = await promisify(execFile)('curl', [
        follow,
        '-s',
        '-u',
        user,
        ...headers,
        '-T',
        file,
        url,
      ])
      return JSON.parse(stdout) as StreamResponse
    }
    expect(await load('--location')).toMatchObject({ Status: 'Fail' })
    expect(await load('--location-trusted')).toMatchObject({ Status: 'Success', NumberLoadedRows: 50_000 })
    expect(await load('--location-trusted')).toMatchObject({ Status: 'Label Already Exists' })
    expect(await rowsIn(admin, 'SELECT count(*) FROM main.people')).toEqual([['50000']])
  },
)
