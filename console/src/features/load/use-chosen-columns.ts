import type { Inspection, LoadColumn } from '@boathouse/contract/load'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { useCall } from '../../lib/api.ts'
import { type ChosenParts, columnsOfExisting, columnsOfNew, withParts } from './chosen-columns.ts'
import type { Target } from './target-panel.tsx'

interface Choosing {
  readonly found: Inspection | null
  readonly catalog: string
  readonly database: string
  readonly target: Target
}

/** The columns as they are detected, with what was chosen in place of that. */
export function useChosenColumns({ found, catalog, database, target }: Choosing) {
  const inTable = useTableColumns({ catalog, database, target })
  const [chosen, setChosen] = useState<{ readonly of: string; readonly parts: ChosenParts } | null>(null)
  // The choice is for these columns and this table; it does not apply to others.
  const names = found?.columns.map(({ name }) => name)
  const of = JSON.stringify([names, target.makesTable ? '' : target.tableName])
  const parts = chosen?.of === of ? chosen.parts : {}
  const proposed =
    found &&
    (target.makesTable ? columnsOfNew(found.columns) : inTable && columnsOfExisting(found.columns, inTable))
  return {
    /** Of a table that is there. */
    inTable: inTable ?? [],
    columns: proposed ? withParts(proposed, parts) : null,
    change: (at: number, part: Partial<LoadColumn>) =>
      setChosen((before) => {
        const known = before?.of === of ? before.parts : {}
        return { of, parts: { ...known, [at]: { ...known[at], ...part } } }
      }),
  }
}

/** Of the table that is there; undefined while that is not known. */
function useTableColumns({ catalog, database, target }: Pick<Choosing, 'catalog' | 'database' | 'target'>) {
  const isWanted = !target.makesTable && target.tableName !== ''
  const { data } = useCall(
    schema.columns,
    { catalog, databaseName: database, tableName: target.tableName || '-' },
    { enabled: isWanted, silent: true },
  )
  return isWanted ? data?.columns.map(({ name, type }) => ({ name, type })) : undefined
}
