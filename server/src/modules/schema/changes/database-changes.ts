import { objectOf } from '@boathouse/contract'
import type { DatabasePlace } from '../../../engines/engine/names.ts'
import { AppError } from '../../../kernel/app-error.ts'
import {
  newDatabaseName,
  notEmpty,
  requireDatabasesHere,
  requireOwn,
} from '../../query/sessions/database-rules.ts'
import { pathOf, type Who } from './apply-change.ts'
import { findDatabase, ofService } from './change-run.ts'
import { accessToDatabase, type Changing, databaseOf } from './changing.ts'

const databaseTaken = ({ catalog, database }: DatabasePlace) =>
  new AppError(
    'NameTaken',
    `The database ${database} already exists in the catalog ${catalog}. Choose another name.`,
  )

export async function createDatabase(
  { look, authority, apply }: Changing,
  who: Who,
  asked: DatabasePlace,
): Promise<void> {
  const { actor } = who
  await look(actor, async (looking) => {
    const { lists, catalogs, catalogNamed } = looking
    const catalog = catalogNamed(asked.catalog)
    const object = objectOf('catalog', { catalog })
    await authority.require(actor, { privilege: 'CREATE DATABASE', object })
    requireDatabasesHere(catalogs, catalog)
    const place = { catalog, database: newDatabaseName(asked.database, catalogs) }
    if ((await lists.databaseNamed(place)) !== null) throw databaseTaken(place)
    await apply(who, looking, {
      ...ofService(catalogs.statements.createDatabase(place, { ifNotExists: false })),
      place,
      follows: [{ change: 'created', object: databaseOf(place) }],
      audit: {
        action: 'database.create',
        object: { type: 'database', id: pathOf(place) },
        before: null,
        after: { name: place.database },
      },
    })
  })
}

/** CATALOG-10 */
export async function dropDatabase(
  { look, authority, apply }: Changing,
  who: Who,
  { cascade, ...asked }: DatabasePlace & { readonly cascade: boolean },
): Promise<void> {
  const { actor } = who
  const { database } = asked
  await look(actor, async (looking) => {
    const { lists, catalogs, catalogNamed } = looking
    const object = accessToDatabase({ catalog: catalogNamed(asked.catalog), database })
    await authority.require(actor, { privilege: 'DROP', object })
    requireDatabasesHere(catalogs, object.catalog)
    requireOwn(database, catalogs)
    const place = await findDatabase(looking, asked)
    const seen = { table: 'all', view: 'all' } as const
    const held = cascade ? [] : (await lists.tables(place, { seen, limit: 4 })).names
    if (held.length > 0) throw new AppError('Conflict', notEmpty(place.database, held))
    await apply(who, looking, {
      ...ofService(catalogs.statements.dropDatabase(place, { ifExists: false, cascade })),
      place,
      follows: [{ change: 'dropped', object: databaseOf(place) }],
      audit: {
        action: 'database.drop',
        object: { type: 'database', id: pathOf(place) },
        before: { name: place.database },
        after: null,
      },
    })
  })
}
