import { expect, test } from 'vitest'
import { profileIn } from './profile.ts'

interface PlanNode {
  readonly id: string
  readonly name: string
  readonly descriptor?: Readonly<Record<string, string>>
  readonly details?: readonly string[]
  readonly children?: readonly PlanNode[]
}

const operator = (planNodeId: string, operatorType: string, wall: string, outputPositions: number) => ({
  planNodeId,
  operatorType,
  addInputWall: wall,
  getOutputWall: '0.00ns',
  finishWall: '1.00ms',
  outputPositions,
})

const stage = (
  id: string,
  root: PlanNode,
  { operators, subStages = [] }: { operators: readonly object[]; subStages?: readonly object[] },
) => ({
  plan: { id, jsonRepresentation: JSON.stringify(root) },
  stageStats: { operatorSummaries: operators },
  subStages,
})

test('is one tree of all stages, with what the operators of each node took and gave', () => {
  const scan = stage(
    '1',
    { id: '1', name: 'TableScan', descriptor: { table: 'lake:main.t' }, details: ['i := 1:i:bigint'] },
    {
      operators: [
        operator('1', 'TableScanOperator', '3.99s', 7),
        operator('1', 'TaskOutputOperator', '2.00us', 0),
      ],
    },
  )
  const source = { id: '9', name: 'RemoteSource', descriptor: { sourceFragmentIds: '[1]' } }
  const output = stage(
    '0',
    { id: '20', name: 'Output', children: [source] },
    { operators: [operator('20', 'TaskOutputOperator', '1.50m', 7)], subStages: [scan] },
  )
  expect(profileIn({ outputStage: output })).toEqual({
    operator: 'Output',
    kind: 'output',
    detail: '',
    timeMs: 90_001,
    rows: 7,
    children: [
      {
        operator: 'RemoteSource',
        kind: 'exchange',
        detail: 'sourceFragmentIds: [1]',
        timeMs: 0,
        rows: 0,
        children: [
          {
            operator: 'TableScan',
            kind: 'scan',
            detail: 'table: lake:main.t\ni := 1:i:bigint',
            timeMs: expect.closeTo(3992.002, 3),
            rows: 7,
            children: [],
          },
        ],
      },
    ],
  })
})

test('is nothing of a statement that had no plan', () => {
  expect(profileIn({})).toBeNull()
})
