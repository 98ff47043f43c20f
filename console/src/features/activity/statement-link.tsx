import type { HistoryEntry } from '@boathouse/contract/query'
import { Link } from '@tanstack/react-router'
import { SqlColored } from '../../statement/sql-colored.tsx'
import { sqlParts } from '../../statement/sql-parts.ts'
import { usePlaces } from './places.ts'
import styles from './activity.module.css'

/** Of a text, what fits into one line of a table on a wide screen. */
const LINE_LENGTH = 240

export const lineOf = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim().slice(0, LINE_LENGTH)

export const StatementLink = ({ of: { queryId, sql } }: { of: Pick<HistoryEntry, 'queryId' | 'sql'> }) => (
  <Link to={usePlaces().statement(queryId)} className={styles['statement']} title={sql.slice(0, 500)}>
    <SqlColored parts={sqlParts(lineOf(sql))} />
  </Link>
)
