import {
  type AccessObject,
  LIMITS,
  type ObjectAction,
  type ObjectDetail,
  objectText,
  type Privilege,
} from '@boathouse/contract'
import type { ObjectPlace } from '../../../engines/engine/names.ts'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Authority } from '../../access/authority.ts'
import type { Readers } from '../../access/readers.ts'
import { authorizeStatement, type Lister } from '../../query/gate/authorize-statement.ts'
import { columnOf, numberOf } from './column-of.ts'
import { allUsersOf, allUsesOf, type Dependent, seenOf } from './dependencies.ts'
import { createLookingFor, errorOf, type Looking } from './looking.ts'
import type { MaterializedViews } from './materialized-views.ts'
import { findObject, type FoundObject, type WantedObject } from './place-of.ts'

export interface ObjectParts {
  readonly useServiceEngine: UseEngine
  readonly authority: Pick<Authority, 'visible' | 'may' | 'require'> & Lister
  readonly readers: Readers
  readonly materialized: Dependent['materialized'] & Pick<MaterializedViews, 'find' | 'createStatement'>
}

/** Longer, and an estimate or nothing is shown instead. */
const FIGURE_MS = 2_000
/** A view may be any query: the sample of one that takes longer is for a warehouse. */
const SAMPLE_MS = 10_000

const ACTIONS: Readonly<Record<ObjectAction, Privilege>> = {
  read: 'SELECT',
  refresh: 'REFRESH',
  alter: 'ALTER',
  drop: 'DROP',
}

/** A number that is left out when it takes long to be found. */
async function figure({ run }: Looking, sql: string): Promise<number | null> {
  const outcome = await run(sql, { takenFor: 'reads', authorize: 'all', maxRows: 1, withinMs: FIGURE_MS })
  return outcome.state === 'finished' ? numberOf(outcome.result.rows[0]?.[0]) : null
}

async function sizeOf({ sizes }: Looking, { catalog, database, name }: ObjectPlace): Promise<number | null> {
  const found = await sizes?.({ catalog, database, names: [name], withinMs: FIGURE_MS })
  return found?.get(name) ?? null
}

/** What is said of one table, view or materialized view. */
export function createObjects({ useServiceEngine, authority, readers, materialized }: ObjectParts) {
  const look = createLookingFor({ useServiceEngine, authority })
  const { visible, may } = authority

  const withObject = <T>(
    actor: Actor,
    wanted: WantedObject,
    work: (found: FoundObject, looking: Looking) => Promise<T>,
  ): Promise<T> =>
    look(actor, async (looking) => {
      const { ask, catalogNamed } = looking
      const seeking = { actor, authority, materialized: materialized.keysOf, wanted, catalogNamed }
      return work(await findObject(ask, seeking), looking)
    })

  async function actionsOf(actor: Actor, access: AccessObject): Promise<ObjectAction[]> {
    const actions: ObjectAction[] = []
    for (const [action, privilege] of Object.entries(ACTIONS) as [ObjectAction, Privilege][])
      if (await may(actor, privilege, access)) actions.push(action)
    return actions
  }

  return {
    describe: (actor: Actor, wanted: WantedObject): Promise<ObjectDetail> =>
      withObject(actor, wanted, async ({ kind, place, access }, looking) => {
        const [row] = await looking.rows(looking.descriptions().object(place), 1)
        const [comment, columnCount] = row ?? []
        const actions = await actionsOf(actor, access)
        const isCounted = place.type === 'table' && actions.includes('read')
        const words = looking.descriptions()
        const exact = isCounted ? await figure(looking, words.countRows(place)) : null
        const count = exact ?? (place.type === 'table' ? await figure(looking, words.estimate(place)) : null)
        const bytes = place.type === 'table' ? await sizeOf(looking, place) : null
        const view = kind === 'materialized_view' ? await materialized.find(actor, place) : null
        return {
          name: place.name,
          type: kind,
          comment: view?.comment ?? comment ?? '',
          columnCount: numberOf(columnCount) ?? 0,
          rows: count === null ? null : { count, exact: exact !== null },
          size: bytes === null ? null : { bytes, exact: false },
          actions,
        }
      }),

    columns: (actor: Actor, wanted: WantedObject, page: { offset: number; limit: number }) =>
      withObject(actor, wanted, async ({ kind, place }, { rows, descriptions }) => {
        const [object] = await rows(descriptions().object(place), 1)
        const found = await rows(descriptions().columns(place, page), page.limit)
        return {
          tableName: place.name,
          type: kind,
          columns: found.map(columnOf),
          total: numberOf(object?.[1]) ?? 0,
        }
      }),

    /** CATALOG-07: what a text is made of says as much as its rows, so that it needs the same. */
    createStatement: (actor: Actor, wanted: WantedObject): Promise<string> =>
      withObject(actor, wanted, async ({ kind, place, access }, { rows, descriptions }) => {
        if (kind === 'materialized_view') return materialized.createStatement(actor, place)
        await authority.require(actor, { privilege: 'SELECT', object: access })
        const [row] = await rows(descriptions().definition(place), 1)
        return row?.[0] ?? ''
      }),

    sample: (actor: Actor, wanted: WantedObject) =>
      withObject(actor, wanted, async ({ place, access }, { run, descriptions }) => {
        const views = await materialized.keysOf(actor.accountId)
        const { authorize: decider, hasDenied } = authorizeStatement(actor, authority, {
          views,
          writes: false,
        })
        const outcome = await run(descriptions().sample(place, LIMITS.sampleRows + 1), {
          takenFor: 'reads',
          authorize: decider,
          maxRows: LIMITS.sampleRows,
          longestCell: LIMITS.cellLength,
          withinMs: SAMPLE_MS,
        })
        if (outcome.state === 'finished') {
          const { columns, rows, truncated } = outcome.result
          return {
            columns: columns.map(({ name, type, family }) => ({ name, type, family })),
            rows: rows.map((row) => [...row]),
            truncated,
          }
        }
        if (outcome.state === 'cancelled')
          throw new AppError(
            'StatementTimedOut',
            `The first rows of ${objectText(access)} take longer than ${SAMPLE_MS / 1000} s to read. Query it in the editor, where a warehouse reads it.`,
          )
        if (outcome.state === 'failed' && outcome.error.kind !== 'unavailable')
          throw new AppError(hasDenied() ? 'NoPermission' : 'QueryFailed', outcome.error.message)
        throw errorOf(outcome)
      }),

    dependencies: (actor: Actor, wanted: WantedObject) =>
      withObject(actor, wanted, async (found, looking) => {
        const { place } = found
        const { catalog } = place
        const dependent = { accountId: actor.accountId, materialized }
        const { refs, broken } = await allUsesOf(looking, found, dependent)
        const users = await allUsersOf(looking, place, dependent)
        const [uses, shown] = [
          await seenOf(visible, actor, { catalog, refs }),
          await seenOf(visible, actor, { catalog, refs: users }),
        ]
        const hidden = refs.length + users.length - uses.length - shown.length
        return { uses, usedBy: shown, hidden, broken }
      }),

    readers: (actor: Actor, wanted: WantedObject, page: { offset: number; limit: number }) =>
      withObject(actor, wanted, ({ access }) => readers(actor, access, page)),
  }
}

export type Objects = ReturnType<typeof createObjects>
