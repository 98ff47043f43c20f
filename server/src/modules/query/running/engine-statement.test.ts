import { STANDARD_QUOTES } from '@boathouse/sql'
import { expect, test } from 'vitest'
import type { Engine } from '../../../engines/engine/engine.ts'
import { type EngineSession, NOTHING_TO_LOSE } from '../../../engines/engine/session.ts'
import type { Outcome } from '../../../engines/engine/outcome.ts'
import { PROGRESS_UNKNOWN } from '../../../engines/engine/run.ts'
import { isDenial, type ObjectUse } from '../../../engines/engine/objects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { actorWith } from '../../../testing/actor.ts'
import { EMPTY_RESULT } from '../answers/answer.ts'
import type { Privileges } from '../gate/authorize-statement.ts'
import type { Connection } from '../sessions/connection.ts'
import { createEngineSessions } from '../sessions/engine-sessions.ts'
import { type EngineStatement, runInWarehouse } from './engine-statement.ts'
import { createSecondRuns } from './second-run.ts'

const ORDERS: ObjectUse = {
  action: 'read',
  object: { type: 'table', catalog: 'default_catalog', database: 'main', name: 'orders' },
  through: null,
}

const CHANGED = [{ change: 'created', object: ORDERS.object }] as const

/** One whose statements all read the table of orders, and create it. */
function engineOfOrders(): Engine {
  const session: EngineSession = {
    execute(_sql, { authorize }) {
      const ran: Outcome = {
        state: 'finished',
        result: EMPTY_RESULT,
        bytes: 0,
        kept: null,
        profile: null,
        peakMemoryBytes: null,
        session: NOTHING_TO_LOSE,
        changed: CHANGED,
      }
      const decided = authorize === 'all' ? Promise.resolve(null) : authorize([ORDERS])
      const outcome = decided.then((denial): Outcome => {
        if (!isDenial(denial)) return ran
        const error = { kind: 'permission', message: denial.message } as const
        return { state: 'failed', error, session: NOTHING_TO_LOSE }
      })
      return { outcome, progress: () => PROGRESS_UNKNOWN, cancel: () => Promise.resolve() }
    },
    close: () => Promise.resolve(),
  }
  return { openSession: () => Promise.resolve(session) } as unknown as Engine
}

function run(roles: readonly string[], whyNot: Privileges['whyNot']) {
  const lease = {
    engine: engineOfOrders(),
    engineId: 'of orders',
    warehouse: { name: 'w', size: 'X-Small' as const },
    evicted: new AbortController().signal,
    lend: () => () => undefined,
    release: () => undefined,
  }
  const parts = {
    sessions: createEngineSessions(),
    useServiceEngine: () => Promise.reject(new Error('A statement of a user takes a slot.')),
    effects: { ask: () => Promise.resolve('not taken' as const) } as never,
    admission: { admit: () => Promise.resolve(lease) },
    secondRuns: createSecondRuns(),
    writeWatch: { begins: () => Promise.resolve() },
    privileges: {
      materialized: () => Promise.resolve(new Set<string>()),
      whyNot,
      whyNotThrough: () => Promise.resolve(null),
      holdsAll: ({ activeRoles }: Actor) => activeRoles.includes('db_admin'),
      visible: () => Promise.resolve('all' as const),
      listed: () => Promise.resolve([]),
      closure: (_: Actor, roles: readonly string[]) => Promise.resolve(roles),
    },
  }
  const connection = { id: 1, catalog: 'default_catalog', database: 'main', variables: {}, warehouseId: 'w' }
  const statement: EngineStatement = {
    actor: { ...actorWith('a'), activeRoles: roles },
    connection: connection as unknown as Connection,
    queryId: 'q',
    sql: 'FROM orders',
    written: { quotes: STANDARD_QUOTES, systemVariables: {}, variables: {} },
    kind: 'select',
    draws: false,
    begins: false,
    purpose: 'reads',
    wantsProfile: false,
    inFull: false,
    notesUses: false,
    system: null,
    file: null,
    stop: new AbortController().signal,
    onQueued: () => undefined,
    onAdmitted: () => Promise.resolve(),
    onRun: () => undefined,
  }
  return runInWarehouse(parts, statement)
}

const refuse: Privileges['whyNot'] = (_actor, wanted) =>
  Promise.resolve(`Missing: ${wanted.map(({ privilege }) => privilege).join(', ')}`)

test('a statement whose objects are denied has not the permission, in the words of who decided', async () => {
  expect(await run(['of_my_own'], refuse)).toMatchObject({
    state: 'failed',
    error: { code: 'NoPermission', kind: 'permission', message: 'Missing: USAGE, SELECT' },
  })
})

test('one whose objects are allowed runs, and reports what it has changed', async () => {
  expect(await run(['of_my_own'], () => Promise.resolve(null))).toMatchObject({
    state: 'finished',
    changed: CHANGED,
  })
})

test('nobody is asked about a database administrator', async () => {
  expect(await run(['db_admin'], refuse)).toMatchObject({ state: 'finished' })
})
