import { expect, test } from 'vitest'
import { createStatementBuffer } from './statement-buffer.ts'
import { statementsOf } from './script.ts'

async function* chunks(...texts: string[]) {
  yield* texts
}

async function statements(...texts: string[]): Promise<string[]> {
  const found: string[] = []
  for await (const one of statementsOf(chunks(...texts))) found.push(one)
  return found
}

test('semicolons in quotes, comments and dollar quotes end nothing, however the text is cut', async () => {
  const text = `select ';', "a;b" /* ; */ -- ;\n, $$ ; $$;; select 2 ;\n-- the end;`
  const expected = [`select ';', "a;b" /* ; */ -- ;\n, $$ ; $$`, 'select 2']
  expect(await statements(text)).toEqual(expected)
  expect(await statements(...text.split(''))).toEqual(expected)
})

test('the last statement needs no semicolon, and comments alone are left out', async () => {
  expect(await statements('select 1; select', ' 2')).toEqual(['select 1', 'select 2'])
  expect(await statements('-- nothing\n/* here */ ; ;')).toEqual([])
})

test('what never ends is refused before it fills the memory', () => {
  const buffer = createStatementBuffer()
  expect(() => buffer.add(`select '${'x'.repeat(1024 * 1024)}`)).toThrow('Is a semicolon or a quote missing?')
})
