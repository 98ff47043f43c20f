import { analyse } from '@boathouse/sql'

/** Whether nothing of the text changes anything, as far as its words tell: then it may be sent whenever it can. */
export const onlyReads = (sql: string): boolean =>
  analyse(sql).statements.every(
    ({ kind, class: what }) => what === 'reads' || kind.startsWith('show-') || kind.startsWith('describe'),
  )
