import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** Stands for a value that is known only when the query runs. */
class Slot {
  constructor(readonly name: string | symbol) {}
}

/**
 * A query that is built and compiled once, for those that run with every statement: that takes Kysely longer than the
 * query takes PostgreSQL. `build` must use each value as a parameter, and must not look at it.
 */
export function compiledOnce<Values extends object, Row>(
  db: Kysely<Schema>,
  build: (values: Values) => Compilable<Row>,
): (values: Values) => Promise<Row[]> {
  const slots = new Proxy({} as Values, { get: (_, name) => new Slot(name) })
  let compiled: CompiledQuery<Row> | undefined
  return async (values) => {
    compiled ??= build(slots).compile()
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    )
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}
