import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { WarehouseName } from './object-names.ts'
import { Privilege } from './privileges.ts'
import { MESSAGES } from './rules.ts'

/** Suspended is added, Success is not used for warehouses. */
export const WAREHOUSE_STATES = [
  'Deploying',
  'Running',
  'Suspending',
  'Suspended',
  'Resuming',
  'Updating',
  'Scaling',
  'Expanding',
  'Releasing',
  'Failed',
  'Unknown',
] as const
export type WarehouseState = (typeof WAREHOUSE_STATES)[number]

/** What a person can do with a warehouse. `resize` is a part of `edit` in the console. */
export const WAREHOUSE_ACTIONS = ['resume', 'suspend', 'resize', 'edit', 'delete'] as const
export type WarehouseAction = (typeof WAREHOUSE_ACTIONS)[number]

/**
 * The buttons that each state enables; none while an action is in progress. Unknown is a warehouse that runs in an
 * engine that does not answer: it can be suspended, and nothing else.
 */
export const ACTIONS_OF_STATE: Readonly<Record<WarehouseState, readonly WarehouseAction[]>> = {
  Deploying: [],
  Running: ['suspend', 'resize', 'edit', 'delete'],
  Suspending: [],
  Suspended: ['resume', 'resize', 'edit', 'delete'],
  Resuming: [],
  Updating: [],
  Scaling: [],
  Expanding: [],
  Releasing: [],
  Failed: ['resume', 'resize', 'edit', 'delete'],
  Unknown: ['suspend', 'delete'],
}

/** CCU per hour, threads and GiB double with each step. */
export const WAREHOUSE_SIZES = {
  'X-Small': 1,
  Small: 2,
  Medium: 4,
  Large: 8,
  'X-Large': 16,
  '2X-Large': 32,
} as const
export type WarehouseSize = keyof typeof WAREHOUSE_SIZES
export const WarehouseSize = z.enum(['X-Small', 'Small', 'Medium', 'Large', 'X-Large', '2X-Large'])

/** Statements that run at the same time: two for each CCU of the hour. */
export const slotsOf = (size: WarehouseSize): number => 2 * WAREHOUSE_SIZES[size]

export const RECOMMENDED_SIZE: WarehouseSize = 'Medium'

/** Exists in the root account from the beginning, cannot be deleted or renamed, and is everyone's there. */
export const DEFAULT_WAREHOUSE_NAME = 'default_warehouse'

export const DEFAULT_IDLE_MINUTES = 5

/** A kind of engine: which one, and what people call it. */
export const EngineKind = z.object({
  id: z.string(),
  label: z.string(),
  /** Whether each of its warehouses is a cluster of its own. The size is then a number of workers, instead of threads. */
  isCluster: z.optional(z.boolean()),
  /**
   * Whether that cluster is one that exists already, for all of them. The size is then only how many statements run at once,
   * and the engine gives it neither workers nor memory of its own.
   */
  isExisting: z.optional(z.boolean()),
})
export type EngineKind = z.infer<typeof EngineKind>

export const Warehouse = z.object({
  warehouseId: z.uuid(),
  name: z.string(),
  description: z.string(),
  size: WarehouseSize,
  /** Chosen when the warehouse is created, and kept. */
  engine: EngineKind,
  /** Null: does not suspend automatically. */
  idleMinutes: z.nullable(z.int()),
  status: z.enum(WAREHOUSE_STATES),
  createdBy: z.string(),
  createdAt: z.string(),
  resumedOn: z.nullable(z.string()),
})
export type Warehouse = z.infer<typeof Warehouse>

/** A figure in CCU with six decimals, one in USD with as many as it needs: exact, as text. */
const Cost = z.object({ ccu: z.string(), usd: z.string() })

/** What is done at a start that takes seconds, in this order. */
export const START_STEPS = ['launch', 'coordinator', 'workers', 'catalog'] as const

/** How far a start has come. */
export const StartStep = z.object({
  step: z.enum(START_STEPS),
  /** Workers that take part already, and how many there are to be. */
  ready: z.int(),
  of: z.int(),
})
export type StartStep = z.infer<typeof StartStep>

