import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from '../../../engine/outcome.ts'
import { openAccount } from '../../account/account.ts'
import { CORPUS, FAILED, GIVES_ROWS, type Recorded, TABLES } from './corpus.ts'

/** As a connection of MySQL's door begins. */
const WRITTEN = {
  quotes: { escapes: true, doubleIsText: true, comments: 'mysql' },
  systemVariables: {},
  variables: {},
  words: 'mysql',
} as const
const SETTINGS = { chosen: { default_null_order: 'NULLS_FIRST_ON_ASC_LAST_ON_DESC' }, variables: {} }

/** Runs statements in MySQL's words in an account of its own, with the tables of the corpus. */
export async function askInTheirWords<T>(
  work: (run: (sql: string) => Promise<Outcome>) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-corpus-'))
  const space = { directory, threads: 1, memoryBytes: 1024 ** 3, tempBytes: 1024 ** 2 }
  const account = await openAccount(space, { inMemory: true })
  try {
    const state = { catalog: 'default_catalog', database: 'main', timeZone: 'UTC', variables: {} }
    const session = await account.openSession(state, () => undefined)
    const run = (sql: string) =>
      session.execute(sql, {
        written: WRITTEN,
        settings: SETTINGS,
        takenFor: null,
        authorize: 'all',
        maxRows: 1000,
        queryId: crypto.randomUUID(),
        keep: null,
        profile: null,
      }).outcome
    for (const sql of TABLES) {
      const { state: ended } = await run(sql)
      if (ended !== 'finished') throw new Error(`The tables of the corpus could not be made: ${sql}`)
    }
    return await work(run)
  } finally {
    await account.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Runs the corpus and gives every answer. */
export const askOurs = (): Promise<Record<string, Recorded>> =>
  askInTheirWords(async (run) => {
    const answers: Record<string, Recorded> = {}
    for (const { sql } of CORPUS) {
      const outcome = await run(sql)
      if (outcome.state !== 'finished') answers[sql] = FAILED
      else if (!GIVES_ROWS.test(sql)) answers[sql] = { names: [], rows: [] }
      else {
        const { columns, rows } = outcome.result
        answers[sql] = { names: columns.map(({ name }) => name), rows }
      }
    }
    return answers
  })
