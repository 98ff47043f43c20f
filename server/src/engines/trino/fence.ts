import type { Cluster } from '../engine/cluster-space.ts'
import type { Engine } from '../engine/engine.ts'
import type { DatabasePlace } from '../engine/names.ts'
import {
  type Authorize,
  decisionOf,
  EVERY_NAME,
  isDenial,
  type ObjectUse,
  type Verdict,
} from '../engine/objects.ts'
import type { EngineError, Outcome } from '../engine/outcome.ts'
import type { ExecuteOptions, QueryRun } from '../engine/run.ts'
import { type EngineSession, SessionRefused, type SessionState } from '../engine/session.ts'
import { FIRST_DATABASE, placeIn } from './places.ts'

/** In every catalog, and users have nothing in it: a name without a database is found nowhere. */
const NOWHERE = 'information_schema'
/** Where every session of the service begins, and which a cluster of others need not have. */
const isFirst = ({ database }: DatabasePlace): boolean => database.toLowerCase() === FIRST_DATABASE

interface Fenced {
  readonly accountId: string
  readonly cluster: Pick<Cluster, 'catalogs' | 'hides'>
}

/** As whom a user's statements run in a cluster that serves others, too. A header has no other letters. */
export const userIn = (accountId: string, user: string): string => `${encodeURIComponent(user)}@${accountId}`

const isHome = ({ catalog }: DatabasePlace): boolean =>
  placeIn(['-'], { catalog, database: '' }).catalog === '-'

const missing = (catalog: string): EngineError => ({
  kind: 'missing',
  message: `Catalog '${catalog}' not found`,
})

/**
 * The engine on a cluster that serves others, too: what an account sees of it are its own catalogs, whatever its users may do.
 * What an engine can do beside statements it cannot do here.
 */
export function fenced(inner: Engine, { accountId, cluster }: Fenced): Engine {
  const placeOf = (place: DatabasePlace): DatabasePlace =>
    isHome(place) ? { catalog: cluster.catalogs[0] ?? '', database: NOWHERE } : place
  return {
    kind: inner.kind,
    dialect: inner.dialect,
    usesAre: inner.usesAre,
    get catalogs() {
      const { catalogs } = inner
      if (!catalogs) return null
      const { statements } = catalogs
      return {
        ...catalogs,
        statements: { ...statements, enter: (place: DatabasePlace) => statements.enter(placeOf(place)) },
      }
    },
    explain: inner.explain,
    profiling: inner.profiling,
    describing: inner.describing,
    descriptions: null,
    attachments: null,
    files: null,
    tableSizes: null,
    effects: null,
    lost: inner.lost,
    // How many nodes it has is not the warehouse's.
    resize: () => Promise.resolve(),
    cpuMs: () => inner.cpuMs?.() ?? Promise.resolve(null),
    nodes: () => inner.nodes?.() ?? [],
    settled: (queryId) => inner.settled(queryId),
    close: () => inner.close(),
    async openSession(state: SessionState): Promise<EngineSession> {
      const { catalog, database } = placeOf({ ...state, database: state.database ?? NOWHERE })
      if (!cluster.catalogs.includes(catalog.toLowerCase()))
        throw new SessionRefused({
          kind: 'missing',
          message: `There is no database ${catalog}.${database} in this engine.`,
          code: 'missing-database',
        })
      const { user } = state
      const named = user === undefined ? {} : { user: userIn(accountId, user) }
      const session = await openIn(inner, { ...state, catalog, database, ...named })
      return user === undefined ? session : inside(session, { cluster, nowhere: nowhereIn(inner, cluster) })
    },
  }
}

async function openIn(inner: Engine, state: SessionState & DatabasePlace): Promise<EngineSession> {
  try {
    return await inner.openSession(state)
  } catch (error) {
    const isMissing = error instanceof SessionRefused && error.error.kind === 'missing'
    if (!isMissing || !isFirst(state)) throw error
    return inner.openSession({ ...state, database: NOWHERE })
  }
}