/** A size, with what this machine really gives a warehouse of it. */
export const SizeOffer = z.object({
  size: WarehouseSize,
  pricePerHour: Cost,
  /** Statements that run at the same time. */
  slots: z.int(),
  /** Of a cluster: its workers; 0 where it exists already, as its memory. */
  threads: z.int(),
  memoryBytes: z.int(),
  isRecommended: z.boolean(),
})
export type SizeOffer = z.infer<typeof SizeOffer>

export const WarehouseDetails = z.extend(Warehouse, {
  /** 1 lake, 2 standard; follows the account's edition. */
  type: z.union([z.literal(1), z.literal(2)]),
  autoResume: z.boolean(),
  offer: SizeOffer,
  /** Whether the requester can run statements in it; users who can only change it see it as well. */
  isUsable: z.boolean(),
  /** Statements in it at this moment. */
  running: z.int(),
  queued: z.int(),
  /** Since when it runs and has nothing to do. */
  idleSince: z.nullable(z.string()),
  /** Of the engine that the running warehouses of an account share, from 0 to 100; null while it is not known. */
  cpu: z.nullable(
    z.object({
      percent: z.number(),
      hourPercent: z.number(),
      /** The last hour in parts of equal length, oldest first; null where the engine did not run. */
      trend: z.array(z.nullable(z.number())),
    }),
  ),
  /** The size that it is being given; until then it runs at its own. */
  scalingTo: z.nullable(WarehouseSize),
  /** How far its start has come, where that takes seconds; null while it does not start. */
  starting: z.nullable(
    z.extend(StartStep, {
      since: z.string(),
      /** How long the last one of this engine took; null while none is known. */
      lastTookMs: z.nullable(z.int()),
    }),
  ),
  /** What its state allows, for any user. */
  actions: z.array(z.enum(WAREHOUSE_ACTIONS)),
})
export type WarehouseDetails = z.infer<typeof WarehouseDetails>

export const WarehouseActivity = z.object({
  activityId: z.int(),
  warehouseId: z.uuid(),
  warehouseName: z.string(),
  action: z.enum([
    'Create',
    'Edit',
    'Resize',
    'Resume',
    'Auto-resume',
    'Suspend',
    'Auto-suspend',
    'Delete',
    'Crash',
  ]),
  detail: z.string(),
  result: z.enum(['Success', 'Failed']),
  /** A user's name, or `service`. */
  actor: z.string(),
  at: z.string(),
})
export type WarehouseActivity = z.infer<typeof WarehouseActivity>

const Usage = z.extend(Cost, {
  /** Seconds that are charged: those it ran, and what was missing to a minute each time it was resumed. */
  chargedSeconds: z.int(),
  /** The part that no statement used. */
  idle: Cost,
})

const Description = z
  .string()
  .check(z.trim(), z.maxLength(LIMITS.descriptionLength, MESSAGES.maximumLength(LIMITS.descriptionLength)))
const IdleMinutes = z.nullable(
  z
    .int(MESSAGES.idleTime)
    .check(
      z.gte(LIMITS.idleMinutesMin, MESSAGES.idleTime),
      z.lte(LIMITS.idleMinutesMax, MESSAGES.correctValue),
    ),
)

/** What is left out stays as it is. */
export const WarehouseEdit = z.object({
  name: z.optional(WarehouseName),
  description: z.optional(Description),
  size: z.optional(WarehouseSize),
  idleMinutes: z.optional(IdleMinutes),
  autoResume: z.optional(z.boolean()),
})
export type WarehouseEdit = z.infer<typeof WarehouseEdit>

