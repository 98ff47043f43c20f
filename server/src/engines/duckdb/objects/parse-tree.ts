import { type JsonNode, nodesBelow, nodesOf, parsed, textOf } from './json-tree.ts'
import type { WrittenName } from './names.ts'

/** All names in a text that can be of objects. */
export interface Names {
  readonly tables: readonly WrittenName[]
  /** Tables of which only the columns are shown. */
  readonly described: readonly WrittenName[]
  readonly functions: readonly WrittenName[]
}

export const NO_NAMES: Names = { tables: [], described: [], functions: [] }

export const joined = (...all: readonly Names[]): Names => ({
  tables: all.flatMap(({ tables }) => tables),
  described: all.flatMap(({ described }) => described),
  functions: all.flatMap(({ functions }) => functions),
})

const written = (catalog: string, schema: string, name: string): WrittenName => ({
  ...(catalog && { catalog }),
  ...(schema && { schema }),
  name,
})

/** Below a DESCRIBE or the like. */
const insideShown = (node: JsonNode, held: boolean) => ({ held: held || node['type'] === 'SHOW_REF' })

/** The names in a tree of DuckDB's parser. Names of common table expressions are among them: the plan tells them apart. */
export function namesInTree(tree: unknown): Names {
  const tables: WrittenName[] = []
  const described: WrittenName[] = []
  const functions: WrittenName[] = []
  for (const { node, held } of nodesBelow(tree, false, insideShown)) {
    const { type } = node
    if (type === 'BASE_TABLE') {
      const name = written(
        textOf(node, 'catalog_name'),
        textOf(node, 'schema_name'),
        textOf(node, 'table_name'),
      )
      tables.push(name)
      if (held) described.push(name)
    } else if (type === 'FUNCTION' || type === 'WINDOW' || textOf(node, 'function_name')) {
      functions.push(written(textOf(node, 'catalog'), textOf(node, 'schema'), textOf(node, 'function_name')))
    } else if (type === 'SHOW_REF' && textOf(node, 'table_name')) {
      described.push(
        written(textOf(node, 'catalog_name'), textOf(node, 'schema_name'), textOf(node, 'table_name')),
      )
    }
  }
  return { tables, described, functions }
}

/** The tree in an answer of `json_serialize_sql`; null for what it does not take apart, which is all but a SELECT. */
export function treeOf(serialized: string): JsonNode | null {
  const answer = parsed(serialized)
  if (answer?.['error'] !== false) return null
  const [statement, ...others] = nodesOf(answer, 'statements')
  return statement && others.length === 0 ? statement : null
}
