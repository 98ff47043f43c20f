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

/** Sample data that is made as it is read. */
export const TPCH_CATALOG: CatalogDefinition = { name: 'tpch', properties: { 'connector.name': 'tpch' } }

export interface RenderedCatalogs {
  /** By the name of each file. */
  readonly files: ReadonlyMap<string, string>
  /** What the files refer to. */
  readonly environment: Readonly<Record<string, string>>
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/
const PROPERTY = /^[a-z][a-z0-9.-]*$/

/** Files of properties for all catalogs, without a secret. Throws a `ClusterRefused`. */
export function renderCatalogs(catalogs: readonly CatalogDefinition[]): RenderedCatalogs {
  const files = new Map<string, string>()
  const environment: Record<string, string> = {}
  for (const { name, properties, secrets = {} } of catalogs) {
    if (!NAME.test(name))
      throw new ClusterRefused(
        `The catalog ${name} needs a name of lower-case letters, digits and underscores.`,
      )
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
