import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { CatalogName } from './object-names.ts'
import { MESSAGES } from './rules.ts'
import { ObjectPart } from './schema-objects.ts'

/** Where the names of tables are kept. */
export const METASTORES = ['folder', 'bucket', 'hive', 'glue', 'tabular', 'databricks'] as const
export type Metastore = (typeof METASTORES)[number]

export const METASTORE_NAMES: Readonly<Record<Metastore, string>> = {
  folder: 'Folder of files',
  bucket: 'Bucket of files (S3)',
  hive: 'Hive metastore',
  glue: 'AWS Glue',
  tabular: 'Tabular (Iceberg REST)',
  databricks: 'Databricks Unity Catalog',
}

/** How the files are reached; `vended`: by what the catalog’s own server gives for each table. */
const STORAGE_ACCESS = ['key', 'role', 'vended'] as const
export type StorageAccess = (typeof STORAGE_ACCESS)[number]

/** The ways to the files that a catalog of this kind can have. */
export const accessesOf = (metastore: Metastore): readonly StorageAccess[] =>
  metastore === 'tabular' || metastore === 'databricks' ? STORAGE_ACCESS : ['key', 'role']

export const CATALOG_FIELDS = [
  'name',
  'description',
  'folder',
  's3Endpoint',
  's3Bucket',
  's3Prefix',
  's3Region',
  'hiveHost',
  'tabularUrl',
  'tabularWarehouse',
  'oauthCredential',
  'oauthUrl',
  'oauthScope',
  'databricksHost',
  'databricksToken',
  'unityCatalogName',
  'accessKey',
  'secretKey',
  'sessionToken',
  'roleArn',
  'externalId',
] as const
export type CatalogField = (typeof CATALOG_FIELDS)[number]

/** As they are called in messages: 'Enter the Hive host'. */
const FIELD_NAMES: Readonly<Record<CatalogField, string>> = {
  name: 'name',
  description: 'description',
  folder: 'folder',
  s3Endpoint: 'endpoint',
  s3Bucket: 'bucket',
  s3Prefix: 'prefix',
  s3Region: 'S3 region',
  hiveHost: 'Hive host',
  tabularUrl: 'Tabular URL',
  tabularWarehouse: 'Tabular warehouse',
  oauthCredential: 'OAuth credential',
  oauthUrl: 'OAuth token URL',
  oauthScope: 'OAuth scope',
  databricksHost: 'Databricks host',
  databricksToken: 'Databricks token',
  unityCatalogName: 'Unity catalog name',
  accessKey: 'access key',
  secretKey: 'secret key',
  sessionToken: 'session token',
  roleArn: 'role ARN',
  externalId: 'external ID',
}

/** Sealed where they are stored, and never shown again. */
export const SECRET_FIELDS: ReadonlySet<CatalogField> = new Set([
  'oauthCredential',
  'databricksToken',
  'secretKey',
  'sessionToken',
])

const OF_BUCKET: readonly CatalogField[] = ['s3Endpoint', 's3Bucket', 's3Prefix', 's3Region']

const OF_METASTORE: Readonly<Record<Exclude<Metastore, 'folder' | 'bucket'>, readonly CatalogField[]>> = {
  hive: ['hiveHost', 's3Endpoint'],
  glue: ['s3Endpoint'],
  tabular: ['tabularUrl', 'tabularWarehouse', 'oauthCredential', 'oauthUrl', 'oauthScope', 's3Endpoint'],
  databricks: ['databricksHost', 'databricksToken', 'unityCatalogName', 's3Endpoint'],
}

const OF_ACCESS: Readonly<Record<StorageAccess, readonly CatalogField[]>> = {
  key: ['accessKey', 'secretKey'],
  role: ['roleArn', 'externalId'],
  vended: [],
}

export const fieldsOfAccess = (access: StorageAccess): readonly CatalogField[] => OF_ACCESS[access]

/** Those that need not be given. */
const OPTIONAL: ReadonlySet<CatalogField> = new Set([
  'description',
  's3Endpoint',
  's3Prefix',
  'sessionToken',
  'externalId',
  'oauthCredential',
  'oauthUrl',
  'oauthScope',
])

/** Whether the files of such a catalog are reached in one way only, by its own fields. */
export const hasOneWay = (metastore: Metastore): metastore is 'folder' => metastore === 'folder'

