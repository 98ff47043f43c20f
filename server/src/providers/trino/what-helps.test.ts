import { expect, test } from 'vitest'
import { whatHelps } from './what-helps.ts'

test('of 2,000 lines the ones remain that say what is wrong', () => {
  const stack = Array.from({ length: 2000 }, (_, line) => `\tat io.example.Thing.run(Thing.java:${line})`)
  const message = [
    'io.airlift.bootstrap.ApplicationConfigurationException: Configuration errors:',
    '',
    "1) Error: Configuration property 'hive.color' was not used",
    ...stack,
    "2) Error: Invalid value 'x' for type int (property 'iceberg.max')",
    ...stack,
  ].join('\n')
  const help = whatHelps(message)
  expect(help).toContain("Configuration property 'hive.color' was not used")
  expect(help).toContain("Invalid value 'x' for type int")
  expect(help).not.toContain('Thing.java')
  expect(help.length).toBeLessThanOrEqual(401)
})

test('a short message stays as it is, and nothing stays nothing', () => {
  expect(whatHelps('line 1:8: Column x cannot be resolved')).toBe('line 1:8: Column x cannot be resolved')
  expect(whatHelps(' \n ')).toBe('')
})
