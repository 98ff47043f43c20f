import { type Input, type lineage as calls, type Output, type TablePath, USE_DAYS } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { History } from '../query/history/history.ts'
import { seesAll } from '../query/history/seen-by.ts'
import type { Objects } from '../schema/objects/objects.ts'
import { createGraph, type GraphParts } from './graph.ts'
import type { LinkedTable, ReadingStore, Whose } from './reading-store.ts'
import { isSameTable, type TablePlace } from './table-key-store.ts'
import type { TableUses } from './uses.ts'

type Wanted = Input<typeof calls.facts>
type Facts = Output<typeof calls.facts>

export interface LineageParts extends Omit<GraphParts, 'store' | 'existing'> {
  readonly store: ReadingStore
  readonly uses: Pick<TableUses, 'flush'>
  readonly objects: Pick<Objects, 'find' | 'existing' | 'dependencies'>
  readonly history: Pick<History, 'entriesOf'>
  readonly clock: Clock
}

const DAY_MS = 86_400_000
const MOST_TOGETHER = 5

/** Statements of others are seen by those who see them in the history. */
const whoseFor = (actor: Actor): Whose => ({
  accountId: actor.accountId,
  userId: seesAll(actor) ? null : actor.userId,
})

const ofTable = <T extends TablePlace>(rows: readonly T[], table: TablePlace): T | undefined =>
  rows.find((row) => isSameTable(row, table))

/** What is known of a table or view beside its rows: whose it is, how it grew, what it is made of and who uses it. */
export function createLineage(parts: LineageParts) {
  const { store, uses, objects, history, clock } = parts
  const graphOf = createGraph({ ...parts, existing: objects.existing })

  async function readTogether(actor: Actor, linked: readonly LinkedTable[]): Promise<Facts['together']> {
    const found = await objects.existing(actor, linked.slice(0, 2 * MOST_TOGETHER))
    return found.slice(0, MOST_TOGETHER).map((one) => ({ ...one, times: ofTable(linked, one)?.times ?? 0 }))
  }

  async function useOf(whose: Whose, place: TablePlace): Promise<Facts['use']> {
    const since = new Date(clock.now().getTime() - (USE_DAYS - 1) * DAY_MS)
    const byUser = await store.use(whose, place, since)
    return {
      ofEveryone: whose.userId === null,
      statements: byUser.reduce((sum, { statements }) => sum + statements, 0),
      users: byUser.length,
      mostBy: byUser[0]?.user ?? null,
    }
  }

  return {
    async facts(actor: Actor, wanted: Wanted): Promise<Facts> {
      const { kind, place } = await objects.find(actor, wanted)
      await uses.flush()
      const { accountId } = actor
      const whose = whoseFor(actor)
      const [facts, owner, measures, use, linked] = await Promise.all([
        store.facts(accountId, place),
        kind === 'view' ? store.viewOwner(accountId, place) : null,
        store.measures(accountId, place),
        useOf(whose, place),
        store.linked(whose, place, { mine: false, theirs: false }),
      ])
      if (kind !== 'view' && !facts?.isMeasured) await store.measureSoon(accountId, place)
      const seesChange = whose.userId === null || facts?.changedById === actor.userId
      return {
        owner: owner ?? facts?.createdBy ?? null,
        createdAt: facts?.createdAt?.toISOString() ?? null,
        changedAt: facts?.changedAt?.toISOString() ?? null,
        changedBy: seesChange ? (facts?.changedBy ?? null) : null,
        use,
        together: await readTogether(actor, linked),
        measures: measures.map(({ at, ...counted }) => ({ at: at.toISOString(), ...counted })),
      }
    },

    async graph(actor: Actor, wanted: Wanted): Promise<Output<typeof calls.graph>> {
      const { place } = await objects.find(actor, wanted)
      await uses.flush()
      const defined = await objects.dependencies(actor, wanted)
      return graphOf(actor, { table: place, whose: whoseFor(actor), defined })
    },

    async statements(actor: Actor, wanted: Wanted): Promise<Output<typeof calls.statements>> {
      const { place } = await objects.find(actor, wanted)
      await uses.flush()
      const whose = whoseFor(actor)
      const used = await store.statements(whose, place)
      const entries = await history.entriesOf(actor, used)
      const list = used.flatMap(({ id, reads, writes, times }) => {
        const entry = entries.get(id)
        return entry ? [{ entry, reads, writes, times }] : []
      })
      return { list, ofEveryone: whose.userId === null }
    },

    /** What somebody used last and may still see, by its true name. */
    async recentTables(actor: Actor, most: number): Promise<(TablePath & { at: string })[]> {
      await uses.flush()
      const recent = await store.recent(actor.accountId, actor.userId, 2 * most)
      const found = recent.length > 0 ? await objects.existing(actor, recent) : []
      return found.slice(0, most).map((one) => ({ ...one, at: ofTable(recent, one)?.at.toISOString() ?? '' }))
    },
  }
}

export type Lineage = ReturnType<typeof createLineage>
