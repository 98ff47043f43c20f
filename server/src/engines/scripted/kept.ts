import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { placesIn, type StoredColumn, type TextResult, textsFile, UNFINISHED } from '../../results/form.ts'
import type { Column } from '../engine/columns.ts'
import type { Cell } from '../engine/rows.ts'
import type { ExecuteOptions } from '../engine/run.ts'
import type { KeptResult } from '../engine/outcome.ts'

/** The types of its columns as whoever reads kept results knows them. */
const READ_AS: Readonly<Record<string, string>> = {
  INT: 'BIGINT',
  BIGINT: 'HUGEINT',
  TEXT: 'VARCHAR',
  BOOL: 'BOOLEAN',
}

function storedColumns(columns: readonly Column[]): StoredColumn[] {
  const names = columns.map(({ name }) => name.toLowerCase())
  return columns.map((column, at) => ({
    ...column,
    // No two in a file are the same.
    field: names.indexOf(names[at] ?? '') === at ? column.name : `${column.name}_${at}`,
    readAs: READ_AS[column.type] ?? 'VARCHAR',
    isText: false,
  }))
}

export interface Keeping {
  readonly directory: string
  readonly options: ExecuteOptions
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** There were no more. */
  readonly complete: boolean
  readonly timeZone: string
}

/** Writes rows that are read again as texts, in the form that every engine uses; null when they may not be kept. */
export async function keepRows(keeping: Keeping): Promise<KeptResult | null> {
  const { keep, queryId, maxRows } = keeping.options
  if (!keep) return null
  const kept = factsOf(keeping, keep.maxRows)
  const isFitting = (result: TextResult) => Buffer.byteLength(JSON.stringify(result)) <= keep.maxBytes
  const result = [kept, factsOf(keeping, maxRows)].find(isFitting)
  if (!result) return null
  const { results } = placesIn(keeping.directory)
  await mkdir(results, { recursive: true })
  const file = textsFile(results, queryId)
  await writeFile(join(`${file}${UNFINISHED}`), JSON.stringify(result))
  await rename(`${file}${UNFINISHED}`, file)
  return { rows: result.facts.rows, complete: result.facts.complete, bytes: 0 }
}

function factsOf({ columns, rows, complete, timeZone }: Keeping, most: number): TextResult {
  const kept = rows.slice(0, most)
  const isWhole = complete && kept.length === rows.length
  return {
    facts: { columns: storedColumns(columns), rows: kept.length, complete: isWhole, timeZone },
    rows: kept,
  }
}
