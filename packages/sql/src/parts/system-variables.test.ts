import { expect, test } from 'vitest'
import { readStatement } from '../statement.ts'
import { systemVariables } from './system-variables.ts'

test('variables are found with their places', () => {
  expect(systemVariables(readStatement('select @@Version, @@global.x'))).toEqual([
    { name: 'version', offset: 7 },
    { name: 'x', offset: 18 },
  ])
})
