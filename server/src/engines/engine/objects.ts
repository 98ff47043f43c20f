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

/** Why a statement is not run, as a sentence for whoever sent it. */
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

/** Values that whoever sends a statement may not read, and that messages of its errors may hold. */
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

/** Null lets it run; what it lists is then empty. */
export type Verdict = Denial | Listing | null

export const isDenial = (verdict: Verdict): verdict is Denial => verdict !== null && 'message' in verdict

/**
 * Who decides on a statement. With `all` nobody is asked: whoever sends it may do everything with every object. A
 * function is told all that the statement uses, in the transaction in which it will run, before anything of it runs. It is not called for a statement that uses no object. What cannot be told is not run.
 */
export type Authorize = 'all' | ((uses: readonly ObjectUse[]) => Promise<Verdict>)

/** Something that is there, is gone or has another name since a statement took effect. */
export type ObjectChange =
  | { readonly change: 'dropped'; readonly object: ObjectName }
  /** With what a view uses itself, where that can be told. */
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
    // Whoever could not decide knows why, and tells it where it is looked for.
    return NOT_DECIDED
  }
}
