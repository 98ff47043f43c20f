import { setImmediate as letOthersOn } from 'node:timers/promises'
import type { CatalogName, ColumnName } from '../../engine/descriptions.ts'
import type { Cell } from '../../engine/rows.ts'

type Rows = readonly (readonly Cell[])[]

/** Unpacked at once: less than a millisecond. */
const SLICE = 4_000

/** Gives one value for each number below `count`; others are served meanwhile. */
async function inSlices<T>(count: number, one: (at: number) => T): Promise<T[]> {
  const all: T[] = []
  for (let from = 0; from < count; from += SLICE) {
    for (let at = from; at < Math.min(count, from + SLICE); at++) all.push(one(at))
    await letOthersOn()
  }
  return all
}

/** Of one row with a list for each field. */
export async function unpackedNames([row]: Rows): Promise<readonly CatalogName[]> {
  const lists: (readonly Cell[])[] = []
  for (const list of row ?? []) {
    lists.push(list === null ? [] : (JSON.parse(list) as Cell[]))
    await letOthersOn()
  }
  const [types = [], ids = [], databases = [], names = []] = lists
  return inSlices(types.length, (at) => ({
    type: types[at] as CatalogName['type'],
    id: ids[at] ?? null,
    database: databases[at] ?? '',
    name: names[at] ?? '',
  }))
}

/** One text for all ids, however many tables have such a column. */
class PackedColumn implements ColumnName {
  constructor(
    readonly name: string,
    private readonly ids: string,
  ) {}

  holders(): readonly string[] {
    return this.ids.split(',')
  }
}

export const columnNamesOf = (rows: Rows): Promise<readonly ColumnName[]> =>
  inSlices(rows.length, (at) => new PackedColumn(rows[at]?.[0] ?? '', rows[at]?.[1] ?? ''))
