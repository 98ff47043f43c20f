import { analyse } from '@boathouse/sql'

/** Whether the text changes nothing, as far as its words say: then it can be sent at any time. */
export const onlyReads = (sql: string): boolean =>
  analyse(sql).statements.every(
    ({ kind, class: what }) => what === 'reads' || kind.startsWith('show-') || kind.startsWith('describe'),
  )
