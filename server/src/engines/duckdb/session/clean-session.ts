import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import type { SessionState } from '../../engine/session.ts'
import { behindGuard } from '../guard/guard.ts'
import { showing } from '../guard/seen-listings.ts'
import { type CleanPlans, type CleanView, cleanView } from '../objects/clean-plans.ts'
import type { DefinedView } from '../objects/definitions.ts'
import type { TableOfFile } from '../objects/file-scans.ts'
import { keyOf, type Place, quoted } from '../objects/names.ts'
import { type Bound, ReadsText, Serializer } from '../objects/serialized.ts'
import { entering } from './entering.ts'
import type { Shown } from './session-sight.ts'
import { AppliedSession } from './applied-session.ts'

/** Of the plans of a session's views, in UTF-16 units. */
const MOST_REMEMBERED = 1024 * 1024
const ZONE = 'UTC'

interface Opened {
  readonly connection: DuckDBConnection
  readonly serializer: Serializer
  readonly applied: AppliedSession
}

interface CleanParts {
  readonly instance: DuckDBInstance
  readonly state: SessionState
  readonly tableOf: TableOfFile
  /** What the lists of the session show by now. */
  readonly shown: () => Shown
  /** Of what is defined; null while that is not known. */
  readonly version: () => number | null
}

/**
 * A connection beside that of a session on which nothing is ever created or set: the views that the session reads mean what
 * they mean here. It is opened with the first of them.
 */
export class CleanSession implements CleanPlans {
  private opening: Promise<Opened> | null = null
  private readonly known = new BoundedMap<{ readonly version: number; readonly clean: CleanView | null }>(
    MOST_REMEMBERED,
  )
  /** Of the statement that is looked at. */
  private options: Pick<ExecuteOptions, 'roles' | 'settings'> = {}

  constructor(private readonly parts: CleanParts) {}

  /** A statement of the session comes next. */
  begin(options: Pick<ExecuteOptions, 'roles' | 'settings'>): void {
    this.options = options
  }

  async of(view: DefinedView, how?: 'withVariables'): Promise<CleanView | null> {
    const version = how ? null : this.parts.version()
    const { sight, informs } = this.parts.shown()
    const key = JSON.stringify([keyOf(view), view.sql, sight, informs])
    const kept = this.known.get(key)
    if (kept && kept.version === version) return kept.clean
    const { plan, error, length } = await this.bound(`FROM ${quoted(view)}`, view, how)
    if (error?.readsText) throw new ReadsText('it reads files that are no Parquet')
    const clean = plan && cleanView(plan)
    if (version !== null && this.parts.version() === version) this.known.set(key, { version, clean }, length)
    return clean
  }

  async bound(query: string, { catalog, schema }: Place, how?: 'withVariables'): Promise<Bound> {
    const { connection, serializer, applied } = await (this.opening ??= this.open())
    const shown = this.parts.shown()
    await connection.run(behindGuard(catalog, schema, shown))
    if (how) {
      const { roles, settings } = this.options
      const variables = settings && { settings: { ...settings, chosen: {} } }
      await applied.tell({ ...(roles !== undefined && { roles }), ...variables })
      await connection.run(showing(shown.names))
    }
    return serializer.boundNow(query)
  }

  close(): void {
    const { opening } = this
    this.opening = null
    void opening?.then(({ connection }) => connection.closeSync()).catch(() => undefined)
  }

  private async open(): Promise<Opened> {
    const { instance, state, tableOf } = this.parts
    const connection = await instance.connect()
    try {
      await connection.run(entering({ ...state, timeZone: ZONE }))
      const serializer = new Serializer(connection, tableOf)
      return { connection, serializer, applied: new AppliedSession(connection) }
    } catch (error) {
      this.opening = null
      connection.closeSync()
      throw error
    }
  }
}
