import { createConnection } from 'mysql2/promise'
import { onTestFinished, expect, it } from 'vitest'
import { TEXT } from '../../../engines/engine/columns.ts'
import { type ScriptedServer, batchOf, column, scriptedServer } from './testing/scripted-server.ts'

const LOGIN = { host: '127.0.0.1', user: 'ACME.lea', password: 'secret' }
const OVER_TLS = { ssl: { rejectUnauthorized: false } }

async function connect(server: ScriptedServer, more: object = OVER_TLS) {
  const connection = await createConnection({ ...LOGIN, port: server.port, ...more })
  onTestFinished(() => connection.destroy())
  return connection
}

const ONE = {
  columns: [column('1', { kind: 'integer', bits: 32, isSigned: true })],
  batches: [batchOf([['1']])],
}

it('signs in over TLS with the password, and then with a scramble', async () => {
  const server = await scriptedServer()
  server.answer = () => [ONE]
  const first = await connect(server)
  expect((await first.query('select 1'))[0]).toEqual([{ 1: 1 }])
  const second = await connect(server)
  expect((await second.query('select 1'))[0]).toEqual([{ 1: 1 }])
  const proofs = server.received.flatMap((message) =>
    message.kind === 'sign-in' ? [message.proof.kind] : [],
  )
  expect(proofs).toEqual(['sha2-scramble', 'password', 'sha2-scramble'])
})

it('signs in without TLS by the public key', async () => {
  const server = await scriptedServer()
  server.answer = () => [{ columns: [column('a', TEXT)], batches: [batchOf([['ä'], [null]])] }]
  const connection = await connect(server, {})
  expect((await connection.query('select a'))[0]).toEqual([{ a: 'ä' }, { a: null }])
})
