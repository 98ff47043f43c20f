import { expect, test } from 'vitest'
import type { ProfileNode } from '../../engine/outcome.ts'
import { readPlan } from './read-plan.ts'

const DRAWN = `
┌───────────────────────────┐
│         PROJECTION        │
│    ────────────────────   │
│__internal_decompress_integ│
│     ral_bigint(#0, 0)     │
│             #1            │
│                           │
│         ~1,200 rows       │
└─────────────┬─────────────┘
┌─────────────┴─────────────┐
│         HASH_JOIN         │
│    ────────────────────   │
│      Join Type: INNER     │
│                           ├──────────────┐
│     Conditions: i = j     │              │
│          ~0 rows          │              │
└─────────────┬─────────────┘              │
┌─────────────┴─────────────┐┌─────────────┴─────────────┐
│           FILTER          ││           UNION           │
│    ────────────────────   ││                           ├───────────────────────────────────────────┐
│          (i <= 9)         ││                           │                                           │
└─────────────┬─────────────┘└─────────────┬─────────────┘                                           │
┌─────────────┴─────────────┐┌─────────────┴─────────────┐                             ┌─────────────┴─────────────┐
│          SEQ_SCAN         ││         HASH_JOIN         │                             │         PROJECTION        │
│    ────────────────────   ││    ────────────────────   ├──────────────┐              │    ────────────────────   │
│    Table: memory.main.a   ││     Conditions: j = k     │              │              │             5             │
└───────────────────────────┘└─────────────┬─────────────┘              │              └─────────────┬─────────────┘
                             ┌─────────────┴─────────────┐┌─────────────┴─────────────┐┌─────────────┴─────────────┐
                             │          SEQ_SCAN         ││          SEQ_SCAN         ││         DUMMY_SCAN        │
                             │    Table: memory.main.b   ││    Table: memory.main.d   ││           ~1 row          │
                             └───────────────────────────┘└───────────────────────────┘└───────────────────────────┘
`

const shape = ({ operator, children }: ProfileNode): string =>
  children.length > 0 ? `${operator}(${children.map(shape).join(' ')})` : operator

const TREE = 'HASH_JOIN(FILTER(SEQ_SCAN) UNION(HASH_JOIN(SEQ_SCAN SEQ_SCAN) PROJECTION(DUMMY_SCAN)))'

test('boxes are read as the tree that they draw, with the rows that are expected', () => {
  const plan = readPlan(DRAWN)
  expect(plan && shape(plan)).toBe(TREE)
  expect(plan).toMatchObject({
    kind: 'join',
    detail: 'Join Type: INNER\nConditions: i = j',
    rows: 0,
    isEstimate: true,
    timeMs: null,
    folded: 1,
  })
})

const ANALYSED = `
┌─────────────────────────────────────┐
│┌───────────────────────────────────┐│
││    Query Profiling Information    ││
│└───────────────────────────────────┘│
└─────────────────────────────────────┘
EXPLAIN ANALYZE select 1
┌───────────────────────────┐
│           QUERY           │
└─────────────┬─────────────┘
┌─────────────┴─────────────┐
│      EXPLAIN_ANALYZE      │
│    ────────────────────   │
│           0 rows          │
│           0.00s           │
└─────────────┬─────────────┘
┌─────────────┴─────────────┐
│         TABLE_SCAN        │
│    ────────────────────   │
│    Table: memory.main.a   │
│                           │
│           6 rows          │
│          (1.25s)          │
└───────────────────────────┘
`

test('of one that ran, what really came out and how long it took, without the frame around it', () => {
  expect(readPlan(ANALYSED)).toEqual({
    operator: 'TABLE_SCAN',
    kind: 'scan',
    detail: 'Table: memory.main.a',
    timeMs: 1250,
    rows: 6,
    children: [],
  })
})

test('of several plans it is the last', () => {
  expect(readPlan(`${DRAWN}\n${ANALYSED}`)?.operator).toBe('TABLE_SCAN')
})

test('JSON is read as well, as it is planned and as it ran', () => {
  const planned = [
    {
      name: 'PROJECTION',
      extra_info: { Projections: ['a', 'b'], 'Estimated Cardinality': '20' },
      children: [{ name: 'SEQ_SCAN ', extra_info: { Table: 't' }, children: [] }],
    },
  ]
  expect(readPlan(JSON.stringify(planned))).toMatchObject({
    operator: 'PROJECTION',
    detail: 'Projections: a, b',
    rows: 20,
    isEstimate: true,
    children: [{ operator: 'SEQ_SCAN', detail: 'Table: t', rows: null }],
  })
  const ran = {
    query_name: 'select 1',
    children: [
      {
        operator_type: 'EXPLAIN_ANALYZE',
        children: [
          {
            operator_name: 'SEQ_SCAN',
            operator_timing: 0.002,
            operator_cardinality: 6,
            extra_info: { 'Estimated Cardinality': '9' },
            children: [],
          },
        ],
      },
    ],
  }
  expect(readPlan(JSON.stringify(ran))).toMatchObject({
    operator: 'SEQ_SCAN',
    timeMs: 2,
    rows: 6,
  })
  expect(readPlan(JSON.stringify(ran))).not.toHaveProperty('isEstimate')
})

test.each(['', 'no plan', '{', '[]', 'null', '[1, 2]', '{"children": 3}', '┌───┐\n│ a │\n└───┘'])(
  'what is no plan is none: %j',
  (text) => {
    expect(readPlan(text)).toBeNull()
  },
)