const Id = z.object({ warehouseId: z.uuid() })
/** By its id; missing: the engine that has the account's own data. */
const Engine = z.optional(z.string().check(z.maxLength(64)))
export const warehouse = {
  list: defineCall({
    path: '/warehouse/list',
    summary: 'List the warehouses that you can use',
    needs: 'login',
    input: z.object({}),
    output: z.object({ warehouses: z.array(WarehouseDetails) }),
  }),
  describe: defineCall({
    path: '/warehouse/describe',
    summary: 'Get one warehouse with its price and resources',
    needs: 'login',
    render: true,
    input: Id,
    output: WarehouseDetails,
    fails: ['NotFound'],
  }),
  sizes: defineCall({
    path: '/warehouse/sizes',
    summary: 'List the warehouse sizes with prices and resources, and the engines that a warehouse can have',
    needs: 'login',
    /** Without an engine, what the first one of the list gives. */
    input: z.object({ engine: Engine }),
    output: z.object({ sizes: z.array(SizeOffer), engines: z.array(EngineKind) }),
  }),
  create: defineCall({
    path: '/warehouse/create',
    summary: 'Create a warehouse and start it',
    needs: 'login',
    input: z.object({
      name: WarehouseName,
      description: z._default(Description, ''),
      size: z._default(WarehouseSize, 'X-Small'),
      engine: Engine,
      idleMinutes: z._default(IdleMinutes, DEFAULT_IDLE_MINUTES),
      autoResume: z._default(z.boolean(), true),
    }),
    output: Warehouse,
    fails: ['NameTaken', 'LimitReached'],
  }),
  update: defineCall({
    path: '/warehouse/update',
    summary: 'Change a warehouse; statements keep running while its size changes',
    needs: 'login',
    input: z.extend(Id, WarehouseEdit.shape),
    output: Warehouse,
    fails: ['NotFound', 'NameTaken', 'Conflict', 'Unavailable'],
  }),
  suspend: defineCall({
    path: '/warehouse/suspend',
    summary: 'Suspend a warehouse; its running statements stop',
    needs: 'login',
    input: Id,
    output: z.extend(Warehouse, {
      /** Statements that were stopped had this long to end. */
      waitedAtMostMs: z.int(),
    }),
    fails: ['NotFound', 'Conflict'],
  }),
  resume: defineCall({
    path: '/warehouse/resume',
    summary: 'Resume a warehouse',
    needs: 'login',
    input: Id,
    output: Warehouse,
    fails: ['NotFound', 'Conflict', 'Unavailable'],
  }),
  delete: defineCall({
    path: '/warehouse/delete',
    summary: 'Delete a warehouse; its running statements stop',
    needs: 'login',
    input: Id,
    output: z.object({}),
    fails: ['NotFound', 'Conflict'],
  }),
  /** Those that name this warehouse; built-in roles and grants on all warehouses are not among them. */
  grants: defineCall({
    path: '/warehouse/grants',
    summary: 'List the grants on a warehouse',
    needs: 'login',
    input: Id,
    output: z.object({
      grants: z.array(
        z.object({
          kind: z.enum(['user', 'role']),
          name: z.string(),
          privileges: z.array(Privilege),
          /** Of these, what may be passed on. */
          grantable: z.array(Privilege),
        }),
      ),
    }),
    fails: ['NotFound'],
  }),
  /** Newest first; `cursor` is the last activityId seen. */
  activity: defineCall({
    path: '/warehouse/activity',
    summary: 'List the activity of a warehouse',
    needs: 'login',
    input: z.extend(Id, {
      cursor: z._default(z.nullable(z.int().check(z.positive())), null),
      limit: z._default(z.int().check(z.gte(1), z.lte(100)), 20),
    }),
    output: z.object({ activities: z.array(WarehouseActivity), nextCursor: z.nullable(z.int()) }),
    fails: ['NotFound'],
  }),
  /** Months and days are UTC's. */
  usage: defineCall({
    path: '/warehouse/usage',
    summary: 'Get the usage of a warehouse this month and on each of the last seven days',
    needs: 'login',
    input: Id,
    output: z.object({
      monthToDate: z.extend(Usage, { activeSeconds: z.int() }),
      days: z.array(z.extend(Usage, { date: z.string() })),
    }),
    fails: ['NotFound'],
  }),
}
