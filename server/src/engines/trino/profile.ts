import { setTimeout as sleep } from 'node:timers/promises'
import type { ProfileNode } from '../engine/outcome.ts'
import { objectIn } from './protocol/answer.ts'
import { kindOf } from './operator-kinds.ts'
import type { RemoteQuery } from './protocol/remote-query.ts'

/** The last figures come a moment behind the last row. */
const LOOKS = 20
const PAUSE_MS = 50

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** How a statement ran, by what its cluster knows of it; null where that is nothing. */
export async function profileOf(query: RemoteQuery): Promise<ProfileNode | null> {
  let info = objectIn(await query.info())
  for (let look = 1; info.finalQueryInfo !== true && look < LOOKS; look++) {
    await sleep(PAUSE_MS)
    info = objectIn(await query.info())
  }
  return profileIn(info)
}

/** Of a statement that has ended: the plan of each stage, one below the other, with what its operators took and gave. */
export function profileIn(info: Fields): ProfileNode | null {
  const stages = new Map<string, Stage>()
  collect(fieldsOf(info.outputStage), stages)
  const [first] = stages.values()
  return first ? nodeOf(first.root, first, { stages, depth: 0 }) : null
}

/** The plan of a stage, and what its operators measured, by the nodes of the plan. */
interface Stage {
  readonly root: Fields
  readonly operators: ReadonlyMap<string, readonly Fields[]>
}

/** Deeper than this no plan is shown. */
const DEEPEST = 500

function collect(stage: Fields, stages: Map<string, Stage>): void {
  const plan = fieldsOf(stage.plan)
  const id = textOf(plan.id)
  if (id === '' || stages.size > DEEPEST) return
  stages.set(id, {
    root: objectIn(textOf(plan.jsonRepresentation)),
    operators: byNode(listOf(fieldsOf(stage.stageStats).operatorSummaries)),
  })
  for (const below of listOf(stage.subStages)) collect(below, stages)
}

function byNode(operators: readonly Fields[]): Map<string, Fields[]> {
  const nodes = new Map<string, Fields[]>()
  for (const operator of operators) {
    const id = textOf(operator.planNodeId)
    nodes.set(id, [...(nodes.get(id) ?? []), operator])
  }
  return nodes
}

interface Tree {
  readonly stages: ReadonlyMap<string, Stage>
  readonly depth: number
}

function nodeOf(node: Fields, stage: Stage, { stages, depth }: Tree): ProfileNode {
  const operators = stage.operators.get(textOf(node.id)) ?? []
  const below = depth > DEEPEST ? [] : listOf(node.children)
  const remote = depth > DEEPEST ? [] : sourcesOf(node).flatMap((id) => stages.get(id) ?? [])
  const within = { stages, depth: depth + 1 }
  return {
    operator: textOf(node.name),
    kind: kindOf(textOf(node.name)),
    detail: detailOf(node),
    timeMs: operators.reduce((sum, operator) => sum + wallMs(operator), 0),
    rows: rowsOf(operators),
    ...filterOf(node, operators),
    children: [
      ...below.map((child) => nodeOf(child, stage, within)),
      ...remote.map((source) => nodeOf(source.root, source, within)),
    ],
  }
}

/** Of a node's operators, those that pass rows on within it, or to another stage. */
const PASSING = /(?:Output|Sink|Builder|FilterSource)Operator$/

function rowsOf(operators: readonly Fields[]): number {
  const own = operators.find(({ operatorType }) => !PASSING.test(textOf(operatorType))) ?? operators.at(-1)
  return Number(own?.outputPositions ?? 0)
}

/** Of one that reads a table and filters it: what it read, and whether the table's connector was given nothing of the filter. */
function filterOf({ name, descriptor }: Fields, operators: readonly Fields[]) {
  const { filterPredicate, table } = fieldsOf(descriptor)
  const scan = operators.find(({ operatorType }) => textOf(operatorType).startsWith('ScanFilter'))
  if (!scan || !textOf(name).startsWith('ScanFilter') || textOf(filterPredicate) === '') return {}
  const readRows = Number(scan.inputPositions ?? 0)
  return { readRows, ...(textOf(table).includes(CONSTRAINED) ? {} : { filtersEachRow: true }) }
}

/** In the name of a table, where a part of the filter is about its files. */
const CONSTRAINED = 'constraint on'

/** The stages that a node receives its rows from, as `[1, 2]`. */
const sourcesOf = ({ descriptor }: Fields): readonly string[] =>
  textOf(fieldsOf(descriptor).sourceFragmentIds).match(/\d+/g) ?? []

function detailOf({ descriptor, details }: Fields): string {
  const described = Object.entries(fieldsOf(descriptor)).map(([name, value]) => `${name}: ${textOf(value)}`)
  const more = Array.isArray(details) ? details.map(textOf) : []
  return [...described, ...more].filter((line) => line !== '').join('\n')
}

const wallMs = ({ addInputWall, getOutputWall, finishWall }: Fields): number =>
  [addInputWall, getOutputWall, finishWall].reduce<number>((sum, wall) => sum + milliseconds(wall), 0)

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1e3,
  m: 6e4,
  h: 3.6e6,
  d: 8.64e7,
}

/** Of a text as `12.34ms`. */
function milliseconds(duration: unknown): number {
  const [, count, unit = ''] = /^([\d.]+)([a-z]+)$/.exec(textOf(duration)) ?? []
  return Number(count ?? 0) * (UNITS[unit] ?? 0)
}
