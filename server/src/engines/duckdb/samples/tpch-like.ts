import { draw, drawCents, drawIn, drawSentence, drawWord, numbered, phone, wordAt } from './draw.ts'
import {
  ADJECTIVES,
  COLOURS,
  CONTAINER_KINDS,
  CONTAINER_SIZES,
  NATIONS,
  NOUNS,
  PREPOSITIONS,
  PRIORITIES,
  REGIONS,
  SEGMENTS,
  SHIP_INSTRUCTIONS,
  SHIP_MODES,
  STREETS,
  TYPE_FINISHES,
  TYPE_METALS,
  TYPE_SIZES,
  VERBS,
} from './vocabulary.ts'

export interface TpchLikeOptions {
  readonly database: string
  /** 1 makes 1.5 million orders with about 6 million lines. */
  readonly scale: number
}

/** `[name, type, expression]` for each column. */
type ColumnDraft = readonly [name: string, type: string, expression: string]

const MONEY = 'DECIMAL(15,2)'
const SHORT_COMMENT = [ADJECTIVES, NOUNS, VERBS]
const LONG_COMMENT = [ADJECTIVES, NOUNS, VERBS, PREPOSITIONS, ADJECTIVES, NOUNS]
const ACCOUNT_BALANCE = { low: -99_999, high: 999_999 }

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

function countsAt(scale: number) {
  if (!(scale >= 0.001 && scale <= 100)) throw new RangeError(`The scale must be 0.001 to 100, not ${scale}.`)
  const times = (count: number): number => Math.round(count * scale)
  return {
    suppliers: times(10_000),
    customers: times(150_000),
    parts: times(200_000),
    orders: times(1_500_000),
    clerks: times(1_000),
  }
}
type Counts = ReturnType<typeof countsAt>

const keysTo = (count: number): string => `range(1, ${count} + 1) AS keys(key)`

/** Four suppliers sell a part, each from another quarter of them, so that they never are the same one. */
const supplierOf = (part: string, place: string, counts: Counts): string => {
  const quarter = Math.floor(counts.suppliers / 4)
  const first = draw(part, 'supplier', counts.suppliers)
  const within = draw(`${part} * 4 + ${place}`, 'supplier in quarter', quarter)
  return `((${first} + ${place} * ${quarter} + ${within}) % ${counts.suppliers} + 1)`
}

const retailPrice = (part: string): string => drawCents(part, 'p_retailprice', { low: 90_000, high: 209_999 })

const partName = (key: string): string => {
  const first = draw(key, 'p_name', COLOURS.length)
  const stride = drawIn(key, 'p_name stride', { low: 1, high: 17 })
  return [0, 1, 2, 3, 4]
    .map((step) => wordAt(COLOURS, `(${first} + ${step} * ${stride}) % ${COLOURS.length}`))
    .join(` || ' ' || `)
}

const address = (key: string, about: string): string =>
  `${drawIn(key, about, { low: 1, high: 499 })} || ' ' || ${drawWord(key, `${about} street`, STREETS)} || ' Lane'`

const REGION: readonly ColumnDraft[] = [
  ['r_regionkey', 'INTEGER', 'key'],
  ['r_name', 'VARCHAR', wordAt(REGIONS, 'key')],
  ['r_comment', 'VARCHAR', drawSentence('key', 'r_comment', LONG_COMMENT)],
]

const NATION: readonly ColumnDraft[] = [
  ['n_nationkey', 'INTEGER', 'key'],
  [
    'n_name',
    'VARCHAR',
    wordAt(
      NATIONS.map(([name]) => name),
      'key',
    ),
  ],
  ['n_regionkey', 'INTEGER', `[${NATIONS.map(([, region]) => region).join(', ')}][1 + key]`],
  ['n_comment', 'VARCHAR', drawSentence('key', 'n_comment', LONG_COMMENT)],
]

/** One supplier in a hundred is complained about and one is recommended. */
const supplierComment = (): string => {
  const sentence = drawSentence('key', 's_comment', LONG_COMMENT)
  const kind = draw('key', 's_comment kind', 100)
  return `CASE ${kind} WHEN 0 THEN 'Customer ' || ${sentence} || ' Complaints'
    WHEN 1 THEN 'Customer ' || ${sentence} || ' Recommends' ELSE ${sentence} END`
}

const SUPPLIER: readonly ColumnDraft[] = [
  ['s_suppkey', 'INTEGER', 'key'],
  ['s_name', 'VARCHAR', numbered('Supplier', 'key')],
  ['s_address', 'VARCHAR', address('key', 's_address')],
  ['s_nationkey', 'INTEGER', draw('key', 's_nationkey', NATIONS.length)],
  ['s_phone', 'VARCHAR', phone('key', 's_phone', draw('key', 's_nationkey', NATIONS.length))],
  ['s_acctbal', MONEY, drawCents('key', 's_acctbal', ACCOUNT_BALANCE)],
  ['s_comment', 'VARCHAR', supplierComment()],
]

