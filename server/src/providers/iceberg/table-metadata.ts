import { z } from 'zod'
import {
  bucketPathOf,
  type IcebergField,
  type IcebergTable,
  type IcebergType,
  isOfTable,
} from '../../kernel/iceberg.ts'
import { parseBounded } from '../../kernel/json/parse.ts'
import { nestedFault } from './nested-names.ts'
import { ANSWER_BOUNDS } from './rest-client.ts'
import { LONGEST_NAME, requireBounds } from './schema-bounds.ts'

const Type: z.ZodType<IcebergType> = z.lazy(() =>
  z.union([
    z.string().max(100),
    z.object({ type: z.literal('struct'), fields: z.array(Field) }),
    z.object({ type: z.literal('list'), 'element-id': z.int(), element: Type }),
    z.object({ type: z.literal('map'), 'key-id': z.int(), key: Type, 'value-id': z.int(), value: Type }),
  ]),
)
const Field: z.ZodType<IcebergField> = z.object({
  id: z.int(),
  name: z.string().max(LONGEST_NAME),
  type: Type,
})

const Schema = z.object({ 'schema-id': z.optional(z.int()), fields: z.array(Field) })
export type IcebergSchema = z.infer<typeof Schema>

const SnapshotId = z.union([z.string(), z.number()])

const PartitionField = z.object({
  'source-id': z.optional(z.int()),
  transform: z.string(),
})

export const Metadata = z.object({
  'format-version': z.int(),
  location: z.string(),
  properties: z.nullish(z.record(z.string(), z.string())),
  schema: z.optional(
    z
      .looseObject({})
      .transform((one): unknown => requireBounds([one])[0])
      .pipe(Schema),
  ),
  schemas: z.optional(z.array(z.unknown()).transform(requireBounds).pipe(z.array(Schema))),
  'current-schema-id': z.optional(z.int()),
  'partition-spec': z.optional(z.array(PartitionField)),
  'partition-specs': z.optional(z.array(z.object({ 'spec-id': z.int(), fields: z.array(PartitionField) }))),
  'current-snapshot-id': z.nullish(SnapshotId),
  refs: z.nullish(z.object({ main: z.nullish(z.object({ 'snapshot-id': SnapshotId })) })),
  snapshots: z.nullish(
    z.array(z.object({ 'snapshot-id': SnapshotId, 'manifest-list': z.optional(z.string()) })),
  ),
})
export type Metadata = z.infer<typeof Metadata>

/** Of an answer in JSON, with ids that are longer than a number can be kept as they are written. */
export const parsedMetadata = (text: string): unknown =>
  parseBounded(text.replace(/("(?:current-)?snapshot-id"\s*:\s*)(-?\d+)/g, '$1"$2"'), ANSWER_BOUNDS)

const NO_SNAPSHOT = new Set(['undefined', 'null', '-1'])
const VERSIONS = [1, 2]

/** Where its files may lie: its own folder, and those that it says it writes to, all in one bucket. */
function rootsOf({ location, properties }: Metadata): { bucket: string; roots: string[] } | null {
  const home = bucketPathOf(location)
  if (!home) return null
  const others = [
    'write.data.path',
    'write.metadata.path',
    'write.folder-storage.path',
    'write.object-storage.path',
  ]
    .map((key) => bucketPathOf(properties?.[key] ?? ''))
    .filter((place) => place?.bucket === home.bucket)
  const roots = [home, ...others].map((place) => (place?.path ?? '').replace(/\/+$/, ''))
  return { bucket: home.bucket, roots: [...new Set(roots)].filter((root) => root !== '') }
}

const identitiesOf = (metadata: Metadata): Record<string, number[]> => {
  const specs = metadata['partition-specs'] ?? [{ 'spec-id': 0, fields: metadata['partition-spec'] ?? [] }]
  return Object.fromEntries(
    specs.map(({ 'spec-id': id, fields }) => [
      String(id),
      fields.flatMap(({ transform, 'source-id': source }) =>
        transform === 'identity' && source !== undefined ? [source] : [],
      ),
    ]),
  )
}

/** Of version 1 it may be the only one, without an id. */
function currentSchemaOf({ schema, schemas, 'current-schema-id': id }: Metadata): IcebergSchema | undefined {
  return schemas && id !== undefined ? schemas.find((one) => one['schema-id'] === id) : schema
}

/** Some servers name it only as that of the branch `main`. */
function snapshotIdOf({ refs, 'current-snapshot-id': currentId }: Metadata): string {
  const id = String(currentId)
  return NO_SNAPSHOT.has(id) ? String(refs?.main?.['snapshot-id']) : id
}

/** A table in the form for engines; an unfinished sentence when it cannot be read here. */
export function tableOf(metadata: Metadata): IcebergTable | string {
  const version = metadata['format-version']
  if (!VERSIONS.includes(version))
    return `it is of version ${version} of the Iceberg format, and versions 1 and 2 are read`
  const schemas = metadata.schemas ?? (metadata.schema ? [metadata.schema] : [])
  const current = currentSchemaOf(metadata)
  if (!current) return 'its metadata does not have its current schema'
  if (current.fields.length === 0) return 'its metadata has no columns'
  if (new Set(current.fields.map(({ id }) => id)).size < current.fields.length)
    return 'two of its columns have the same id'
  const place = rootsOf(metadata)
  if (!place || place.roots.length === 0) return 'its files do not lie in a bucket that speaks S3'
  const nested = nestedFault(current, schemas)
  if (nested !== null) return nested
  const snapshotId = snapshotIdOf(metadata)
  const snapshot = metadata.snapshots?.find((one) => String(one['snapshot-id']) === snapshotId)
  if (!snapshot && !NO_SNAPSHOT.has(snapshotId)) return 'its metadata does not have its current snapshot'
  const list = snapshot && bucketPathOf(snapshot['manifest-list'] ?? '')
  if (snapshot && !(list?.bucket === place.bucket && isOfTable(place, list.path)))
    return 'the list of its files does not lie in the folder of the table, and nothing else is read for it'
  return {
    ...place,
    columns: current.fields,
    identities: identitiesOf(metadata),
    hasNameMapping: metadata.properties?.['schema.name-mapping.default'] !== undefined,
    manifestList: list?.path ?? null,
  }
}
