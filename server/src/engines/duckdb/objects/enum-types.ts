import type { DuckDBConnection } from '@duckdb/node-api'
import type { ObjectUse } from '../../engine/objects.ts'
import { type JsonNode, nodeOf, nodesBelow, nodesOf, textOf } from './json-tree.ts'
import { objectName } from './names.ts'

/**
 * Types have no privileges of their own, but the labels of an ENUM are data. A plan does not name the type, even
 * where a macro or a view uses it: only the labels identify it.
 */

/** What a plan has to do with such a type, by DuckDB's word for it; most have nothing. */
export const mayHaveEnums = (serialized: string): boolean => serialized.includes('ENUM')

const labelsIn = (type: JsonNode): string | null => {
  const values = nodeOf(type, 'type_info')['values']
  return type['id'] === 'ENUM' && Array.isArray(values) ? JSON.stringify(values) : null
}

function enumsBelow(value: unknown, skips?: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  for (const { node } of nodesBelow(value, null, () => ({ held: null, ...(skips && { skips }) }))) {
    const labels = labelsIn(node)
    if (labels !== null) found.add(labels)
  }
  return found
}

/** Columns that are read, and all of tables that are written to: who may do that knows their types. */
const OF_TABLES = new Set(['returned_types', 'table_info', 'types', 'scan_types'])

function known(plan: JsonNode): Set<string> {
  const found = new Set<string>()
  for (const { node } of nodesBelow(plan, null, () => ({ held: null }))) {
    const types = nodesOf(node, 'returned_types')
    for (const one of nodesOf(node, 'column_indexes')) {
      const at = typeof one['index'] === 'number' ? one['index'] : 0
      for (const labels of enumsBelow(types[at])) found.add(labels)
    }
    for (const labels of enumsBelow(node['table_info'])) found.add(labels)
  }
  return found
}

/** As DuckDB writes the type, for `typeof` and DESCRIBE. */
const written = (labels: readonly string[]): string =>
  `ENUM(${labels.map((label) => `'${label.replaceAll("'", "''")}'`).join(', ')})`

function textsIn(plan: JsonNode): string[] {
  const texts: string[] = []
  for (const { node } of nodesBelow(plan, null, () => ({ held: null }))) {
    const text = textOf(node, 'value')
    if (text.includes('ENUM(')) texts.push(text)
  }
  return texts
}

const TYPES = `SELECT database_name, schema_name, type_name, system.main.to_json(labels)::VARCHAR FROM system.main.duckdb_types()
  WHERE NOT internal AND labels IS NOT NULL AND database_name <> 'temp'`

/**
 * The types of the account whose labels a statement can show, beside those of tables that it reads or changes and those that
 * its views have by the rights of their owners.
 */
export async function enumUses(
  connection: DuckDBConnection,
  plan: JsonNode,
  views: readonly JsonNode[],
): Promise<ObjectUse[]> {
  const seen = known(plan)
  for (const view of views) for (const labels of enumsBelow(view, OF_TABLES)) seen.add(labels)
  const named = new Set([...enumsBelow(plan, OF_TABLES)].filter((labels) => !seen.has(labels)))
  const texts = textsIn(plan)
  if (named.size === 0 && texts.length === 0) return []
  const rows = (await connection.runAndReadAll(TYPES)).getRows()
  return rows.flatMap(([catalog, schema, name, list]) => {
    const labels = JSON.parse(String(list)) as string[]
    const key = JSON.stringify(labels)
    const isNamed = named.has(key) || (!seen.has(key) && texts.some((text) => text.includes(written(labels))))
    if (!isNamed) return []
    const object = objectName('type', {
      catalog: String(catalog),
      schema: String(schema),
      name: String(name),
    })
    return [{ action: 'read' as const, object, through: null }]
  })
}
