import type { NewTable } from '@boathouse/contract'
import type { DatabasePlace } from '../../../engines/engine/names.ts'
import type { WantedObject } from '../objects/place-of.ts'
import type { Who } from './apply-change.ts'
import { type ChangeParts, createChanging } from './changing.ts'
import { createDatabase, dropDatabase } from './database-changes.ts'
import { commentOnObject, createTable, dropObject, renameObject } from './table-changes.ts'

/** What the pages of catalogs create, change and drop: with the privileges that statements need, and without a warehouse. */
export function createCatalogChanges(parts: ChangeParts) {
  const changing = createChanging(parts)
  return {
    createDatabase: (who: Who, place: DatabasePlace) => createDatabase(changing, who, place),
    dropDatabase: (who: Who, place: DatabasePlace, cascade: boolean) =>
      dropDatabase(changing, who, { ...place, cascade }),
    createTable: (who: Who, table: NewTable) => createTable(changing, who, table),
    drop: (who: Who, wanted: WantedObject, evenIfUsed: boolean) =>
      dropObject(changing, who, { wanted, evenIfUsed }),
    rename: (who: Who, wanted: WantedObject, to: { newName: string; evenIfUsed: boolean }) =>
      renameObject(changing, who, { wanted, ...to }),
    comment: (who: Who, wanted: WantedObject, text: { comment: string; column?: string | undefined }) =>
      commentOnObject(changing, who, { wanted, ...text }),
  }
}

export type CatalogChanges = ReturnType<typeof createCatalogChanges>