const CUSTOMER: readonly ColumnDraft[] = [
  ['c_custkey', 'INTEGER', 'key'],
  ['c_name', 'VARCHAR', numbered('Customer', 'key')],
  ['c_address', 'VARCHAR', address('key', 'c_address')],
  ['c_nationkey', 'INTEGER', draw('key', 'c_nationkey', NATIONS.length)],
  ['c_phone', 'VARCHAR', phone('key', 'c_phone', draw('key', 'c_nationkey', NATIONS.length))],
  ['c_acctbal', MONEY, drawCents('key', 'c_acctbal', ACCOUNT_BALANCE)],
  ['c_mktsegment', 'VARCHAR', drawWord('key', 'c_mktsegment', SEGMENTS)],
  ['c_comment', 'VARCHAR', drawSentence('key', 'c_comment', LONG_COMMENT)],
]

const PART: readonly ColumnDraft[] = [
  ['p_partkey', 'INTEGER', 'key'],
  ['p_name', 'VARCHAR', partName('key')],
  ['p_mfgr', 'VARCHAR', `'Manufacturer#' || ${drawIn('key', 'p_mfgr', { low: 1, high: 5 })}`],
  [
    'p_brand',
    'VARCHAR',
    `'Brand#' || ${drawIn('key', 'p_mfgr', { low: 1, high: 5 })} || ${drawIn('key', 'p_brand', { low: 1, high: 5 })}`,
  ],
  [
    'p_type',
    'VARCHAR',
    [TYPE_SIZES, TYPE_FINISHES, TYPE_METALS]
      .map((words, place) => drawWord('key', `p_type ${place}`, words))
      .join(` || ' ' || `),
  ],
  ['p_size', 'INTEGER', drawIn('key', 'p_size', { low: 1, high: 50 })],
  [
    'p_container',
    'VARCHAR',
    [CONTAINER_SIZES, CONTAINER_KINDS]
      .map((words, place) => drawWord('key', `p_container ${place}`, words))
      .join(` || ' ' || `),
  ],
  ['p_retailprice', MONEY, retailPrice('key')],
  ['p_comment', 'VARCHAR', drawSentence('key', 'p_comment', [ADJECTIVES, NOUNS])],
]

const partSupp = (counts: Counts): readonly ColumnDraft[] => [
  ['ps_partkey', 'INTEGER', 'key'],
  ['ps_suppkey', 'INTEGER', supplierOf('key', 'place', counts)],
  ['ps_availqty', 'INTEGER', drawIn('key * 4 + place', 'ps_availqty', { low: 1, high: 9_999 })],
  ['ps_supplycost', MONEY, drawCents('key * 4 + place', 'ps_supplycost', { low: 100, high: 100_000 })],
  ['ps_comment', 'VARCHAR', drawSentence('key * 4 + place', 'ps_comment', LONG_COMMENT)],
]

/** Eight keys are used and 24 left free, in turn, as room for orders that come later. */
const orderHeads = (counts: Counts): string => `(
  SELECT key // 8 * 32 + key % 8 + 1 AS orderkey,
    DATE '1992-01-01' + ${draw('key', 'o_orderdate', 2406)} AS orderdate
  FROM range(${counts.orders}) AS keys(key)) AS heads`

/** A line is returned or not, open or not, as seen from this day. */
const TODAY = `DATE '1995-06-17'`

/** Values other columns of a line depend on. */
const orderLines = (counts: Counts): string => `(
  SELECT *,
    ${drawIn('line', 'l_partkey', { low: 1, high: counts.parts })} AS partkey,
    ${drawIn('line', 'l_quantity', { low: 1, high: 50 })} AS quantity,
    orderdate + ${drawIn('line', 'l_shipdate', { low: 1, high: 121 })} AS shipdate,
    shipdate + ${drawIn('line', 'l_receiptdate', { low: 1, high: 30 })} AS receiptdate
  FROM (
    SELECT *, orderkey * 8 + linenumber AS line
    FROM (
      SELECT *, unnest(range(1, 2 + ${draw('orderkey', 'lines', 7)})) AS linenumber
      FROM ${orderHeads(counts)}))) AS lines`

