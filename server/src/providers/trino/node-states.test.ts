import { expect, test } from 'vitest'
import { NodeStates } from './node-states.ts'
import { identify } from './process-identity.ts'

const NODE = {
  id: 'worker-1',
  isCoordinator: false,
  port: 1,
  heapBytes: 512,
  pid: 2 ** 30,
  startedAt: 'never',
  launchedAt: 1_000,
} as const

test('a node starts until it has answered, and is silent when it has not for a while', () => {
  const states = new NodeStates()
  const now = Date.now()
  const stateOf = (answeredAt: number, hasAnswered: boolean) =>
    states.of(NODE, { answeredAt, hasAnswered }).state
  expect(stateOf(now, false)).toBe('starting')
  expect(stateOf(now, true)).toBe('running')
  expect(stateOf(now - 60_000, true)).toBe('silent')
  expect(states.of(NODE, { answeredAt: now, hasAnswered: true })).toMatchObject({
    name: 'worker-1',
    role: 'worker',
    memoryBytes: 512,
    startedAt: new Date(1_000),
    cpuPercent: null,
  })
})

test('what a process uses is known from the second look on, and nothing of one that has ended', async () => {
  const states = new NodeStates()
  const node = { ...NODE, ...(await identify(process.pid)) }
  const percent = () => states.of(node, { answeredAt: Date.now(), hasAnswered: true }).cpuPercent
  expect(await states.look(node)).toBe(true)
  expect(percent()).toBeNull()
  await expect.poll(async () => (await states.look(node)) && percent()).toEqual(expect.any(Number))
  expect(await states.look(NODE)).toBe(false)
})
