import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { askOurs } from './ask-ours.ts'
import { areAlike, CORPUS, FAILED, readDifferences, readRecorded } from './corpus.ts'
import { hasMariadb, startMariadb } from './mariadb.ts'
import { askReference } from './reference.ts'

const SHARE = 0.95

test.skipIf(!hasMariadb)(
  'statements of tools for MySQL have the answers of a MariaDB that is asked in the same run',
  async () => {
    const server = await startMariadb()
    try {
      const theirs = askReference(server.client, server.connect)
      if (process.env['UPDATE_RECORDED']) {
        const lines = Object.entries(theirs).map((entry) =>
          entry.map((part) => JSON.stringify(part)).join(': '),
        )
        await writeFile(new URL('recorded.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`)
      }
      const ours = await askOurs()
      const different = CORPUS.filter(({ sql }) => !areAlike(ours[sql] ?? FAILED, theirs[sql] ?? FAILED))
      expect(different.map(({ sql }) => sql).sort()).toEqual(Object.keys(readDifferences()).sort())
      expect(different.length / CORPUS.length).toBeLessThanOrEqual(1 - SHARE)
      // What `npm test` compares with is what MariaDB still says.
      const recorded = readRecorded()
      const changed = CORPUS.filter(({ sql }) => !areAlike(recorded[sql] ?? FAILED, theirs[sql] ?? FAILED))
      expect(changed).toEqual([])
    } finally {
      await server.stop()
    }
  },
  120_000,
)
