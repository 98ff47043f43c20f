import { randomUUID } from 'node:crypto'
import {
  type AccessObject,
  ACTIONS_OF_STATE,
  DEFAULT_WAREHOUSE_NAME,
  type Input,
  LIMITS,
  type Output,
  type Privilege,
  RECOMMENDED_SIZE,
  objectOf,
  type SizeOffer,
  slotsOf,
  SYSTEM,
  type warehouse,
  type WarehouseDetails,
  type WarehouseEdit,
  WarehouseSize,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { EngineKind } from '../../engines/engine/provider.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { historyBegins } from '../../kernel/history-time.ts'
import type { Log } from '../../kernel/log.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { Schema } from '../../store/schema.ts'
import type { Authority } from '../access/authority.ts'
import { recordAudit } from '../audit/record.ts'
import type { GrantToCreator } from '../access/creator-grants.ts'
import { createAdmit } from './admit.ts'
import type { Compute } from './compute-port.ts'
import { changesOf } from './edit-changes.ts'
import { engineIn, requireKind } from './engine-kinds.ts'
import { createLifecycle } from './lifecycle.ts'
import { createWarehouseRights, type NamedWarehouse } from './may-use.ts'
import { createMetering } from './metering.ts'
import { presentActivity, presentWarehouse } from './present.ts'
import { ccuSeconds, costOf, type Edition, microUsdPerCcu } from './prices.ts'
import { createRecovery } from './recovery.ts'
import { createSlotLedger } from './slot-ledger.ts'
import { missing, SERVICE } from './steps.ts'
import { auditOf, createWarehouseStore, type Told, type WarehouseChange, type WarehouseRow } from './store.ts'
import { costsOfStatements, type PricedStatement, type StatementCost } from './statement-costs.ts'
import { type From, NOWHERE, settingsOf, toldBy } from './told.ts'
import { usageOf } from './usage.ts'
import { createUsageStore } from './usage-store.ts'

export interface WarehousesOptions {
  readonly db: Kysely<Schema>
  readonly compute: Compute
  readonly clock: Clock
  readonly log: Log
  readonly authority: Pick<Authority, 'may' | 'require'>
  /** Gives the creator of an object all privileges on it. */
  readonly grantToCreator: GrantToCreator
  readonly grantsOn: GrantsOn
  /** Throws when a budget of the warehouse is used up; asked before anything is spent. */
  readonly requireBudget: (accountId: string, warehouseId: string) => Promise<void>
  /** Called after every change that was written. */
  onChanged(warehouse: { accountId: string; warehouseId: string; name: string; status: string }): void
}

/** What was granted on an object itself, newest first. */
type GrantsOn = (
  accountId: string,
  object: AccessObject,
  most: number,
) => Promise<
  readonly {
    readonly role: string | null
    readonly user: string | null
    readonly privileges: readonly Privilege[]
    readonly grantable: readonly Privilege[]
  }[]
>

export type WarehouseDraft = Input<typeof warehouse.create>

const MINUTE_MS = 60_000
const HOUR_SECONDS = 3_600

const named = (row: WarehouseRow): NamedWarehouse => ({ id: row.warehouse_id, name: row.name })

const cpuIn = (use: ReturnType<Compute['cpuOf']>): WarehouseDetails['cpu'] =>
  use && { ...use, trend: [...use.trend] }

/** Warehouses for people: the same functions stand behind the calls and the statements. */
export function createWarehouses(options: WarehousesOptions) {
  const { db, compute, clock, log, authority, grantToCreator, grantsOn, requireBudget, onChanged } = options
  const rights = createWarehouseRights(authority)
  const store = createWarehouseStore(db)
  const usage = createUsageStore(db)
  const runIds = () => new Set(compute.running().map(({ runId }) => runId))
  const ledger = createSlotLedger(clock)
  const metering = createMetering({ db, clock, ledger, running: runIds })
  const lifecycle = createLifecycle({
    db,
    store,
    compute,
    metering,
    clock,
    log,
    requireBudget,
    onChanged: ({ account_id, warehouse_id, name, status }) =>
      onChanged({ accountId: account_id, warehouseId: warehouse_id, name, status }),
  })
  const recovery = createRecovery({ store, compute, metering, lifecycle, clock, log })

  async function find(actor: Actor, warehouseId: string): Promise<WarehouseRow> {
    const row = await store.find(actor.accountId, warehouseId)
    if (!row || !(await rights.maySee(actor, named(row)))) throw missing()
    return row
  }

  async function priceFor(actor: Actor): Promise<{ microUsd: number; edition: Edition }> {
    const { edition, region } = await store.account(actor.accountId)
    const question = { edition: edition as Edition, region, at: clock.now() }
    return { microUsd: microUsdPerCcu(question), edition: question.edition }
  }

  const offerOf = (size: WarehouseSize, engine: string | null, microUsd: number): SizeOffer => ({
    size,
    pricePerHour: costOf([{ weighedSeconds: ccuSeconds(size, HOUR_SECONDS), microUsd }]),
    slots: slotsOf(size),
    ...compute.capacityOf(size, engine),
    isRecommended: size === RECOMMENDED_SIZE,
  })

  async function detailsOf(
    actor: Actor,
    row: WarehouseRow,
    { microUsd, edition }: { microUsd: number; edition: Edition },
  ) {
    const shown = presentWarehouse(row, compute.kinds)
    return {
      ...shown,
      isUsable: await rights.mayUse(actor, named(row)),
      type: edition === 'lake' ? 1 : 2,
      autoResume: row.auto_resume,
      offer: offerOf(shown.size, row.engine, microUsd),
      ...compute.load(row.warehouse_id),
      idleSince: compute.idleSince(row.warehouse_id)?.toISOString() ?? null,
      cpu: cpuIn(compute.cpuOf(row.warehouse_id)),
      scalingTo: lifecycle.scalingTo(row.warehouse_id),
      actions: [...ACTIONS_OF_STATE[shown.status]],
    } satisfies WarehouseDetails
  }

  async function listBy(actor: Actor, right: 'mayUse' | 'maySee'): Promise<WarehouseRow[]> {
    const rows = await store.list(actor.accountId)
    const isListed = await Promise.all(rows.map((row) => rights[right](actor, named(row))))
    return rows.filter((_, index) => isListed[index])
  }

  async function findFor(
    actor: Actor,
    warehouseId: string,
    privilege: 'ALTER' | 'DROP',
  ): Promise<WarehouseRow> {
    const row = await find(actor, warehouseId)
    await rights.require(actor, privilege, named(row))
    return row
  }

  return {
    /** Those that this user may run statements in. */
    list: async (actor: Actor) =>
      (await listBy(actor, 'mayUse')).map((row) => ({ ...row, engine: engineIn(compute.kinds, row).id })),
    find,
    /** The kind of engine that it runs in. */
    engineOf: (row: Pick<WarehouseRow, 'engine'>): EngineKind => engineIn(compute.kinds, row),
    admit: createAdmit({ store, compute, lifecycle, ledger, mayUse: rights.mayUse, requireBudget }),
    /** Statements in a warehouse at this moment. */
    load: (warehouseId: string) => compute.load(warehouseId),
    /** Otherwise statements for it wait until it is resumed. */
    isRunning: (warehouseId: string) => compute.isRunning(warehouseId),

    /** By the name used in statements, letter case ignored. */
    async findByName(actor: Actor, name: string): Promise<WarehouseRow | undefined> {
      const row = await store.findByName(actor.accountId, name)
      return row && (await rights.maySee(actor, named(row))) ? row : undefined
    },

    /** Whether it is there and this user may suspend it. */
    async isOperated(actor: Actor, warehouseId: string): Promise<boolean> {
      const row = await store.find(actor.accountId, warehouseId)
      return row !== undefined && (await rights.mayOperate(actor, named(row)))
    },

    async describe(actor: Actor, warehouseId: string): Promise<WarehouseDetails> {
      const row = await find(actor, warehouseId)
      return detailsOf(actor, row, await priceFor(actor))
    },

    async describeAll(actor: Actor): Promise<WarehouseDetails[]> {
      const price = await priceFor(actor)
      return Promise.all((await listBy(actor, 'maySee')).map((row) => detailsOf(actor, row, price)))
    },

    /** In the home engine where none is named. */
    async sizes(actor: Actor, engine: string | null): Promise<Output<typeof warehouse.sizes>> {
      requireKind(compute.kinds, engine)
      const { microUsd } = await priceFor(actor)
      return {
        sizes: WarehouseSize.options.map((size) => offerOf(size, engine, microUsd)),
        engines: [...compute.kinds],
      }
    },

    /** Made and started; one that does not start is there all the same, as Failed. */
    async create(actor: Actor, draft: WarehouseDraft, from = NOWHERE): Promise<WarehouseRow> {
      await authority.require(actor, { privilege: 'CREATE WAREHOUSE', object: SYSTEM })
      const { engine = null } = draft
      requireKind(compute.kinds, engine)
      const id = randomUUID()
      await requireBudget(actor.accountId, id)
      const draftRow = {
        warehouse_id: id,
        account_id: actor.accountId,
        name: draft.name,
        description: draft.description,
        size: draft.size,
        engine,
        auto_suspend_minutes: draft.idleMinutes,
        auto_resume: draft.autoResume,
        status: 'Deploying',
        created_by: actor.user,
        created_at: clock.now(),
        resumed_at: null,
      }
      const created = { action: 'warehouse.create', before: null, after: settingsOf(draftRow) } as const
      const row = await store.insert(draftRow, async (trx) => {
        await grantToCreator(trx, actor, objectOf('warehouse', { name: id }))
        await recordAudit(trx, auditOf(draftRow, toldBy(actor, from, created), draftRow.created_at))
      })
      const cause = { action: 'Create', actor: actor.user, detail: `size ${draft.size}` } as const
      try {
        return await lifecycle.deploy(row, cause)
      } catch (error) {
        const failed = await store.find(actor.accountId, row.warehouse_id)
        if (failed?.status === 'Failed') return failed
        throw error
      }
    },

    async update(
      from: From & { readonly actor: Actor },
      warehouseId: string,
      edit: WarehouseEdit,
    ): Promise<WarehouseRow> {
      const { actor } = from
      let row = await findFor(actor, warehouseId, 'ALTER')
      const { change, detail } = changesOf(row, edit)
      if (change.name !== undefined && row.name === DEFAULT_WAREHOUSE_NAME)
        throw new AppError('Conflict', `${row.name} cannot be renamed: it is the default warehouse.`)
      const told = (action: Told['action'], next: WarehouseChange): Told => {
        const after = settingsOf({ ...row, ...next } as WarehouseRow)
        return toldBy(actor, from, { action, before: settingsOf(row), after })
      }
      if (detail) {
        const audit = told(change.name === undefined ? 'warehouse.alter' : 'warehouse.rename', change)
        row = await lifecycle.edit(row, change, { action: 'Edit', actor: actor.user, detail, audit })
      }
      const { size } = edit
      if (size === undefined || size === row.size) return row
      const words = `from ${row.size} to ${size}`
      const audit = told('warehouse.alter', { size })
      return lifecycle.resize(row, size, { action: 'Resize', actor: actor.user, detail: words, audit })
    },

    /** WH-23: to whom something was granted on it, for who may change it. */
    async grants(actor: Actor, warehouseId: string): Promise<Output<typeof warehouse.grants>> {
      await findFor(actor, warehouseId, 'ALTER')
      const object = objectOf('warehouse', { name: warehouseId })
      const found = await grantsOn(actor.accountId, object, LIMITS.pageSize)
      return {
        grants: found.map(({ role, user, privileges, grantable }) => ({
          kind: role === null ? 'user' : 'role',
          name: role ?? user ?? '',
          privileges: [...privileges],
          grantable: [...grantable],
        })),
      }
    },

    async suspend(actor: Actor, warehouseId: string): Promise<WarehouseRow> {
      return lifecycle.suspend(await findFor(actor, warehouseId, 'ALTER'), {
        action: 'Suspend',
        actor: actor.user,
      })
    },

    async resume(actor: Actor, warehouseId: string): Promise<WarehouseRow> {
      return lifecycle.resume(await findFor(actor, warehouseId, 'ALTER'), {
        action: 'Resume',
        actor: actor.user,
      })
    },

    async delete(actor: Actor, warehouseId: string, from = NOWHERE): Promise<void> {
      const row = await findFor(actor, warehouseId, 'DROP')
      if (row.name === DEFAULT_WAREHOUSE_NAME)
        throw new AppError(
          'Conflict',
          `${row.name} cannot be deleted: it is the default warehouse. Suspend it instead.`,
        )
      const audit = toldBy(actor, from, { action: 'warehouse.drop', before: settingsOf(row), after: null })
      await lifecycle.delete(row, { action: 'Delete', actor: actor.user, audit })
    },

    async activity(
      actor: Actor,
      { warehouseId, cursor, limit }: Input<typeof warehouse.activity>,
    ): Promise<Output<typeof warehouse.activity>> {
      const gone = await store.find(actor.accountId, warehouseId)
      if (gone) await findFor(actor, warehouseId, 'ALTER')
      else await authority.require(actor, { privilege: 'ALTER', object: objectOf('warehouse') })
      const rows = await store.activity(actor.accountId, warehouseId, { before: cursor, limit: limit + 1 })
      // One that was deleted still has its history; one that never was has none.
      if (rows.length === 0 && cursor === null) await find(actor, warehouseId)
      const page = rows.slice(0, limit)
      return {
        activities: page.map(presentActivity),
        nextCursor: rows.length > limit ? (page.at(-1)?.activity_id ?? null) : null,
      }
    },

    async usage(actor: Actor, warehouseId: string): Promise<Output<typeof warehouse.usage>> {
      await findFor(actor, warehouseId, 'ALTER')
      await metering.count()
      return usageOf(usage, { warehouseId, now: clock.now() })
    },

    /** Checks no privileges: the caller decides who may see what statements cost. */
    costsOf: (statements: readonly PricedStatement[]): Promise<ReadonlyMap<string, StatementCost>> =>
      costsOfStatements(db, statements),

    /** As long as the history: what warehouses cost is kept for good, with how much of it was idle. */
    forgetOldShares: () => {
      const before = historyBegins(clock.now())
      return inBatches((most) => usage.forgetStatementUsage(before, most))
    },

    /** A warehouse is idle while no statement runs or waits; each resume restarts the time. */
    async suspendIdle(): Promise<void> {
      const now = clock.now().getTime()
      const rows = await store.suspendable(compute.running().map(({ id }) => id))
      const idleSince = (row: WarehouseRow) => new Date(now - (row.auto_suspend_minutes ?? 0) * MINUTE_MS)
      await Promise.all(rows.map((row) => lifecycle.suspendIfIdle(row, idleSince(row))))
    },

    /** ACCOUNT-86: nobody is charged a minimum for what they did not ask for. */
    async suspendFrozen(accountId: string): Promise<void> {
      const cause = { action: 'Suspend', actor: SERVICE, detail: 'The account was frozen.' } as const
      const running = compute.running().filter((pool) => pool.accountId === accountId)
      await Promise.all(
        running.map(async ({ id }) => {
          const row = await store.find(accountId, id)
          if (row) await lifecycle.suspend(row, cause, { reason: 'account frozen' })
        }),
      )
    },

    /** Null: every warehouse of the account. As nobody asked for it, no minimum is charged. */
    async suspendOverBudget(over: { accountId: string; warehouseId: string | null; refusal: AppError }) {
      const { accountId, warehouseId, refusal } = over
      const cause = { action: 'Suspend', actor: SERVICE, detail: 'A budget is used up.' } as const
      const running = compute
        .running()
        .filter((pool) => pool.accountId === accountId && (warehouseId === null || pool.id === warehouseId))
      for (const { id } of running) {
        const row = await store.find(accountId, id)
        if (row) await lifecycle.suspend(row, cause, { reason: 'over budget', refusal })
      }
    },

    /** Accounts of which any warehouse runs. */
    runningAccounts: (): string[] => [...new Set(compute.running().map(({ accountId }) => accountId))],

    idOf: async (accountId: string, name: string): Promise<string | null> =>
      (await store.findByName(accountId, name))?.warehouse_id ?? null,
    namesOf: async (accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const rows = await store.list(accountId)
      return new Map(
        rows.filter((row) => ids.includes(row.warehouse_id)).map((row) => [row.warehouse_id, row.name]),
      )
    },

    meter: () => metering.count(),
    recover: recovery.recover,
    close: recovery.close,
  }
}

export type Warehouses = ReturnType<typeof createWarehouses>
