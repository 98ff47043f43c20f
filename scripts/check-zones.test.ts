import { expect, test } from 'vitest'
import { mutualProblems, problemWith } from './check-zones.mjs'

test.each([
  ['console/src/lib/send.ts', '@boathouse/contract'],
  ['console/src/features/editor/running/run.ts', '@boathouse/contract/contract'],
  ['console/src/app/router.tsx', '../../../packages/contract/src/index.ts'],
])('a page does not import the whole contract: %s from %s', (file, specifier) => {
  expect(problemWith(file, specifier)).toBe('is the whole of it: import the part that is needed')
})

test.each([
  ['console/src/lib/send.ts', '@boathouse/contract/call'],
  ['console/src/features/editor/running/run.ts', '@boathouse/contract/editor'],
  ['console/src/testing/stub-server.ts', '@boathouse/contract'],
  ['server/src/doors/http/calls.ts', '@boathouse/contract'],
])(
  'a part of the contract is for everyone, the whole for services and tests: %s from %s',
  (file, specifier) => {
    expect(problemWith(file, specifier)).toBeNull()
  },
)

test.each([
  ['server/src/kernel/app-error.ts', '../store/schema.ts', 'may not be imported from server/src/kernel'],
  ['console/src/features/home/home-page.tsx', '../editor/running/run.ts', 'is a stranger to it'],
  ['console/src/features/home/home-page.tsx', 'fastify', 'stays behind server/src/doors/http'],
  ['server/src/modules/sso/service.ts', '../user/store.ts', 'is not offered by that module'],
  [
    'server/src/modules/query/running/execution.ts',
    '../../user/known-logins.ts',
    'is not offered by that module',
  ],
  [
    'server/src/modules/query/running/service-statement.ts',
    '../../schema/catalogs/catalogs.ts',
    'is built upon this module, and not the other way round',
  ],
  ['cli/src/boathouse.ts', '@boathouse/server/build', 'is not a public part of that package'],
])('an import that crosses a wall is refused: %s from %s', (file, specifier, problem) => {
  expect(problemWith(file, specifier)).toBe(problem)
})

test.each([
  ['server/src/modules/sso/service.ts', '../user/service.ts'],
  ['server/src/modules/org/open-account.ts', '../audit/record.ts'],
  ['server/src/modules/query/running/execution.ts', '../store.ts'],
  ['server/src/modules/user/user.test.ts', '../org/store.ts'],
  ['server/src/doors/realtime/door.ts', '../../modules/query/requester.ts'],
])('a module knows itself and what others offer, a door and a test more: %s from %s', (file, specifier) => {
  expect(problemWith(file, specifier)).toBeNull()
})

const WAREHOUSE = 'server/src/modules/warehouse'
const BUDGET = 'server/src/modules/budget'
const forth = { file: `${BUDGET}/alerts.ts`, specifier: '../warehouse/service.ts' }
const back = { file: `${WAREHOUSE}/service.ts`, specifier: '../budget/limits.ts' }

test('two modules that import each other are refused, at both ends', () => {
  expect(mutualProblems([forth, back])).toEqual([
    `${BUDGET}/alerts.ts: '../warehouse/service.ts' is of a module that imports budget`,
    `${WAREHOUSE}/service.ts: '../budget/limits.ts' is of a module that imports warehouse`,
  ])
})

test('one direction is fine, whatever tests import', () => {
  const inTest = { ...back, file: `${WAREHOUSE}/usage.test.ts` }
  expect(mutualProblems([forth, forth, inTest])).toEqual([])
})
