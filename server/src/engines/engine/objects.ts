/** What a statement does with what is defined in an account, in words that every engine shares. */

export type ObjectType =
  | 'catalog'
  | 'database'
  | 'table'
  | 'view'
  | 'function'
  | 'sequence'
  | 'index'
  | 'type'
  /** What names the objects of everyone in the account, such as `information_schema`. */
  | 'listing'

/** By its full name, in the letters of its definition. A catalog has no database, and neither it nor a database a name. */
export interface ObjectName {
  readonly type: ObjectType
  readonly catalog: string
  readonly database: string | null
  readonly name: string | null
}

export type ObjectAction = 'read' | 'insert' | 'update' | 'delete' | 'create' | 'alter' | 'drop'

export interface ObjectUse {
  readonly action: ObjectAction
  readonly object: ObjectName
  /** The view that does this, and not the statement itself: what a view reads it reads with the rights of its owner. */
  readonly through: ObjectName | null
  /** Of a function that is text and can be replaced: another print, another text. */
  readonly body?: string
  /** Values of the table that the statement changes are used in it, as in WHERE, which is reading them. */
  readonly ofTarget?: true
}

/** Why a statement is not run, as a sentence for its sender. */
export interface Denial {
  readonly message: string
}

/** What somebody may see in a list: an object, or all of a type in a place. Parts that are empty stand for every name. */
export interface ListedName {
  /**
   * `sequence` stands for all that has no privileges of its own in a database, `hidden` for a table that is not shown among
   * all of its database.
   */
  readonly type: 'catalog' | 'database' | 'table' | 'view' | 'function' | 'sequence' | 'hidden'
  readonly catalog: string
  readonly database: string
  readonly name: string
}

/** Values that the sender of a statement may not read, and that messages of its errors may contain. */
export interface HiddenValues {
  /** The end of a sentence that says why these are not shown. */
  readonly why: string
  /** It reads through views whose tables its sender may not read: rows that those leave out must not make it fail. */
  readonly throughViews: boolean
}

/** It may run, and its lists show no more than these. */
export interface Listing {
  readonly listed: readonly ListedName[]
  readonly hides?: HiddenValues
}

/** For users who hold all privileges. */
export const EVERY_NAME: readonly ListedName[] = (
  ['catalog', 'database', 'table', 'view', 'function', 'sequence'] as const
).map((type) => ({ type, catalog: '', database: '', name: '' }))

/** Null lets it run; what it lists is then empty. */
export type Verdict = Denial | Listing | null

export const isDenial = (verdict: Verdict): verdict is Denial => verdict !== null && 'message' in verdict

/**
 * At which moment an engine looks up the objects that a statement uses.
 *
 * `in the same transaction`: as the statement will see them. What others create, drop or replace between the decision and
 * the run has no part in it.
 *
 * `as of a moment before`: a name may mean another object by the time the statement runs. What bounds that is said in
 * `docs/adr/0043-as-of-when-objects-are-told.md`.
 */
export type UsesAre = 'in the same transaction' | 'as of a moment before'

/**
 * Decides on a statement. With `all` there is no decision: the sender may do everything with every object. A function gets
 * all objects that the statement uses, before anything of it runs, as of the time that the engine states (`UsesAre`). It is
 * not called for a statement that uses no object. A statement whose objects the engine cannot determine is not run.
 */
export type Authorize = 'all' | ((uses: readonly ObjectUse[]) => Promise<Verdict>)

/** Something that is there, is gone or has another name since a statement took effect. */
export type ObjectChange =
  | { readonly change: 'dropped'; readonly object: ObjectName }
  /** With what a view uses itself, where that can be determined. */
  | { readonly change: 'created'; readonly object: ObjectName; readonly bound?: readonly ObjectUse[] }
  | { readonly change: 'renamed'; readonly object: ObjectName; readonly to: ObjectName }

const NOT_DECIDED: Denial = {
  message: 'Your privileges could not be checked, so this statement did not run. Run it again.',
}

/** Closed: without a decision a statement is not run. */
export async function decisionOf(
  authorize: Exclude<Authorize, 'all'>,
  uses: readonly ObjectUse[],
): Promise<Verdict> {
  try {
    return await authorize(uses)
  } catch {
    // The cause is logged by the one who could not decide.
    return NOT_DECIDED
  }
}
