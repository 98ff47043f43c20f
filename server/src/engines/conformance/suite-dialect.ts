import type { Column } from '../engine/columns.ts'
import type { Cell } from '../engine/rows.ts'
import type { Purpose } from '../engine/run.ts'

/** A text with the place of what is wrong in it. */
interface Wrong {
  readonly sql: string
  readonly offset: number
}

/** What an engine may not have at all; tests of it are then skipped, and named so. */
export type Lacking =
  /** Every statement takes effect on its own, and BEGIN is refused. */
  | 'transactions'
  | 'temporary tables'
  | 'keys'
  /** Names are kept in small letters, whatever they were written in. */
  | 'letter case'
  /** It has no folder of its own: what it opens runs elsewhere. */
  | 'a folder'

/**
 * What the suite says to the engine under test, in that engine's words. Tables have one column `i` of whole numbers,
 * unless something else is said.
 */
export interface SuiteDialect {
  /** Missing: it has all of it. What it has no words for is then an empty text. */
  readonly lacks?: ReadonlySet<Lacking>
  /** How often something is asked that may go wrong by chance; missing: 100 times. */
  readonly tries?: number
  /** A name in small letters that must be quoted; missing: one that has a quote itself. */
  readonly oddName?: string
  /** A statement of one row, with its columns and cells as they must come back. */
  readonly example: {
    readonly sql: string
    readonly columns: readonly Column[]
    readonly row: readonly Cell[]
  }
  one(value: number): string
  /** A row for each number below `count`, in order: the number in a column `i`. */
  numbers(count: number, order?: 'descending'): string
  /** One cell: this character, so many times. */
  longText(character: string, length: number): string
  /** Reads for hours, and writes nothing. */
  readonly endless: string
  createTable(name: string): string
  /** A table whose numbers are all different. */
  createKeyed(name: string): string
  createTemporary(name: string): string
  /** Is there or is made; with the rows that are there. */
  createUnlessThere(name: string): string
  /** With a row for each number below `count`. */
  createNumbered(name: string, count: number): string
  insert(table: string, ...values: readonly number[]): string
  /** A row for each number below `count`. */
  insertNumbers(table: string, count: number): string
  /** Of the rows with this number. */
  deleteValue(table: string, value: number): string
  select(table: string): string
  count(table: string): string
  dropTable(name: string): string
  /** That shows all rows of a table. */
  createView(name: string, table: string): string
  dropView(name: string): string
  readonly begin: string
  readonly commit: string
  readonly rollback: string
  readonly currentUser: string
  readonly currentRole: string
  variable(name: string): string
  /** Fails for its values. */
  readonly failing: string
  /** Fails at a row behind so many others. */
  failingLate(rows: number): string
  readonly unreadable: readonly Wrong[]
  /** Name a table `nowhere`. */
  readonly missing: readonly Wrong[]
  /** What each is for; null: nobody but the service may send it. They use a table `used`. */
  readonly purposes: readonly (readonly [sql: string, purpose: Purpose | null])[]
}

/** Whether an engine lacks one of these. */
export const lacks = ({ lacks = new Set() }: SuiteDialect, ...needed: readonly Lacking[]): boolean =>
  needed.some((one) => lacks.has(one))

/** A name as the engine keeps it. */
export const keptName = (words: SuiteDialect, name: string): string =>
  lacks(words, 'letter case') ? name.toLowerCase() : name
