import { expect, it } from 'vitest'
import { PreparedStatements } from './prepared-statements.ts'

it('joins the parts of a value, and keeps no object for each of them', () => {
  const statements = new PreparedStatements(1024)
  const statement = statements.add('SELECT ?', 1)
  const packet = Buffer.from('x')
  for (let part = 0; part < 1000; part++) statements.keepLongData(statement, 0, packet)
  for (let part = 0; part < 1000; part++) statements.keepLongData(statement, 0, Buffer.alloc(0))
  const kept = statement.longData.get(0)
  expect(kept?.bytes.toString()).toBe('x'.repeat(1000))
  // A client could send parts without end: what is kept of them is one piece, at most twice as long.
  expect(kept?.bytes.buffer.byteLength).toBeLessThanOrEqual(2000)
})

it('keeps no memory of a packet, which is used for others', () => {
  const statements = new PreparedStatements(1024)
  const statement = statements.add('SELECT ?', 1)
  const packet = Buffer.from('first')
  statements.keepLongData(statement, 0, packet)
  packet.fill('-')
  statements.keepLongData(statement, 0, Buffer.from(' second'))
  expect(statement.longData.get(0)?.bytes.toString()).toBe('first second')
})
