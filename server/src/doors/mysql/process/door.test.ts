import type { TLSSocket } from 'node:tls'
import { createConnection } from 'mysql2/promise'
import { onTestFinished, expect, it } from 'vitest'
import { TEXT } from '../../../engines/engine/columns.ts'
import {
  type ScriptedServer,
  batchOf,
  column,
  scriptedServer,
  testSettings,
} from './testing/scripted-server.ts'
import { selfSigned } from './testing/self-signed.ts'

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

it('takes TLS 1.2, and no version before it from a client that offers nothing newer', async () => {
  const server = await scriptedServer()
  // What OpenSSL itself would refuse today is allowed to the client.
  const only = (version: string) => ({
    ssl: {
      rejectUnauthorized: false,
      ciphers: 'DEFAULT@SECLEVEL=0',
      minVersion: version,
      maxVersion: version,
    },
  })
  for (const version of ['TLSv1', 'TLSv1.1'])
    await expect(connect(server, only(version))).rejects.toThrow('alert protocol version')
  await connect(server, only('TLSv1.2'))
})

it('signs in without TLS by the public key', async () => {
  const server = await scriptedServer()
  server.answer = () => [{ columns: [column('a', TEXT)], batches: [batchOf([['ä'], [null]])] }]
  const connection = await connect(server, {})
  expect((await connection.query('select a'))[0]).toEqual([{ a: 'ä' }, { a: null }])
})

it('shows a renewed certificate to the next client, and keeps the last that can be used', async () => {
  const server = await scriptedServer()
  const shown = async (): Promise<unknown> => {
    const { connection } = (await connect(server)) as unknown as { connection: { stream: TLSSocket } }
    return connection.stream.getPeerCertificate().subject.CN
  }
  expect(await shown()).toBe('first')
  const renewed = { ...testSettings(), ...selfSigned('second') }
  server.send({ kind: 'settings', settings: renewed })
  expect(await shown()).toBe('second')
  server.send({ kind: 'settings', settings: { ...renewed, certificate: 'no certificate' } })
  await connect(server)
  expect((await server.until('trouble')).message).toContain('certificate')
})
