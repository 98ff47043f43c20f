import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callAs, type Login } from '@boathouse/client'
import { pipe, type PipeFile } from '@boathouse/contract'
import { type Book, TABLE } from './book.ts'
import { FOLDER } from './product.ts'
import type { Random } from './random.ts'

const NUMBERS_IN_A_FILE = 3
const LONGEST_PAUSE_MS = 400
/** Files that wait for the pipe: on a slow machine no more come than are loaded. */
const MOST_WAITING = 4
const LOOK_EVERY_MS = 200
/** Longer than the last files need, also when they are tried again. */
const LOADED_WITHIN_MS = 300_000
const PAGE = 100

export interface Pipes {
  /** Resolves when every file is loaded, or was given up. */
  stop(): Promise<void>
}

async function allFiles(login: Login, pipeId: string): Promise<readonly PipeFile[]> {
  const files: PipeFile[] = []
  for (;;) {
    const page = { pipeId, offset: files.length, limit: PAGE }
    const { list } = await callAs(login, pipe.listPipeFiles, page)
    files.push(...list)
    if (list.length < PAGE) return files
  }
}

/** Files that come into a folder, which a pipe loads once each, whatever is killed meanwhile. */
export async function startPipes(options: {
  readonly login: Login
  readonly folder: string
  readonly book: Book
  readonly random: Random
}): Promise<Pipes> {
  const { login, folder, book, random } = options
  const { pipeId } = await callAs(login, pipe.createPipe, {
    catalog: 'default_catalog',
    databaseName: 'main',
    name: 'torture',
    tableName: TABLE,
    path: `folder://${FOLDER}/*.csv`,
    format: 'csv',
    properties: { poll_interval: '1', settle_seconds: '0' },
  })
  const over = new AbortController()
  /** By the name of their file. */
  const written = new Map<string, readonly number[]>()
  const isFull = async (): Promise<boolean> => {
    const now = await callAs(login, pipe.describePipe, { pipeId }).catch(() => null)
    return written.size - (now?.files.loaded ?? 0) >= MOST_WAITING
  }
  const writing = (async () => {
    while (!over.signal.aborted) {
      if (await isFull()) {
        await sleep(LOOK_EVERY_MS)
        continue
      }
      const numbers = Array.from({ length: NUMBERS_IN_A_FILE }, () => book.nextOfProgram().number)
      const name = `${numbers[0]}.csv`
      // Under a name that the pipe leaves out, until it is complete.
      await writeFile(join(folder, `.${name}`), numbers.map((number) => `${number}\n`).join(''))
      await rename(join(folder, `.${name}`), join(folder, name))
      written.set(`folder://${FOLDER}/${name}`, numbers)
      await sleep(random.below(LONGEST_PAUSE_MS))
    }
  })()

  async function untilLoaded(): Promise<void> {
    const deadline = Date.now() + LOADED_WITHIN_MS
    let files: readonly PipeFile[] = []
    while (Date.now() < deadline) {
      files = await allFiles(login, pipeId).catch(() => files)
      if (files.filter(({ state }) => state === 'loaded').length === written.size) break
      await sleep(LOOK_EVERY_MS)
    }
    const states = new Map(files.map((file) => [file.path, file]))
    for (const [path, numbers] of written) {
      const { state = 'not seen', error = '' } = states.get(path) ?? {}
      if (state !== 'loaded') book.accuse(`${path} is ${state}, and not loaded in time. ${error}`)
      else for (const number of numbers) book.hearProgram(number, 'taken', `${path} was loaded`)
    }
  }

  return {
    async stop() {
      over.abort()
      await writing
      await untilLoaded()
    },
  }
}