/** The fields of a catalog of this kind beside its name and description. */
export function fieldsOf(metastore: Metastore, access: StorageAccess): readonly CatalogField[] {
  if (metastore === 'folder') return ['folder']
  // Keys that expire are for one bucket; a catalog server would be given new ones.
  if (metastore === 'bucket')
    return [...OF_BUCKET, ...OF_ACCESS[access], ...(access === 'key' ? (['sessionToken'] as const) : [])]
  return ['s3Region', ...OF_METASTORE[metastore], ...OF_ACCESS[access]]
}

/** A folder that the operator has opened, by its name, and folders in it: no way up, no pattern. */
const FOLDER = /^[A-Za-z][\w-]*(?:\/(?!\.{1,2}(?:\/|$))[\p{L}\p{N} _.=@+-]+)*$/u

/** Names with a slash between them: no way up, nothing that could be taken for another name. */
const PREFIX = /^(?!\.{1,2}(?:\/|$))[^/\\\p{Cc}]+(?:\/(?!\.{1,2}(?:\/|$))[^/\\\p{Cc}]+)*$/u

/** Without a user, a question or a fragment. */
const WEB =
  /^https?:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[\dA-Fa-f:.]{2,45}\])(?::\d{1,5})?(?:\/[^\s?#\\]*)?$/

/** Sent in a header, or signed with. */
const KEY = /^[\x21-\x7e]+$/
const keyOf = (field: CatalogField): readonly [RegExp, string] => [
  KEY,
  `Enter the ${FIELD_NAMES[field]} in ASCII characters without spaces or line breaks`,
]

/** The prefix that makes the value an address, so that it can be checked, for example for a valid port. */
const ADDRESSES: Partial<Record<CatalogField, string>> = {
  s3Endpoint: '',
  tabularUrl: '',
  oauthUrl: '',
  hiveHost: 'http://',
  databricksHost: 'https://',
}

const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(:\d{1,5})?$/
const FORMS: Partial<Record<CatalogField, readonly [form: RegExp, message: string]>> = {
  folder: [FOLDER, 'Enter a folder that is open to you, for example lake or lake/sales'],
  s3Endpoint: [
    /^https?:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[\dA-Fa-f:.]{2,45}\])(?::\d{1,5})?$/,
    'Enter an address without a path, for example https://storage.example.com. Leave empty for AWS',
  ],
  s3Bucket: [
    /^[a-z0-9](?!.*\.\.)[a-z0-9.-]{1,61}[a-z0-9]$/,
    'Enter a bucket name of 3 to 63 lower-case letters, digits, dots and dashes',
  ],
  s3Prefix: [
    PREFIX,
    'Enter names separated by slashes, for example lake/sales, without a slash at either end',
  ],
  s3Region: [/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/, 'Enter a region, for example eu-central-1'],
  hiveHost: [HOST, 'Enter a host, and a port if it is not 9083, for example hive.example.com:9083'],
  tabularUrl: [WEB, 'Enter an address that begins with https://, without a user, ? or #'],
  oauthCredential: [
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
    'Enter a token, or a client ID and secret separated by a colon. Use ASCII characters without line breaks or spaces at either end',
  ],
  oauthUrl: [
    WEB,
    'Enter an address that begins with https://, without a user, ? or #. Leave empty to use the catalog server',
  ],
  oauthScope: [
    /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    'Enter scopes separated by spaces',
  ],
  databricksHost: [HOST, 'Enter a host, for example dbc-1234.cloud.databricks.com'],
  databricksToken: keyOf('databricksToken'),
  accessKey: keyOf('accessKey'),
  secretKey: keyOf('secretKey'),
  sessionToken: keyOf('sessionToken'),
  externalId: [
    /^[\w+=,.@:/-]+$/,
    'Enter the external ID from the trust policy of the role: letters, digits and any of _+=,.@:/-',
  ],
  roleArn: [
    /^arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/,
    'Enter a role ARN, for example arn:aws:iam::123456789012:role/reader',
  ],
}

/** What is wrong with one field, or undefined. */
export function fieldFault(field: CatalogField, value: string): string | undefined {
  if (field === 'name') return CatalogName.safeParse(value).error?.issues[0]?.message
  const most = field === 'description' ? LIMITS.descriptionLength : LIMITS.catalogFieldLength
  if (value.length > most) return MESSAGES.maximumLength(most)
  if (value === '') {
    return OPTIONAL.has(field) ? undefined : MESSAGES.enter(FIELD_NAMES[field])
  }
  const form = FORMS[field]
  const before = ADDRESSES[field]
  const isGood = !form || (form[0].test(value) && (before === undefined || URL.canParse(before + value)))
  return isGood ? undefined : form[1]
}

const Value = z._default(z.string(), '')

