import { z } from 'zod'

/** A type of Iceberg: a word, or a structure of others. */
type IcebergType = string | z.infer<typeof Nested>

const Nested = z.looseObject({ type: z.enum(['struct', 'list', 'map']) })
const Field = z.looseObject({
  name: z.string(),
  required: z.boolean().default(false),
  type: z.union([z.string(), Nested]),
  doc: z.string().optional(),
})
const Fields = z.looseObject({ 'schema-id': z.number().optional(), fields: z.array(Field) })
const Texts = z.record(z.string(), z.string())

const TableFile = z.looseObject({
  schemas: z.array(Fields).optional(),
  schema: Fields.optional(),
  'current-schema-id': z.number().optional(),
  properties: Texts.default({}),
  'current-snapshot-id': z.number().nullish(),
  snapshots: z.array(z.looseObject({ 'snapshot-id': z.number(), summary: Texts.optional() })).default([]),
})

const ViewFile = z.looseObject({
  'current-version-id': z.number(),
  schemas: z.array(Fields),
  properties: Texts.default({}),
  versions: z.array(
    z.looseObject({
      'version-id': z.number(),
      'schema-id': z.number(),
      representations: z.array(z.looseObject({ sql: z.string().optional() })),
    }),
  ),
})

export interface LakeColumn {
  readonly name: string
  /** In the words of clusters. */
  readonly type: string
  readonly nullable: boolean
  readonly comment: string
}

/** What the file of a table or view says of it. */
export interface LakeDescription {
  readonly columns: readonly LakeColumn[]
  readonly comment: string
  /** Of a table; null where its file does not count them. */
  readonly rows: number | null
  /** Of a view. */
  readonly query: string | null
}

const WORDS: Readonly<Record<string, string>> = {
  int: 'integer',
  long: 'bigint',
  float: 'real',
  time: 'time(6)',
  timestamp: 'timestamp(6)',
  timestamptz: 'timestamp(6) with time zone',
  string: 'varchar',
  binary: 'varbinary',
}

const Struct = z.looseObject({ fields: z.array(Field) })
const List = z.looseObject({ element: z.union([z.string(), Nested]) })
const MapType = z.looseObject({ key: z.union([z.string(), Nested]), value: z.union([z.string(), Nested]) })

/** As clusters name it, which is how users of a lake know it. */
function typeName(type: IcebergType): string {
  if (typeof type === 'string') return type.startsWith('fixed[') ? 'varbinary' : (WORDS[type] ?? type)
  if (type.type === 'list') return `array(${typeName(List.parse(type).element)})`
  if (type.type === 'map') {
    const { key, value } = MapType.parse(type)
    return `map(${typeName(key)}, ${typeName(value)})`
  }
  return `row(${Struct.parse(type)
    .fields.map((field) => `${field.name} ${typeName(field.type)}`)
    .join(', ')})`
}

const columnsOf = (schema: z.infer<typeof Fields> | undefined): LakeColumn[] =>
  (schema?.fields ?? []).map(({ name, type, required, doc = '' }) => ({
    name,
    type: typeName(type),
    nullable: !required,
    comment: doc,
  }))

function rowsOf({ snapshots, 'current-snapshot-id': current }: z.infer<typeof TableFile>): number | null {
  // Java and JSON agree on -1 for a table without a snapshot.
  if (current == null || current === -1) return 0
  const summary = snapshots.find((one) => one['snapshot-id'] === current)?.summary ?? {}
  const [records, deletes] = [summary['total-records'], summary['total-position-deletes'] ?? '0']
  if (records === undefined || (summary['total-equality-deletes'] ?? '0') !== '0') return null
  return Number(records) - Number(deletes)
}

/** Null where the file has another form. */
export function readTable(file: unknown): LakeDescription | null {
  const { data } = TableFile.safeParse(file)
  if (!data) return null
  const { schemas = [], 'current-schema-id': id, schema } = data
  const current = schemas.find((one) => one['schema-id'] === id) ?? schema
  return {
    columns: columnsOf(current),
    comment: data.properties['comment'] ?? '',
    rows: rowsOf(data),
    query: null,
  }
}

export function readView(file: unknown): LakeDescription | null {
  const { data } = ViewFile.safeParse(file)
  const version = data?.versions.find((one) => one['version-id'] === data['current-version-id'])
  if (!data || !version) return null
  const schema = data.schemas.find((one) => one['schema-id'] === version['schema-id'])
  const query = version.representations.find(({ sql }) => sql !== undefined)?.sql ?? null
  return { columns: columnsOf(schema), comment: data.properties['comment'] ?? '', rows: null, query }
}
