import type { Cluster } from '../engine/cluster-space.ts'
import type { Engine } from '../engine/engine.ts'
import type { DatabasePlace } from '../engine/names.ts'
import type { ObjectUse, Verdict } from '../engine/objects.ts'
import type { EngineError, Outcome } from '../engine/outcome.ts'
import type { ExecuteOptions, QueryRun } from '../engine/run.ts'
import { type EngineSession, SessionRefused, type SessionState } from '../engine/session.ts'
import { placeIn } from './places.ts'

/** In every catalog, and users have nothing in it: a name without a database is found nowhere. */
const NOWHERE = 'information_schema'

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
      const session = await inner.openSession({ ...state, catalog, database, ...named })
      return user === undefined ? session : inside(session, cluster)
    },
  }
}

/** A session of a user. */
const inside = (session: EngineSession, cluster: Fenced['cluster']): EngineSession => ({
  get hasEnded() {
    return session.hasEnded ?? false
  },
  close: () => session.close(),
  // Without a purpose it is one of the service, which has looked at its names.
  execute: (sql, options) =>
    options.takenFor === null ? session.execute(sql, options) : executed(session, sql, { options, cluster }),
})

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
    return options.authorize === 'all' ? null : options.authorize(uses)
  }
  const run = session.execute(sql, { ...options, authorize })
  const outcome = run.outcome.then((ending): Outcome => {
    if (ending.state !== 'failed' || isDecided) return ending
    // What the cluster says of catalogs of others would show what is in them.
    const hidden = outside ?? hiddenIn(sql, cluster.hides ?? new Set())
    return hidden === null ? ending : { ...ending, error: missing(hidden) }
  })
  return { outcome, progress: () => run.progress(), cancel: () => run.cancel() }
}

/** What makes the word before it the name of a catalog; there may be a comment between them. */
const THEN_DOT = '["`]?\\s*(?:\\.|--|#|/\\*)'

const exactly = (sign: string): string => `\\u{${sign.codePointAt(0)?.toString(16)}}`

/** A catalog of others that a text may name. */
function hiddenIn(sql: string, hides: ReadonlySet<string>): string | null {
  if (hides.size === 0) return null
  const names = [...hides].map((name) => name.replaceAll(/\W/gu, exactly))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_$])(${names.join('|')})${THEN_DOT}`, 'iu')
  return pattern.exec(sql)?.[1]?.toLowerCase() ?? null
}
