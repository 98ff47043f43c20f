import { DEFAULT_CATALOG, foldedName, isSameName, objectOf, SAMPLE_DATABASE } from '@boathouse/contract'
import type { DatabasePlace } from '../../../engines/engine/names.ts'
import type { ObjectChange } from '../../../engines/engine/objects.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Authority, Wanted } from '../../access/authority.ts'
import type { Looking, LookFor } from '../objects/looking.ts'
import { type ApplyChange, pathOf, type Who } from './apply-change.ts'

/** Of one of its tables, on a busy machine. */
const SAMPLE_TABLE_MS = 2 * 60_000

const SAMPLES: DatabasePlace = { catalog: DEFAULT_CATALOG, database: SAMPLE_DATABASE }

export const isSamples = ({ catalog, database }: DatabasePlace): boolean =>
  catalog === SAMPLES.catalog && isSameName(database, SAMPLES.database)

/** Where the database is missing it is created; else what is in it is replaced, which is as much as dropping it. */
export const neededToRestore = (exists: boolean): Wanted[] => [
  exists
    ? { privilege: 'DROP', object: objectOf('database', { ...SAMPLES }) }
    : { privilege: 'CREATE DATABASE', object: objectOf('catalog', { catalog: SAMPLES.catalog }) },
]

export const hasSamples = async ({ lists }: Looking): Promise<boolean> =>
  (await lists.databaseNamed(SAMPLES)) !== null

/** More tables than that are not of the sample data. */
const MOST_TABLES = 1_000

/** Names in the database, as they are compared, before it is filled again; the empty one is its own. */
async function namesBefore(looking: Looking, exists: boolean): Promise<Set<string>> {
  if (!exists) return new Set()
  const seen = { table: 'all', view: 'all' } as const
  const { names } = await looking.lists.tables(SAMPLES, { seen, limit: MOST_TABLES })
  return new Set(['', ...names.map(foldedName)])
}

export interface RestoreParts {
  readonly look: LookFor
  readonly authority: Pick<Authority, 'whyNot'>
  readonly apply: ApplyChange
  /** Those that read something of this database are refreshed when it is over. */
  readonly whileWriting: (accountId: string, place: DatabasePlace, work: () => Promise<void>) => Promise<void>
}

/** Creates the sample data, or creates it again. */
export function restoreSamples({ look, authority, apply, whileWriting }: RestoreParts, who: Who) {
  const { actor } = who
  return look(actor, async (looking) => {
    if (!looking.sampleData) throw new AppError('NotFound', 'The engine of this account has no sample data.')
    const exists = await hasSamples(looking)
    const refusal = await authority.whyNot(actor, neededToRestore(exists))
    if (refusal !== null) throw new AppError('NoPermission', refusal)
    const before = await namesBefore(looking, exists)
    const statements = looking.sampleData(SAMPLES.database)
    await whileWriting(actor.accountId, SAMPLES, () =>
      apply(who, looking, {
        statements: statements.map((sql) => ({ sql, authorize: 'all' })),
        withinMs: SAMPLE_TABLE_MS,
        denied: () => false,
        place: SAMPLES,
        grantsFollow: ({ object }: ObjectChange) => !before.has(foldedName(object.name ?? '')),
        audit: {
          action: 'samples.restore',
          object: { type: 'database', id: pathOf(SAMPLES) },
          before: null,
          after: { name: SAMPLES.database },
        },
      }),
    )
  })
}
