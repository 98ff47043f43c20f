import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { escapeIdentifier, escapeLiteral, type Pool } from 'pg'
import { errorCode } from './error-code.ts'

/** Names of Iceberg tables, in the form that its JDBC catalogs have, version 1. */
const TABLES = `
  create table if not exists iceberg_tables (
    catalog_name varchar(255) not null,
    table_namespace varchar(255) not null,
    table_name varchar(255) not null,
    metadata_location varchar(1000),
    previous_metadata_location varchar(1000),
    iceberg_type varchar(5),
    primary key (catalog_name, table_namespace, table_name)
  );
  create table if not exists iceberg_namespace_properties (
    catalog_name varchar(255) not null,
    namespace varchar(255) not null,
    property_key varchar(255) not null,
    property_value varchar(1000),
    primary key (catalog_name, namespace, property_key)
  );
  -- Of the service alone: which of its statements took effect in the tables above.
  create table if not exists service_changes (
    query_id text primary key,
    at timestamptz not null default now()
  );`
const CONNECTIONS = 12
const ITERATIONS = 4096
const NO_PRIVILEGE = '42501'

/** The schema with the names of an account's Iceberg tables. */
export const lakeSchemaOf = (accountId: string): string => `iceberg_${accountId.toLowerCase()}`
const roleOf = (clusterId: string): string => `boathouse_${clusterId.replaceAll('-', '').toLowerCase()}`

export interface ClusterCatalog {
  readonly schema: string
  readonly role: string
}

/** This user of the database may not make roles. */
class RolesRefused extends Error {
  override readonly name = 'RolesRefused'
}

/**
 * The names of an account's Iceberg tables, in a schema of their own, and the role of one cluster, which can read and write
 * these and nothing else in the database.
 */
export async function openClusterCatalog(
  pool: Pool,
  { accountId, clusterId, password }: { accountId: string; clusterId: string; password: string },
): Promise<ClusterCatalog> {
  const catalog = { schema: lakeSchemaOf(accountId), role: roleOf(clusterId) }
  const [schema, role] = [catalog.schema, catalog.role].map(escapeIdentifier)
  const verifier = await scramVerifier(password)
  const client = await pool.connect()
  try {
    await client.query('begin')
    // Clusters of an account may start at the same moment.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [catalog.schema])
    await client.query(`create schema if not exists ${schema}`)
    await client.query(`set local search_path = ${schema}`)
    await client.query(TABLES)
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [catalog.role])
    const rights = `login nosuperuser nocreatedb nocreaterole nobypassrls connection limit ${CONNECTIONS}`
    await client.query(
      `${rowCount ? 'alter' : 'create'} role ${role} with ${rights} password ${escapeLiteral(verifier)}`,
    )
    await client.query(`grant usage on schema ${schema} to ${role}`)
    await client.query(
      `grant select, insert, update, delete on iceberg_tables, iceberg_namespace_properties to ${role}`,
    )
    await client.query('commit')
    return catalog
  } catch (error) {
    await client.query('rollback')
    if (errorCode(error) !== NO_PRIVILEGE) throw error
    throw new RolesRefused(
      'The user in DATABASE_URL must be able to make schemas and roles (CREATE on the database, CREATEROLE), for the catalogs of clusters.',
      { cause: error },
    )
  } finally {
    client.release()
  }
}

/** The cluster is gone for good. */
export async function removeClusterRole(pool: Pool, clusterId: string): Promise<void> {
  const role = roleOf(clusterId)
  const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [role])
  if (!rowCount) return
  await pool.query(`drop owned by ${escapeIdentifier(role)}; drop role ${escapeIdentifier(role)}`)
}

/** Whether the account has given this name to a catalog of its own. */
export async function hasCatalogNamed(pool: Pool, accountId: string, name: string): Promise<boolean> {
  // The name itself, where nothing is called so.
  const { rows } = await pool.query<{ known: boolean }>('select catalog_id_of($1, $2) <> $2 as known', [
    accountId,
    name,
  ])
  return rows[0]?.known ?? false
}

/** With all names of its tables. */
export async function removeClusterCatalog(pool: Pool, accountId: string): Promise<void> {
  await pool.query(`drop schema if exists ${escapeIdentifier(lakeSchemaOf(accountId))} cascade`)
}

/** What the database keeps of a password (RFC 5803): the password itself reaches no log of it. */
async function scramVerifier(password: string): Promise<string> {
  const salt = randomBytes(16)
  const salted = await promisify(pbkdf2)(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}
