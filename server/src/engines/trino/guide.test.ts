import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TrinoEngine } from './engine.ts'
import { playCluster } from './testing/bad-coordinator.ts'

const GUIDE = new URL('../../../../docs/guide/warehouses.md', import.meta.url)

/** What the guide says of the two engines, by its first column: those of a warehouse of the embedded engine and of a cluster. */
function differences(): ReadonlyMap<string, readonly string[]> {
  const [, text = ''] = readFileSync(GUIDE, 'utf8').split('### What is different in Trino')
  const rows = text.split('\n## ')[0]?.match(/^\|.*\|$/gm) ?? []
  return new Map(
    rows.map((row) => {
      const [, what = '', ...others] = row.split('|').map((cell) => cell.trim())
      return [what, others.slice(0, 2)]
    }),
  )
}

test('what the engine lacks, the guide says, and nothing more', async () => {
  const { cluster } = await playCluster()
  const size = { threads: 1, memoryBytes: 1 }
  const space = { accountId: 'a', warehouseId: 'w', resultsDirectory: '', cluster, ...size }
  const engine = new TrinoEngine('trino', space, {})
  const said = differences()
  const has = (what: string): boolean => (said.get(what)?.[1] ?? '').startsWith('Yes')
  const lacking = {
    'Loading files, larger streams, pipes, transactions over several tables': engine.files,
    'External catalogs: folders, buckets, AWS Glue, Hive metastores': engine.attachments,
    'EXPLAIN, profile of a statement': engine.profiling,
  }
  for (const [what, capability] of Object.entries(lacking)) {
    expect([what, said.get(what)?.[0]]).toEqual([what, 'Yes'])
    expect([what, has(what)]).toEqual([what, capability !== null])
  }
})
