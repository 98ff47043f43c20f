import { callAs, openSession } from '@boathouse/client'
import { budget, firewall, vpce, warehouse } from '@boathouse/contract'
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

/** What an account holds by its second week; whatever the statements say, in the order that they need. */
export async function makeRealisticData(product: Product): Promise<{ warehouseId: string; queryId: string }> {
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
  return { warehouseId, queryId }
}
