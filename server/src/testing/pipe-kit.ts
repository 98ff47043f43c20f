import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Pipe, pipe, type PipeFile } from '@boathouse/contract'
import { expect, onTestFinished } from 'vitest'
import { rowsIn } from './load-kit.ts'
import { startApp, type TestApp, type TestAppOptions, type TestUser } from './start-app.ts'

/** A folder that an operator has opened as `landing`. */
export async function landingFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-landing-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return {
    folder,
    at: (name: string) => join(folder, name),
    async put(name: string, content: string | Buffer): Promise<string> {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
      return path
    },
    /** As if it had been written then. */
    age: (name: string, at: Date) => utimes(join(folder, name), at, at),
  }
}

export interface PipeApp {
  readonly app: TestApp
  readonly admin: TestUser
  readonly landing: Awaited<ReturnType<typeof landingFolder>>
}

/** The service with that folder, and a table `t` with a number and a text. */
export async function pipeApp(options: TestAppOptions = { engine: 'embedded' }): Promise<PipeApp> {
  const landing = await landingFolder()
  const app = await startApp({ BOATHOUSE_CATALOG_FOLDERS: `landing=${landing.folder}` }, options)
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE t (id BIGINT, name VARCHAR)')
  return { app, admin, landing }
}

export interface PipeText {
  readonly name?: string
  readonly path?: string
  readonly properties?: string
  readonly more?: string
}

export const pipeText = ({ name = 'p', path = 'orders/*.csv', properties = '', more = '' }: PipeText = {}) =>
  `CREATE PIPE ${name} PROPERTIES ("settle_seconds" = "0"${properties}) AS INSERT INTO t ` +
  `SELECT * FROM FILES("path" = "folder://landing/${path}", "format" = "csv"${more})`

/** All that is due now, to its end. */
export async function runPipes({ app }: Pick<PipeApp, 'app'>): Promise<void> {
  await app.loads.pipes.runDue()
  await app.loads.pipes.idle()
}

/** The same when the next look is due. */
export async function runLater(of: PipeApp, seconds = 15): Promise<void> {
  of.app.clock.advance(seconds * 1_000)
  await runPipes(of)
}

export async function pipeOf(user: TestUser, name = 'p'): Promise<Pipe> {
  const { data, message } = await user.call(pipe.findPipe, {
    catalog: 'default_catalog',
    databaseName: 'main',
    name,
  })
  expect(message).toBe('')
  return data
}

export async function filesOfPipe(user: TestUser, name = 'p'): Promise<PipeFile[]> {
  const { pipeId } = await pipeOf(user, name)
  return (await user.call(pipe.listPipeFiles, { pipeId, limit: 100 })).data.list
}
