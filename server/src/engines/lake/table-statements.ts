import { quoteIdentifier } from '@boathouse/sql'
import { pathOf } from '../beside/definition.ts'
import type { TableStatements } from '../engine/descriptions.ts'
import { EngineUnavailable } from '../engine/engine.ts'
import { runInCluster } from './statements.ts'

export const CHANGED_ELSEWHERE =
  'Tables and views of this catalog are created, changed and dropped by statements in a warehouse that is a cluster.'

/** Longer than any statement may run: rows that one still reads are not removed. */
const KEPT = '12h'

const elsewhere = (): never => {
  throw new EngineUnavailable(CHANGED_ELSEWHERE)
}

/** What the service itself does with tables of a lake, in the words of its clusters: those of materialized views. */
export const LAKE_TABLE_STATEMENTS: TableStatements = {
  drop: elsewhere,
  dropIfThere: (place) => runInCluster(`DROP TABLE IF EXISTS ${pathOf(place)}`),
  rename: (place, to) => runInCluster(`ALTER TABLE ${pathOf(place)} RENAME TO ${quoteIdentifier(to)}`),
  comment: elsewhere,
  createTable: elsewhere,
  // It is sent as its user's, and not by a session of the service.
  materialize: (place, query, how) =>
    `CREATE ${how === 'again' ? 'OR REPLACE ' : ''}TABLE ${pathOf(place)} AS\n${query}${how === 'empty' ? '\nWITH NO DATA' : ''}`,
  // Iceberg keeps the rows of every earlier snapshot.
  tidy: (place) =>
    runInCluster(
      `SET SESSION ${quoteIdentifier(place.catalog)}.expire_snapshots_min_retention = '${KEPT}'`,
      `ALTER TABLE ${pathOf(place)} EXECUTE expire_snapshots(retention_threshold => '${KEPT}')`,
    ),
}
