import { type JsonNode, nodeOf, nodesBelow, textOf } from './json-tree.ts'
import type { FullName } from './names.ts'

/** The table of a catalog over a folder to which a file belongs; null when it is of none. */
export type TableOfFile = (file: string) => FullName | null

const READS_FILES = new Set(['parquet_scan', 'read_parquet'])
/** Of the text of a plan: without it there is none of these. */
export const NAMES_FILES = /parquet/

/** The one table to which all files of a scan belong. */
function tableRead(node: JsonNode, tableOf: TableOfFile): FullName | null {
  const files: unknown = nodeOf(node, 'function_data')['files']
  if (!Array.isArray(files) || files.length === 0) return null
  const tables = files.map((file) => (typeof file === 'string' ? tableOf(file) : null))
  const [first] = tables
  if (!first) return null
  return tables.every((table) => JSON.stringify(table) === JSON.stringify(first)) ? first : null
}

/** A plan in which files are read as the tables that they are. A file that is of no table stays what nobody knows. */
export function withTablesOfFiles(plan: JsonNode, tableOf: TableOfFile): JsonNode {
  for (const { node } of nodesBelow(plan, null, () => ({ held: null }))) {
    if (node['type'] !== 'LOGICAL_GET' || !READS_FILES.has(textOf(node, 'name'))) continue
    const table = tableRead(node, tableOf)
    if (!table) continue
    const { catalog, schema, name } = table
    Object.assign(node, { name: 'seq_scan', function_data: { catalog, schema, table: name } })
  }
  return plan
}
