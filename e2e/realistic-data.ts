import { callAs, openSession } from '@boathouse/client'
import { budget, dashboard, editor, firewall, schedule, vpce, warehouse } from '@boathouse/contract'
import { expect } from '@playwright/test'
import { WebSocket } from 'ws'
import { logIn } from './ask.ts'
import type { Product } from './product.ts'

/** Names and texts as long as people make them. */
export const LONG = {
  statement: `select l_returnflag, l_linestatus, sum(l_quantity) as sum_qty, sum(l_extendedprice) as sum_base_price,
    sum(l_extendedprice * (1 - l_discount)) as sum_disc_price, avg(l_quantity) as avg_qty, count(*) as count_order
    from sample.lineitem where l_shipdate <= date '1998-09-02' group by all order by all`,
  user: 'alexandra.fitzgerald-montgomery',
  role: 'quarterly_revenue_reporting_readers',
  database: 'sales_of_the_northern_region',
  table: 'orders_with_their_customers_and_nations',
  warehouse: 'nightly_reports_and_dashboards',
  dashboard: 'Orders, revenue and returns of the north, by month and nation',
  query: 'revenue_of_the_northern_region',
} as const

const place = `${LONG.database}.${LONG.table}`

const MADE = [
  LONG.statement,
  `create database ${LONG.database}`,
  `create table ${place} as
    select o_orderkey as order_id, o_orderdate as ordered_on, o_orderpriority as priority, o_totalprice as total,
    o_comment as what_the_customer_said_when_ordering from sample.orders limit 1000`,
  `comment on table ${place} is 'One row for each order, with the name of who ordered and the nation they are from'`,
  `create view ${LONG.database}.by_month as select date_trunc('month', ordered_on) as month, count(*) as orders
    from ${place} group by all`,
  `create role ${LONG.role} comment 'Those who read the revenue of a quarter before it is published to the board'`,
  `grant select on ${place} to role ${LONG.role}`,
  `grant select on all tables in database sample to role ${LONG.role}`,
  `create user '${LONG.user}' identified by 'Rowing_2026'`,
  `grant ${LONG.role} to user '${LONG.user}'`,
  `select count(*) from ${place}`,
]

const BY_NATION = `select n_name as nation, sum(c_acctbal) as balance_of_all_customers
  from sample.customer join sample.nation on n_nationkey = c_nationkey group by all order by 2 desc`

const TILES = [
  { title: 'Balance of all customers, by their nation', kind: 'chart', sql: BY_NATION },
  { title: 'The same, as a table with all of its nations', kind: 'table', sql: BY_NATION },
  { title: 'Customers', kind: 'number', sql: 'select count(*) as customers from sample.customer' },
  { title: 'About', kind: 'text', text: 'Counted each morning, from what the ships have reported at night.' },
] as const

type Login = Awaited<ReturnType<typeof logIn>>

/** Refreshed, with a tile of every kind. */
async function makeDashboard(login: Login): Promise<string> {
  const { dashboardId } = (await callAs(login, dashboard.create, { name: LONG.dashboard })).dashboard
  for (const tile of TILES) await callAs(login, dashboard.addTile, { dashboardId, tile })
  await callAs(login, dashboard.refresh, { dashboardId })
  const kept = async () =>
    (await callAs(login, dashboard.results, { dashboardId })).results.filter(({ runId }) => runId).length
  await expect.poll(kept).toBe(TILES.length - 1)
  return dashboardId
}

async function makeSchedule(login: Login): Promise<void> {
  const { tabId } = await callAs(login, editor.createTab, { tabName: LONG.query, sql: BY_NATION })
  await callAs(login, schedule.save, {
    tabId,
    cron: '15,45 6-9 * * 1-5',
    timeZone: 'America/Argentina/Buenos_Aires',
  })
}

export interface RealisticData {
  readonly warehouseId: string
  readonly queryId: string
  readonly dashboardId: string
}

/** What an account holds by its second week; whatever the statements say, in the order that they need. */
export async function makeRealisticData(product: Product): Promise<RealisticData> {
  const login = await logIn(product)
  const session = await openSession(login, { WebSocket })
  let queryId = ''
  for (const [at, sql] of MADE.entries()) {
    const { queryId: id } = await session.run(sql)
    if (at === 0) queryId = id
  }
  await session.run('select missing_column from sample.nation').catch(() => undefined)
  session.close()
  const { warehouseId } = await callAs(login, warehouse.create, {
    name: LONG.warehouse,
    description: 'What the reports of the night run on, and the dashboards that people open in the morning',
  })
  await callAs(login, budget.set, { usd: '250', accountId: product.accountId })
  await callAs(login, firewall.createRule, {
    name: 'Offices in Rotterdam, Lisbon and Valparaíso',
    addresses: '192.0.2.0/24, 198.51.100.17, 203.0.113.0/28, 198.51.100.64/26',
    enabled: false,
  })
  await callAs(login, vpce.create, {
    endpointId: 'vpce-0a1b2c3d4e5f67890',
    awsAccountId: '123456789012',
    region: 'local-1',
    connectionType: 'sql',
  })
  await makeSchedule(login)
  return { warehouseId, queryId, dashboardId: await makeDashboard(login) }
}