const lineItem = (counts: Counts): readonly ColumnDraft[] => [
  ['l_orderkey', 'BIGINT', 'orderkey'],
  ['l_partkey', 'INTEGER', 'partkey'],
  ['l_suppkey', 'INTEGER', supplierOf('partkey', draw('line', 'l_suppkey', 4), counts)],
  ['l_linenumber', 'INTEGER', 'linenumber'],
  ['l_quantity', MONEY, 'quantity'],
  ['l_extendedprice', MONEY, `quantity * ${retailPrice('partkey')}`],
  ['l_discount', MONEY, drawCents('line', 'l_discount', { low: 0, high: 10 })],
  ['l_tax', MONEY, drawCents('line', 'l_tax', { low: 0, high: 8 })],
  [
    'l_returnflag',
    'VARCHAR',
    `CASE WHEN receiptdate > ${TODAY} THEN 'N' ELSE ${drawWord('line', 'l_returnflag', ['A', 'R'])} END`,
  ],
  ['l_linestatus', 'VARCHAR', `CASE WHEN shipdate > ${TODAY} THEN 'O' ELSE 'F' END`],
  ['l_shipdate', 'DATE', 'shipdate'],
  ['l_commitdate', 'DATE', `orderdate + ${drawIn('line', 'l_commitdate', { low: 30, high: 90 })}`],
  ['l_receiptdate', 'DATE', 'receiptdate'],
  ['l_shipinstruct', 'VARCHAR', drawWord('line', 'l_shipinstruct', SHIP_INSTRUCTIONS)],
  ['l_shipmode', 'VARCHAR', drawWord('line', 'l_shipmode', SHIP_MODES)],
  ['l_comment', 'VARCHAR', drawSentence('line', 'l_comment', SHORT_COMMENT)],
]

/** Every third customer never orders. */
const customerOf = (order: string, counts: Counts): string => {
  const place = draw(order, 'o_custkey', counts.customers - Math.floor(counts.customers / 3))
  return `(${place} + ${place} // 2 + 1)`
}

const orders = (counts: Counts): readonly ColumnDraft[] => [
  ['o_orderkey', 'BIGINT', 'orderkey'],
  ['o_custkey', 'INTEGER', customerOf('orderkey', counts)],
  [
    'o_orderstatus',
    'VARCHAR',
    `CASE WHEN last_status = 'F' THEN 'F' WHEN first_status = 'O' THEN 'O' ELSE 'P' END`,
  ],
  ['o_totalprice', MONEY, 'round(total, 2)'],
  ['o_orderdate', 'DATE', 'orderdate'],
  ['o_orderpriority', 'VARCHAR', drawWord('orderkey', 'o_orderpriority', PRIORITIES)],
  ['o_clerk', 'VARCHAR', numbered('Clerk', drawIn('orderkey', 'o_clerk', { low: 1, high: counts.clerks }))],
  ['o_shippriority', 'INTEGER', '0'],
  ['o_comment', 'VARCHAR', drawSentence('orderkey', 'o_comment', LONG_COMMENT)],
]

const orderTotals = (lineItems: string): string => `(
  SELECT l_orderkey,
    sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS total,
    min(l_linestatus) AS first_status,
    max(l_linestatus) AS last_status
  FROM ${lineItems} GROUP BY l_orderkey) AS totals`

/**
 * SQL that makes a database of eight tables shaped like TPC-H's, without TPC-H's own generator or texts. One
 * statement after the other, each of which may be run again; `orders` needs `lineitem`, all others stand alone.
 */
export function tpchLikeStatements({ database, scale }: TpchLikeOptions): string[] {
  const counts = countsAt(scale)
  const named = (table: string): string => `${identifier(database)}.${table}`
  const create = (table: string, columns: readonly ColumnDraft[], from: string): string => {
    const list = columns
      .map(([name, type, expression]) => `  (${expression})::${type} AS ${name}`)
      .join(',\n')
    return `CREATE OR REPLACE TABLE ${named(table)} AS SELECT\n${list}\nFROM ${from}`
  }
  return [
    `CREATE SCHEMA IF NOT EXISTS ${identifier(database)}`,
    create('region', REGION, `range(${REGIONS.length}) AS keys(key)`),
    create('nation', NATION, `range(${NATIONS.length}) AS keys(key)`),
    create('supplier', SUPPLIER, keysTo(counts.suppliers)),
    create('customer', CUSTOMER, keysTo(counts.customers)),
    create('part', PART, keysTo(counts.parts)),
    create(
      'partsupp',
      partSupp(counts),
      `(SELECT key, unnest(range(4)) AS place FROM ${keysTo(counts.parts)})`,
    ),
    create('lineitem', lineItem(counts), orderLines(counts)),
    create(
      'orders',
      orders(counts),
      `${orderHeads(counts)} JOIN ${orderTotals(named('lineitem'))} ON l_orderkey = orderkey ORDER BY orderkey`,
    ),
  ]
}
