import { ClusterRefused } from './refused.ts'

/** A catalog of a cluster. What is secret of it is known by its processes alone, and is in no file. */
export interface CatalogDefinition {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly secrets?: Readonly<Record<string, string>>
}

export interface InternalCatalogOptions {
  readonly name: string
  /** The database that has its tables' names: `jdbc:postgresql://…` */
  readonly databaseUrl: string
  readonly user: string
  readonly password: string
  /** A folder that every node sees, which has the files of its tables. */
  readonly folder: string
}

/** Iceberg tables in a folder, with their names in PostgreSQL. */
export const internalCatalog = ({
  name,
  databaseUrl,
  user,
  password,
  folder,
}: InternalCatalogOptions): CatalogDefinition => ({
  name,
  properties: {
    'connector.name': 'iceberg',
    'iceberg.catalog.type': 'jdbc',
    'iceberg.jdbc-catalog.catalog-name': name,
    'iceberg.jdbc-catalog.driver-class': 'org.postgresql.Driver',
    'iceberg.jdbc-catalog.connection-url': databaseUrl,
    'iceberg.jdbc-catalog.connection-user': user,
    'iceberg.jdbc-catalog.default-warehouse-dir': 'local:///',
    // A name is a folder in which only this table can ever be: two of the same name do not share one.
    'iceberg.unique-table-location': 'true',
    'fs.native-local.enabled': 'true',
    'local.location': folder,
  },
  secrets: { 'iceberg.jdbc-catalog.connection-password': password },
})

export interface RelayedCatalogOptions {
  readonly id: string
  /** Where the service answers for it. */
  readonly url: string
  readonly region: string
  /** Of its storage; empty: that of AWS for the region. */
  readonly endpoint: string
  /** Null: each table has keys of its own. */
  readonly accessKey: string | null
}

/** How a cluster proves who it is where the service answers. */
export const RELAY_TOKEN_VARIABLE = 'BOATHOUSE_RELAY_TOKEN'
/** What has the secret key to the files of a catalog, in the processes of a cluster. */
export const secretKeyVariable = (catalogId: string): string =>
  `BOATHOUSE_KEY_${catalogId.replaceAll('-', '_')}`

/** Without any keys, Java would look for those of this machine. */
const NOBODY = 'nobody'

/** Iceberg tables of another server, which the service asks for it: to be read only. */
export const relayedCatalog = (options: RelayedCatalogOptions): Readonly<Record<string, string>> => ({
  'iceberg.catalog.type': 'rest',
  'iceberg.rest-catalog.uri': options.url,
  'iceberg.rest-catalog.security': 'OAUTH2',
  'iceberg.rest-catalog.oauth2.token': `\${ENV:${RELAY_TOKEN_VARIABLE}}`,
  'iceberg.rest-catalog.oauth2.token-refresh-enabled': 'false',
  'iceberg.rest-catalog.nested-namespace-enabled': 'true',
  'iceberg.rest-catalog.case-insensitive-name-matching': 'true',
  'iceberg.rest-catalog.view-endpoints-enabled': 'false',
  'iceberg.rest-catalog.vended-credentials-enabled': String(options.accessKey === null),
  'iceberg.security': 'READ_ONLY',
  'fs.native-s3.enabled': 'true',
  's3.region': options.region,
  ...(options.endpoint && { 's3.endpoint': options.endpoint, 's3.path-style-access': 'true' }),
  's3.aws-access-key': options.accessKey ?? NOBODY,
  's3.aws-secret-key': options.accessKey === null ? NOBODY : `\${ENV:${secretKeyVariable(options.id)}}`,
})

/** Sample data that is made as it is read. */
export const TPCH_CATALOG: CatalogDefinition = { name: 'tpch', properties: { 'connector.name': 'tpch' } }

export interface RenderedCatalogs {
  /** By the name of each file. */
  readonly files: ReadonlyMap<string, string>
  /** What the files refer to. */
  readonly environment: Readonly<Record<string, string>>
}

/** The statement that makes it in a cluster that runs. Throws a `ClusterRefused`. */
export function createCatalogStatement(name: string, properties: Readonly<Record<string, string>>): string {
  const list = Object.entries(properties).map(
    ([property, value]) => `"${checked(name, property)}" = '${value.replaceAll("'", "''")}'`,
  )
  return `CREATE CATALOG "${requireCatalogName(name)}" USING iceberg WITH (${list.join(', ')})`
}

export const dropCatalogStatement = (name: string): string => `DROP CATALOG "${requireCatalogName(name)}"`

function requireCatalogName(name: string): string {
  if (NAME.test(name)) return name
  throw new ClusterRefused(
    `A catalog of a cluster needs a name of letters without accents, digits and underscores, and ${name} has others.`,
  )
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/
const PROPERTY = /^[a-z][a-z0-9.-]*$/

/** Files of properties for all catalogs, without a secret. Throws a `ClusterRefused`. */
export function renderCatalogs(catalogs: readonly CatalogDefinition[]): RenderedCatalogs {
  const files = new Map<string, string>()
  const environment: Record<string, string> = {}
  for (const { name, properties, secrets = {} } of catalogs) {
    requireCatalogName(name)
    if (files.has(`${name}.properties`))
      throw new ClusterRefused(`There are two catalogs with the name ${name}.`)
    const references = Object.entries(secrets).map(([property, value]) => {
      const variable = `BOATHOUSE_SECRET_${Object.keys(environment).length + 1}`
      environment[variable] = value
      return `${checked(name, property)}=\${ENV:${variable}}`
    })
    const lines = Object.entries(properties).map(
      ([property, value]) => `${checked(name, property)}=${plain(name, property, value)}`,
    )
    files.set(`${name}.properties`, `${[...lines, ...references].join('\n')}\n`)
  }
  return { files, environment }
}

function checked(catalog: string, property: string): string {
  if (PROPERTY.test(property)) return property
  throw new ClusterRefused(`The catalog ${catalog} has a property with an invalid name.`)
}

/** A reference in a value would read a secret of the cluster into a setting that people can see. */
function plain(catalog: string, property: string, value: string): string {
  if (/\$\{|[\0\r\n]/.test(value))
    throw new ClusterRefused(
      `The property ${property} of the catalog ${catalog} must be one line without \${.`,
    )
  return value.replaceAll('\\', '\\\\')
}
