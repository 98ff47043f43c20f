import { BoundedMap } from '../../../kernel/bounded-map.ts'

/** What was seen of a text when it was run, for its next run. */
export interface CachedSelect {
  /** By their types, all rows it can give fit into little memory; null: nobody has looked. */
  readonly isNarrow: boolean | null
  /** It gave few and short rows the last time, and nothing was written since. */
  readonly isSmall: boolean
}

/** What a sink has taken of a text. */
interface Sunk {
  readonly sinkRows: number
  readonly bytes: number
  /** Its columns have the same names when it is selected from. */
  readonly keepsNames: boolean
}

// Of statements that were run, in UTF-16 units.
const MOST_TEXT = 1024 * 1024

// Texts that are longer are seldom sent again with other values.
const LONGEST_SHAPE = 4096

const VALUES = /'[^']*'|\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi

/** A text without the values in it: programs send the same one again and again, with others. It decides on nothing but speed. */
const shapeOf = (sql: string): string => (sql.length > LONGEST_SHAPE ? sql : sql.replace(VALUES, '?'))

/**
 * A text whose tokens are certain: all of its quotes belong to plain texts and names, and nothing in it is a comment, an
 * escape or another kind of quote.
 */
const CERTAIN =
  /^(?:[^'"$\\/-]|\/(?!\*)|-(?!-)|"[\p{L}\p{N} _.]*"|(?<![\p{L}\p{N}_&])'(?:[\p{L}\p{N} _.:,@+]|-(?!-))*')*$/u

/** A text without the values in it, where these are certain to be nothing else: if one of a template is one select, so are all. */
const templateOf = (sql: string): string =>
  sql.length > LONGEST_SHAPE || !CERTAIN.test(sql) ? sql : shapeOf(sql)

/** Texts that are one select each, of an account. */
export class SelectCache {
  private readonly texts = new BoundedMap<CachedSelect & { readonly seenAfter: number }>(MOST_TEXT)
  /** Of texts that differ in values alone, those that gave little the last time. */
  private readonly small = new BoundedMap<number>(MOST_TEXT)
  /** Templates of one select that gave little to a sink the last time, under its own names. */
  private readonly whole = new BoundedMap<number>(MOST_TEXT)
  /** How often something was written. To be taken before a text is run, for what is learned of it. */
  writes = 0

  get(sql: string): CachedSelect | undefined {
    const known = this.texts.get(sql)
    return known && { ...known, isSmall: known.isSmall && known.seenAfter === this.writes }
  }

  set(sql: string, known: CachedSelect, seenAfter: number): void {
    this.texts.set(sql, { ...known, seenAfter }, sql.length)
    const shape = shapeOf(sql)
    if (known.isSmall) this.small.set(shape, seenAfter, shape.length)
    else this.small.delete(shape)
  }

  /** After a run whose rows went to a sink. */
  sunk(sql: string, { sinkRows, bytes, keepsNames }: Sunk, seenAfter: number): void {
    const isNarrow = this.texts.get(sql)?.isNarrow ?? null
    const gaveLittle = isSmall(sql, { rows: sinkRows, bytes })
    this.set(sql, { isNarrow, isSmall: gaveLittle }, seenAfter)
    const template = templateOf(sql)
    if (gaveLittle && keepsNames) this.whole.set(template, seenAfter, template.length)
    else this.whole.delete(template)
  }

  /** It is one select that gave little to a sink the last time, perhaps with other values, and nothing was written since. */
  canRunWhole(sql: string): boolean {
    return this.whole.get(templateOf(sql)) === this.writes
  }

  /** Whether few and short rows are to be expected of it: it gave such, or did so with other values. */
  givesLittle(sql: string): boolean {
    return this.small.get(shapeOf(sql)) === this.writes
  }

  forget(sql: string): void {
    this.texts.delete(sql)
    this.small.delete(shapeOf(sql))
    this.whole.delete(templateOf(sql))
  }

  /** What was short may be long from now on. */
  wrote(): void {
    this.writes++
  }
}

// Of a result that counts as small: more than are shown, so that most stay small when their table grows a little.
export const SMALL_ROWS = 2000
const SMALL_BYTES = 256 * 1024

/** How many rows may be asked for without counting them first; null when nothing is known that allows it. */
export function uncountedRows(known: CachedSelect | undefined, rows: number): number | null {
  if (known?.isNarrow) return rows
  return known?.isSmall ? Math.min(rows, SMALL_ROWS + 1) : null
}

/** What is thought small is run again when it is not, and must leave no trace of the first time. */
const DRAWS = /nextval/i

export const mayDraw = (sql: string): boolean => DRAWS.test(sql)

export function isSmall(sql: string, { rows, bytes }: { rows: number; bytes: number }): boolean {
  return rows <= SMALL_ROWS && bytes <= SMALL_BYTES && !mayDraw(sql)
}
