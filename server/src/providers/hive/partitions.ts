import { OutsideRefused } from '../../kernel/outside.ts'
import type { Partition } from './table-answers.ts'
import { type Folder, folderIn } from './table-content.ts'
import { FarTooMuch, type TableKeeper, type TableName } from './table-keeper.ts'

/** The folders of a table, and what their files have in the partition columns. */
export interface TableFolders {
  /** What is listed to find its files; none of them lies in another. */
  readonly roots: readonly Folder[]
  /** By the name of the folder, with its bucket. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

export interface FoldersOf extends TableName {
  readonly home: Folder
  readonly partitionColumns: readonly unknown[]
  /** That of the table; one of another is read in another way. */
  readonly serde: string
}

const MOST_PARTITIONS = 10_000
const MOST_ROOTS = 1_000
/** Up to so many partitions are listed one by one; of more, the folder that they lie in. */
const FEW = 50

export const nameOf = ({ bucket, path }: Folder): string => (path === '' ? bucket : `${bucket}/${path}`)

const isIn = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`)

/** The values of the partition that a file lies in, by the name of the file with its bucket; null: in none of them. */
export function valuesOf({ values }: Pick<TableFolders, 'values'>, file: string): readonly string[] | null {
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
    const found = values.get(file.slice(0, at))
    if (found) return found
  }
  return null
}

/** Without those that lie in another one. */
function outermost(folders: readonly Folder[]): Folder[] {
  const kept: Folder[] = []
  // Right behind a folder comes what lies in it.
  for (const folder of folders.toSorted((one, other) => (`${nameOf(one)}/` < `${nameOf(other)}/` ? -1 : 1))) {
    const last = kept.at(-1)
    if (!last || !isIn(nameOf(folder), nameOf(last))) kept.push(folder)
  }
  return kept
}

function folderOf({ Values: values, StorageDescriptor: storage }: Partition, of: FoldersOf): Folder {
  if (values.length !== of.partitionColumns.length)
    throw new OutsideRefused('nonsense', 'a partition of it has other columns than the table')
  const serde = storage?.SerdeInfo?.SerializationLibrary ?? of.serde
  if (serde !== of.serde)
    throw new OutsideRefused('refused', 'its partitions are not all in the format of the table')
  const folder = folderIn(storage?.Location ?? '')
  if (!folder)
    throw new OutsideRefused('refused', 'a partition of it does not lie in a bucket that speaks S3')
  return folder
}

export async function foldersOf(
  of: FoldersOf,
  keeper: TableKeeper,
  stop: AbortSignal,
): Promise<TableFolders> {
  const { database, name, home } = of
  if (of.partitionColumns.length === 0) return { roots: [home], values: new Map([[nameOf(home), []]]) }
  const values = new Map<string, readonly string[]>()
  const folders: Folder[] = []
  for await (const some of keeper.partitions({ database, name }, MOST_PARTITIONS, stop))
    for (const partition of some) {
      const folder = folderOf(partition, of)
      folders.push(folder)
      values.set(nameOf(folder), partition.Values)
      if (folders.length > MOST_PARTITIONS) throw new FarTooMuch(`${MOST_PARTITIONS} partitions`)
    }
  const isAtHome = (folder: Folder) => isIn(nameOf(folder), nameOf(home))
  const atHome = folders.filter(isAtHome)
  const away = folders.filter((folder) => !isAtHome(folder))
  const roots = outermost([...(atHome.length > FEW ? [home] : atHome), ...away])
  if (roots.length > MOST_ROOTS) throw new FarTooMuch(`${MOST_ROOTS} folders outside of its own`)
  return { roots, values }
}