export const NewCatalog = z
  .object({
    name: Value,
    description: Value,
    metastoreType: z.enum(METASTORES),
    access: z._default(z.enum(STORAGE_ACCESS), 'key'),
    folder: Value,
    s3Endpoint: Value,
    s3Bucket: Value,
    s3Prefix: Value,
    s3Region: Value,
    hiveHost: Value,
    tabularUrl: Value,
    tabularWarehouse: Value,
    oauthCredential: Value,
    oauthUrl: Value,
    oauthScope: Value,
    databricksHost: Value,
    databricksToken: Value,
    unityCatalogName: Value,
    accessKey: Value,
    secretKey: Value,
    sessionToken: Value,
    roleArn: Value,
    externalId: Value,
  })
  .check((context) => {
    const { metastoreType, access } = context.value
    if (!hasOneWay(metastoreType) && !accessesOf(metastoreType).includes(access)) {
      const message = 'Choose an access key or an IAM role to access the files of this catalog'
      context.issues.push({ code: 'custom', message, path: ['access'], input: context.value })
    }
    for (const field of ['name', 'description', ...fieldsOf(metastoreType, access)] as const) {
      const message = fieldFault(field, context.value[field])
      if (message) context.issues.push({ code: 'custom', message, path: [field], input: context.value })
    }
  })
export type NewCatalog = z.infer<typeof NewCatalog>

const administrators = { roles: ['db_admin'] } as const

export const catalogCalls = {
  createCatalog: defineCall({
    path: '/schema/create-catalog',
    summary: 'Create an internal catalog; requires the standard edition',
    needs: administrators,
    input: z.object({
      name: CatalogName,
      description: z._default(
        z
          .string()
          .check(z.maxLength(LIMITS.descriptionLength, MESSAGES.maximumLength(LIMITS.descriptionLength))),
        '',
      ),
    }),
    output: z.object({}),
    fails: ['NameTaken', 'LimitReached', 'QueryFailed'],
  }),
  addCatalog: defineCall({
    path: '/schema/add-catalog',
    summary: 'Add an external catalog; its secrets are encrypted and never returned',
    needs: administrators,
    input: NewCatalog,
    output: z.object({
      /** Why it cannot be read yet, and what can read it; empty when it can. */
      notice: z.string(),
    }),
    fails: ['NameTaken', 'LimitReached', 'Conflict', 'QueryFailed'],
  }),
  testCatalog: defineCall({
    path: '/schema/test-catalog',
    summary: 'Test the connection to an external catalog without saving it',
    needs: administrators,
    input: NewCatalog,
    output: z.object({
      databases: z.int(),
      tables: z.int(),
      /** What would not be shown or not be read, as sentences; the first of them. */
      problems: z.array(z.string()),
    }),
    fails: ['QueryFailed'],
  }),
  catalogOptions: defineCall({
    path: '/schema/catalog-options',
    summary: 'List the catalog types that this installation supports',
    needs: administrators,
    input: z.object({}),
    output: z.object({
      /** Those that the engine of the account reads. */
      readable: z.array(z.enum(METASTORES)),
      /** Of the others: why not, and what reads them. */
      unreadable: z.array(z.object({ metastoreType: z.enum(METASTORES), why: z.string() })),
      /** Names of folders that the operator has opened to the account. */
      folders: z.array(z.string()),
    }),
  }),
  dropCatalog: defineCall({
    path: '/schema/drop-catalog',
    summary: 'Drop a catalog: an internal one with all its data, an external one without touching its data',
    needs: administrators,
    input: z.object({
      catalog: ObjectPart,
      /** Of an internal one that is not empty: with everything in it. */
      cascade: z._default(z.boolean(), false),
    }),
    output: z.object({}),
    fails: ['NotFound', 'Conflict'],
  }),
  renameCatalog: defineCall({
    path: '/schema/rename-catalog',
    summary: 'Rename an internal catalog; grants, sessions, materialized views and load tasks stay with it',
    needs: administrators,
    input: z.object({
      catalog: ObjectPart,
      newName: CatalogName,
      /** Although views name it in their texts, which then stop working. */
      evenIfUsed: z._default(z.boolean(), false),
    }),
    output: z.object({}),
    fails: ['NotFound', 'NameTaken', 'Conflict', 'Unavailable'],
  }),
  showCreateCatalog: defineCall({
    path: '/schema/show-create-catalog',
    summary: 'Get the statement that creates a catalog, with its secrets masked',
    needs: administrators,
    input: z.object({ catalog: ObjectPart }),
    output: z.object({ createStatement: z.string() }),
    fails: ['NotFound'],
  }),
} as const
