import type { TableLike } from '@boathouse/contract'
import type { Cell } from '../../engines/engine.ts'
import { createNameText } from './name-text.ts'

/** A database, or something in it. */
export interface IndexedName {
  readonly type: 'database' | TableLike
  readonly database: string
  readonly name: string
}

export interface FoundColumn {
  readonly name: string
  /** Of what it is a column, by its number in the index. */
  readonly of: number
}

/** What an engine says of all names of a catalog, as rows, by name. */
export interface NameRows {
  /** Type, id, database, name. */
  readonly names: readonly (readonly Cell[])[]
  /** Name of a column, ids of what has it with commas between them. */
  readonly columns: readonly (readonly Cell[])[]
}

const isType = (type: Cell | undefined): type is IndexedName['type'] =>
  type === 'database' || type === 'table' || type === 'view' || type === 'materialized_view'

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
export async function createNameIndex(catalog: string, rows: NameRows) {
  const names: IndexedName[] = []
  const byId = new Map<string, number>()
  for (const [type, id, database, name] of rows.names) {
    if (!isType(type) || database == null || name == null) continue
    if (id != null) byId.set(id, names.length)
    names.push({ type, database, name })
  }
  const text = await createNameText(names.map(({ name }) => name))
  const columnText = await createNameText(rows.columns.map(([name]) => name ?? ''))

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

  function* idsIn(list: string): Generator<number> {
    for (let from = 0; from <= list.length;) {
      const comma = list.indexOf(',', from)
      const end = comma === -1 ? list.length : comma
      const index = byId.get(list.slice(from, end))
      if (index !== undefined) yield index
      from = end + 1
    }
  }

  return {
    size: names.length + rows.columns.length,
    names,

    *find(search: string, sees: Sight): Generator<number> {
      const { last, others } = wordsOf(search)
      const left = inPath(others)
      for (const index of text.holding(last)) {
        const one = names[index]
        const isMeant = one && left(one.database).every((word) => text.holds(index, word))
        if (isMeant && sees(index)) yield index
      }
    },

    *findColumns(search: string, sees: Sight): Generator<FoundColumn> {
      const { last, others } = wordsOf(search)
      const left = inPath(others)
      for (const at of columnText.holding(last)) {
        const [name, ids] = rows.columns[at] ?? []
        for (const index of idsIn(ids ?? '')) {
          const one = names[index]
          const isMeant =
            one && left(one.database).every((word) => text.holds(index, word) || columnText.holds(at, word))
          if (isMeant && sees(index)) yield { name: name ?? '', of: index }
        }
      }
    },
  }
}

export type NameIndex = Awaited<ReturnType<typeof createNameIndex>>
