import { expect, test } from 'vitest'
import { fileOfPasted } from './pasted-file.ts'

test('cells with tabs between them become a file of its own kind, with one line for each row', async () => {
  const file = fileOfPasted('id\tport\r\n1\tOslo\r\n\r\n', 7)
  expect([file.name, file.lastModified, await file.text()]).toEqual(['pasted.tsv', 7, 'id\tport\n1\tOslo\n'])
})

test('a text without tabs is one with commas or the like', () => {
  expect(fileOfPasted('id,port\n1,Oslo', 7).name).toBe('pasted.csv')
})
