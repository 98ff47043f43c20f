import { expect, test } from 'vitest'
import { HERE, openProgram } from '../../../testing/client-kit.ts'
import { startApp } from '../../../testing/start-app.ts'

const CONNECTOR_J = `/* mysql-connector-j-9.1.0 (Revision: cf2917ea) */SELECT  @@session.auto_increment_increment AS auto_increment_increment, @@character_set_client AS character_set_client, @@character_set_connection AS character_set_connection, @@character_set_results AS character_set_results, @@character_set_server AS character_set_server, @@collation_server AS collation_server, @@collation_connection AS collation_connection, @@init_connect AS init_connect, @@interactive_timeout AS interactive_timeout, @@license AS license, @@lower_case_table_names AS lower_case_table_names, @@max_allowed_packet AS max_allowed_packet, @@net_write_timeout AS net_write_timeout, @@performance_schema AS performance_schema, @@query_cache_size AS query_cache_size, @@query_cache_type AS query_cache_type, @@sql_mode AS sql_mode, @@system_time_zone AS system_time_zone, @@time_zone AS time_zone, @@tx_isolation AS transaction_isolation, @@wait_timeout AS wait_timeout`

async function connected() {
  const app = await startApp({})
  const admin = await app.admin()
  const connection = await openProgram(app, admin)
  const ask = async (sql: string) => {
    const [answer] = await connection.run(sql)
    return answer?.code === 'Ok' ? answer.result : answer?.message
  }
  return { admin, connection, ask }
}

test('what a client asks first is answered while the warehouse stays suspended', async () => {
  const { admin, connection, ask } = await connected()
  const state = async () => {
    const shown = await ask('SHOW WAREHOUSES')
    const at =
      typeof shown === 'object' && shown ? shown.columns.findIndex(({ name }) => name === 'State') : -1
    return typeof shown === 'object' && shown ? shown.rows[0]?.[at] : shown
  }
  await connection.run('SUSPEND WAREHOUSE default_warehouse')
  const suspended = await state()
  await connection.run(`SET sql_dialect = 'mysql'`)
  expect(await ask(CONNECTOR_J)).toMatchObject({
    columns: expect.arrayContaining([
      expect.objectContaining({ name: 'auto_increment_increment', type: 'BIGINT' }),
      expect.objectContaining({ name: 'transaction_isolation', type: 'VARCHAR' }),
    ]),
    rows: [expect.arrayContaining(['utf8mb4', 'REPEATABLE-READ', 'UTC'])],
  })
  expect(await ask('select @@version_comment limit 1')).toMatchObject({ rows: [['Boathouse']] })
  expect(await ask('select DATABASE(), USER() limit 1')).toMatchObject({
    columns: [{ name: 'DATABASE()' }, { name: 'USER()' }],
    rows: [['main', `${admin.name}@${HERE}`]],
  })
  expect(await ask('SELECT CONNECTION_ID() AS id, LAST_INSERT_ID(), CURRENT_USER, SCHEMA()')).toMatchObject({
    rows: [[String(connection.id), '0', `${admin.name}@%`, 'main']],
  })
  expect(await ask('SELECT @@version, VERSION(), current_version()')).toMatchObject({
    rows: [['8.0.33', '8.0.33', '8.0.33']],
  })
  expect(await ask('SELECT @@version LIMIT 0')).toMatchObject({ rows: [] })
  expect(await state()).toBe(suspended)
  await ask('SELECT 1')
  expect(await state()).not.toBe(suspended)
})

test('a variable that does not exist is refused where it is written, and functions of others stay those of the engine', async () => {
  const { connection, ask } = await connected()
  expect(await ask('SELECT @@nothing_like_it')).toContain('The variable nothing_like_it does not exist')
  const described = await connection.describe('SELECT @@max_allowed_packet AS m, @@version')
  expect(described.columns).toMatchObject([
    { name: 'm', type: 'BIGINT' },
    { name: '@@version', type: 'VARCHAR' },
  ])
})
