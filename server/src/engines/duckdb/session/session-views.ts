import type { DuckDBConnection } from '@duckdb/node-api'
import type { ExecuteOptions } from '../../engine/run.ts'
import { StatementRefused } from '../errors.ts'
import type { CleanPlans } from '../objects/clean-plans.ts'
import { temporaryTypes } from '../objects/definitions.ts'
import { mindedIn } from '../objects/minded-settings.ts'
import { type FullName, quoted } from '../objects/names.ts'
import type { ObjectUses, ReadView } from '../objects/object-uses.ts'
import { isSamePlan } from '../objects/same-plan.ts'
import type { Bound } from '../objects/serialized.ts'
import { sessionZone } from '../rows/result-rows.ts'

type Settings = Pick<ExecuteOptions, 'takenFor' | 'settings'>

export interface SessionViewsParts {
  readonly connection: DuckDBConnection
  readonly uses: Pick<ObjectUses, 'boundNow' | 'newView'>
  readonly clean: CleanPlans
  /** False only where there is nothing temporary for sure. */
  hasTemporary(): boolean
  /** While the settings that a user has chosen hold. */
  underWays<T>(settings: Settings, work: () => Promise<T>): Promise<T>
}

/** Instants are the same days and hours in these. */
const NO_ZONE = /^(?:etc\/)?(?:utc|gmt|uct|zulu|universal|greenwich)$/i

const nameOf = ({ schema, name }: FullName): string => `${schema}.${name}`

const refused = (message: string) => new StatementRefused({ kind: 'permission', message })

const chosenSettingsOf = ({ settings }: Settings): readonly string[] => Object.keys(settings?.chosen ?? {})

/** As a word. */
const isNamedIn = (text: string, name: string): boolean => text.toLowerCase().includes(name.toLowerCase())

/** What a view shows is decided by the user who made it, and not by the session that reads it. */
export class SessionViews {
  constructor(private readonly parts: SessionViewsParts) {}

  /** Throws when a setting of the session would change what one of these shows. */
  async refuseSettings(views: readonly ReadView[], settings: Settings): Promise<void> {
    for (const { view, clean } of views) {
      const minds = clean ? clean.minds : await this.mindsAll(view)
      const setting =
        (await this.chosenOf(minds, settings)) ?? (await this.seenIn(view, clean !== null, settings))
      if (setting)
        throw refused(
          `The view ${nameOf(view)} has another meaning in this session, because of the setting ${setting}. Run RESET ${setting}, then run the statement again.`,
        )
    }
  }

  /** Why a view means something else here, for the user who reads it. */
  async whyOther(view: FullName & { readonly sql: string }): Promise<StatementRefused> {
    const type = (await this.typesOf()).find((name) => isNamedIn(view.sql, name))
    const why =
      type === undefined
        ? 'something temporary in it, or because the view was changed after your transaction began: drop what is temporary, end the transaction'
        : `the temporary type ${type}: drop it`
    return refused(
      `The view ${nameOf(view)} has another meaning in this session, because of ${why} and run the statement again.`,
    )
  }

  /** Throws when a view that is about to be made would not mean to others what it means here. */
  async refuseNew(sql: string, settings: Settings): Promise<void> {
    const made = await this.parts.uses.newView(sql)
    if (!made) return
    const { query, view } = made
    const bindHere = () => this.parts.underWays(settings, () => this.parts.uses.boundNow(query))
    const here = await bindHere()
    if (!here.plan) return this.refuseNewText(here, made, settings)
    const there = await this.parts.clean.bound(query, view)
    const isSame = ({ plan }: Bound) => plan !== null && here.plan !== null && isSamePlan(here.plan, plan)
    if (!isSame(there) && !isSame(await this.parts.clean.bound(query, view, 'withVariables')))
      throw await this.otherWhenNew(made, there, settings)
    const setting = await this.chosenOf(mindedIn(here.plan), settings)
    if (setting) throw refused(newByItself(view, `your setting ${setting}: write RESET ${setting} first`))
  }

  private async otherWhenNew(
    { query, view }: { query: string; view: FullName },
    there: Bound,
    settings: Settings,
  ): Promise<StatementRefused> {
    const plain = await this.parts.uses.boundNow(query)
    const isPlain = plain.plan !== null && there.plan !== null && isSamePlan(plain.plan, there.plan)
    const [setting] = chosenSettingsOf(settings)
    if (isPlain && setting !== undefined)
      return refused(newByItself(view, `your setting ${setting}: write RESET ${setting} first`))
    const type = (await this.typesOf()).find((name) => isNamedIn(query, name))
    if (type !== undefined) return refused(newByItself(view, `your temporary type ${type}: drop it first`))
    const why = this.parts.hasTemporary()
      ? 'something temporary, or something that is found only from where you are'
      : 'a name that means something else, or nothing, in its own database'
    return refused(
      newByItself(view, `${why}: write names with their database before them, as in database.table`),
    )
  }

  /** Of files without a plan: what may change what they mean is not allowed beside them. */
  private async refuseNewText(
    { error }: Bound,
    { query, view }: { query: string; view: FullName },
    settings: Settings,
  ) {
    if (!error?.readsText) return
    const there = await this.parts.clean.bound(query, view)
    if (!there.error?.readsText) throw await this.otherWhenNew({ query, view }, there, settings)
    const setting = await this.chosenOf(await this.mindsAll({ ...view, sql: query }), settings)
    if (setting) throw refused(newByItself(view, `your setting ${setting}: write RESET ${setting} first`))
  }

  /** Of a view without a plan: all settings, and no type of the session that it names. */
  private async mindsAll(view: FullName & { readonly sql: string }): Promise<ReadonlySet<string>> {
    const type = (await this.typesOf()).find((name) => isNamedIn(view.sql, name))
    if (type !== undefined) throw await this.whyOther(view)
    return ALL
  }

  private async typesOf(): Promise<readonly string[]> {
    return this.parts.hasTemporary() ? temporaryTypes(this.parts.connection) : []
  }

  /** The first of these that the session has changed from its default. */
  private async chosenOf(minds: ReadonlySet<string>, settings: Settings): Promise<string | null> {
    const setting = chosenSettingsOf(settings).find((name) => minds.has(name))
    if (setting !== undefined || !minds.has('time_zone')) return setting ?? null
    return NO_ZONE.test(await sessionZone(this.parts.connection)) ? null : 'time_zone'
  }

  /** A setting by which the view is bound to something else. */
  private async seenIn(view: FullName, isPlanned: boolean, settings: Settings): Promise<string | null> {
    const [setting] = chosenSettingsOf(settings)
    if (setting === undefined || !isPlanned) return null
    const text = `FROM ${quoted(view)}`
    const plain = await this.parts.uses.boundNow(text)
    const chosen = await this.parts.underWays(settings, () => this.parts.uses.boundNow(text))
    if (plain.plan && chosen.plan && isSamePlan(plain.plan, chosen.plan)) return null
    return chosenSettingsOf(settings).find((name) => BINDS.has(name)) ?? setting
  }
}

/** Settings that are seen in the plan. */
const BINDS: ReadonlySet<string> = new Set(['default_order', 'default_null_order', 'default_collation'])
const ALL: ReadonlySet<string> = new Set([...BINDS, 'time_zone', 'calendar', 'ieee_floating_point_ops'])

const newByItself = (view: FullName, why: string): string =>
  `The view ${nameOf(view)} would have another meaning for others than in this session, because of ${why}.`
