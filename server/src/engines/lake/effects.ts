import { z } from 'zod'
import type { Effect, EffectMemory } from '../engine/capabilities.ts'
import type { AccountLake, NotedWrite } from '../engine/lake.ts'
import { tableNamed } from './lists.ts'

const Snapshot = z.looseObject({
  'sequence-number': z.number().default(0),
  summary: z.record(z.string(), z.string()).default({}),
})

const History = z.looseObject({
  'table-uuid': z.string(),
  'last-sequence-number': z.number().default(0),
  snapshots: z.array(Snapshot).default([]),
})

type History = z.infer<typeof History>

const historyIn = (file: unknown): History | null => History.safeParse(file).data ?? null

/** Whether every snapshot that there has been since is still there. */
function isWhole(now: History, before: History | null): boolean {
  if (before && before['table-uuid'] !== now['table-uuid']) return false
  const since = before?.['last-sequence-number'] ?? 0
  const later = now.snapshots.filter((one) => one['sequence-number'] > since)
  return later.length === now['last-sequence-number'] - since
}

const addedRows = ({ summary }: z.infer<typeof Snapshot>): number | null =>
  summary['operation'] === 'append' ? Number(summary['added-records'] ?? 0) : null

/** What a table says of a statement that can change nothing any more; null: that it did not take effect. */
async function effectOf(lake: AccountLake, write: NotedWrite): Promise<Effect | 'untold' | null> {
  const { database, name, metadataBefore, remoteId } = write
  if (name === null) return 'untold'
  const table = await tableNamed(lake, { database, name })
  if ((table?.metadata ?? null) === metadataBefore) return null
  const now = table?.type === 'table' ? historyIn(await lake.metadata(table)) : null
  if (!table || !now) return 'untold'
  // A cluster leaves its name of the statement in what it writes.
  const own = now.snapshots.find(({ summary }) => Object.values(summary).includes(remoteId))
  if (own) return { rowsChanged: addedRows(own) }
  // Somebody else has changed it, or it was changed without a trace of who it was.
  if (!write.leavesSnapshot) return 'untold'
  const before = metadataBefore === null ? null : { ...table, metadata: metadataBefore }
  const known = before && historyIn(await lake.metadata(before))
  return isWhole(now, known) && (known !== null || before === null) ? null : 'untold'
}

/** Of statements of clusters, as their tables tell. One that was never noted had not begun. */
async function effectsIn(lake: AccountLake, queryIds: readonly string[]) {
  const effects = new Map<string, Effect | 'untold'>()
  for (const id of await lake.tookEffect(queryIds)) effects.set(id, { rowsChanged: null })
  for (const write of await lake.notedWrites(queryIds)) {
    await lake.requireOver(write)
    const effect = await effectOf(lake, write)
    if (effect !== null) effects.set(write.queryId, effect)
  }
  return effects
}

/** Of the engine's own statements, of those that created or dropped databases in the lake, and of those of clusters. */
export const effectsWithLake = (
  inner: EffectMemory,
  { lake, isThere }: { readonly lake: AccountLake; readonly isThere: () => boolean },
): EffectMemory => ({
  async tookEffect(queryIds) {
    const found = await inner.tookEffect(queryIds)
    return isThere() ? new Map([...found, ...(await effectsIn(lake, queryIds))]) : found
  },
  async forget(before) {
    await inner.forget(before)
    if (isThere()) await lake.forget(before)
  },
})
