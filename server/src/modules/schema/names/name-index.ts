import { setImmediate as letOthersOn } from 'node:timers/promises'
import { type TableLike, foldedName } from '@boathouse/contract'
import type { CatalogName, ColumnName } from '../../../engines/engine/descriptions.ts'
import { createNameText } from './name-text.ts'

/** A database, or something in it. */
export interface IndexedName {
  readonly type: 'database' | TableLike
  readonly database: string
  /** The database, as names are compared. */
  readonly databaseKey: string
  readonly name: string
}

export interface FoundColumn {
  readonly name: string
  /** Of what it is a column, by its number in the index. */
  readonly of: number
}

/** Taken at once: a few milliseconds. */
const SLICE = 10_000

/** All names of a catalog, by name. */
export interface AllNames {
  readonly names: readonly (Omit<CatalogName, 'type'> & Pick<IndexedName, 'type'>)[]
  readonly columns: readonly ColumnName[]
}

/** Which of the names somebody may see. */
export type Sight = (index: number) => boolean

const wordsOf = (search: string): { last: string; others: string[] } => {
  const words = search
    .toLowerCase()
    .split(/[\s.]+/)
    .filter(Boolean)
  return { last: words.at(-1) ?? search.toLowerCase(), others: words.slice(0, -1) }
}

/** All names of one catalog, so that they can be looked through without asking an engine. */
export async function createNameIndex(catalog: string, all: AllNames) {
  const names: IndexedName[] = []
  const keys = new Map<string, string>()
  /** One text for each database, however many tables it has. */
  const keyOf = (database: string): string => {
    const key = keys.get(database) ?? foldedName(database)
    keys.set(database, key)
    return key
  }
  const byId = new Map<string, number>()
  for (const [at, { type, id, database, name }] of all.names.entries()) {
    if (at % SLICE === SLICE - 1) await letOthersOn()
    if (id !== null) byId.set(id, names.length)
    names.push({ type, database, databaseKey: keyOf(database), name })
  }
  const text = await createNameText(names.map(({ name }) => name))
  const columnText = await createNameText(all.columns.map(({ name }) => name))

  /** Whether a word is in the path of a database is asked for each of its tables, and answered once. */
  function inPath(words: readonly string[]) {
    const known = new Map<string, readonly string[]>()
    /** The words that are not in the path. */
    return (database: string): readonly string[] => {
      const before = known.get(database)
      if (before) return before
      const path = `${catalog}.${database}`.toLowerCase()
      const left = words.filter((word) => !path.includes(word))
      known.set(database, left)
      return left
    }
  }

  const decoded = new Map<number, Uint32Array>()
  /** What has a column, as numbers in the index; read when it is first asked for. */
  function holdersOf(at: number): Uint32Array {
    const known = decoded.get(at)
    if (known) return known
    const ids = all.columns[at]?.holders() ?? []
    const holders = Uint32Array.from(ids.flatMap((id) => byId.get(id) ?? []))
    decoded.set(at, holders)
    return holders
  }

  return {
    size: names.length + all.columns.length,
    names,

    *find(search: string, sees: Sight): Generator<number> {
      const { last, others } = wordsOf(search)
      const left = inPath(others)
      for (const index of text.holding(last)) {
        if (!sees(index)) continue
        const one = others.length === 0 ? null : names[index]
        if (!one || left(one.database).every((word) => text.holds(index, word))) yield index
      }
    },

    *findColumns(search: string, sees: Sight): Generator<FoundColumn> {
      const { last, others } = wordsOf(search)
      const left = inPath(others)
      for (const at of columnText.holding(last)) {
        const name = all.columns[at]?.name ?? ''
        const isHere = (index: number, word: string) => text.holds(index, word) || columnText.holds(at, word)
        for (const index of holdersOf(at)) {
          if (!sees(index)) continue
          const one = others.length === 0 ? null : names[index]
          if (!one || left(one.database).every((word) => isHere(index, word))) yield { name, of: index }
        }
      }
    },
  }
}

export type NameIndex = Awaited<ReturnType<typeof createNameIndex>>
