import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { ObjectName } from '../../engine/objects.ts'
import { countRows, type Question } from '../ask.ts'

/** Whether there is a database, or a table or view by this name. */
export async function isThere(object: Omit<ObjectName, 'type'>, question: Question): Promise<boolean> {
  const { catalog, database, name } = object
  const lists = `${quoteIdentifier(catalog)}.information_schema`
  const schema = quoteString(database ?? '')
  const sql =
    name === null
      ? `SELECT 1 FROM ${lists}.schemata WHERE schema_name = ${schema}`
      : `SELECT 1 FROM ${lists}.tables WHERE table_schema = ${schema} AND table_name = ${quoteString(name)}`
  return (await countRows(sql, question)) > 0
}