/** By the statements that enter the first database of a catalog, which may not be there: what enters no database of it. */
function nowhereIn(
  { catalogs }: Engine,
  { catalogs: names }: Fenced['cluster'],
): ReadonlyMap<string, string> {
  const enter = (catalog: string, database: string): string =>
    catalogs?.statements.enter({ catalog, database }) ?? ''
  return new Map(names.map((catalog) => [enter(catalog, FIRST_DATABASE), enter(catalog, NOWHERE)]))
}

interface Inside extends Pick<Fenced, 'cluster'> {
  readonly nowhere: ReadonlyMap<string, string>
}

/** A session of a user. */
const inside = (session: EngineSession, { cluster, nowhere }: Inside): EngineSession => ({
  get hasEnded() {
    return session.hasEnded ?? false
  },
  close: () => session.close(),
  // Without a purpose it is one of the service, which has looked at its names.
  execute: (sql, options) =>
    options.takenFor === null
      ? moved(session, sql, { options, instead: nowhere.get(sql) })
      : executed(session, sql, { options, cluster }),
})

interface Moving {
  readonly options: ExecuteOptions
  /** Where there is no such database. */
  readonly instead: string | undefined
}

function moved(session: EngineSession, sql: string, { options, instead }: Moving): QueryRun {
  const run = session.execute(sql, options)
  if (instead === undefined) return run
  const outcome = run.outcome.then((ending) =>
    ending.state === 'failed' && ending.error.kind === 'missing'
      ? session.execute(instead, options).outcome
      : ending,
  )
  return { outcome, progress: () => run.progress(), cancel: () => run.cancel() }
}

interface Executing extends Pick<Fenced, 'cluster'> {
  readonly options: ExecuteOptions
}

function executed(session: EngineSession, sql: string, { options, cluster }: Executing): QueryRun {
  let outside: string | null = null
  let isDecided = false
  async function authorize(uses: readonly ObjectUse[]): Promise<Verdict> {
    outside =
      uses.map(({ object }) => object.catalog).find((name) => !cluster.catalogs.includes(name)) ?? null
    if (outside !== null) return { message: missing(outside).message }
    isDecided = true
    return options.authorize === 'all' ? { listed: EVERY_NAME } : options.authorize(uses)
  }
  const run = session.execute(sql, { ...options, authorize })
  const outcome = run.outcome.then(async (ending): Promise<Outcome> => {
    if (ending.state !== 'failed' || isDecided) return ending
    // What the cluster says of catalogs of others would show what is in them.
    const hidden =
      outside ??
      namedIn(sql, [...(cluster.hides ?? [])]) ??
      namedIn(sql, await closedTo(options.authorize, cluster.catalogs))
    return hidden === null ? ending : { ...ending, error: missing(hidden) }
  })
  return { outcome, progress: () => run.progress(), cancel: () => run.cancel() }
}

/** Of these catalogs, those in which the sender of a statement holds nothing. */
async function closedTo(authorize: Authorize, catalogs: readonly string[]): Promise<readonly string[]> {
  if (authorize === 'all') return []
  const closed: string[] = []
  for (const catalog of catalogs) {
    const object = { type: 'catalog', catalog, database: null, name: null } as const
    const verdict = await decisionOf(authorize, [{ action: 'read', object, through: null }])
    if (isDenial(verdict)) closed.push(catalog)
  }
  return closed
}

/** What makes the word before it the name of a catalog; there may be a comment between them. */
const THEN_DOT = '["`]?\\s*(?:\\.|--|#|/\\*)'

const exactly = (sign: string): string => `\\u{${sign.codePointAt(0)?.toString(16)}}`

/** One of these catalogs that a text may name. */
function namedIn(sql: string, catalogs: readonly string[]): string | null {
  if (catalogs.length === 0) return null
  const names = catalogs.map((name) => name.replaceAll(/\W/gu, exactly))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_$])(${names.join('|')})${THEN_DOT}`, 'iu')
  return pattern.exec(sql)?.[1]?.toLowerCase() ?? null
}
