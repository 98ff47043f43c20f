import { expect, test } from 'vitest'
import { queryEndpointOf } from './query-endpoint.ts'

const MYSQL = { host: '0.0.0.0', port: 0, requiresTls: true, allowsLocalFiles: true, files: null }
const door = (state: 'listening' | 'starting' | 'in trouble', port = 9030) => ({
  state,
  endpoint: { host: '0.0.0.0', port, listening: state === 'listening' },
})

test('an endpoint on all addresses has the name by which the service is reached, where one is configured', () => {
  const at = (publicUrl: string | undefined) =>
    queryEndpointOf(door('listening'), { mysql: MYSQL, publicUrl }).host
  expect(at('https://boats.example:8443/')).toBe('boats.example')
  expect(at(undefined)).toBe('')
})

test('an endpoint on one address has that address, whatever the service is called', () => {
  const mysql = { ...MYSQL, host: '127.0.0.1' }
  expect(queryEndpointOf(door('listening'), { mysql, publicUrl: 'https://boats.example' }).host).toBe(
    '127.0.0.1',
  )
})

test('the port is the one that was taken, and whose the certificate is is said', () => {
  const of = (files: { certificate: string; key: string } | null) =>
    queryEndpointOf(door('listening', 41_312), { mysql: { ...MYSQL, files }, publicUrl: undefined })
  expect(of(null)).toMatchObject({ port: 41_312, listening: true, absence: null, ownCertificate: true })
  expect(of({ certificate: 'a.pem', key: 'b.pem' })).toMatchObject({ ownCertificate: false })
})

test('an endpoint that does not listen says why', () => {
  const why = (...[of, mysql]: [ReturnType<typeof door> | null, typeof MYSQL | null]) =>
    queryEndpointOf(of, { mysql, publicUrl: undefined })
  expect(why(null, null)).toMatchObject({ listening: false, absence: 'off' })
  expect(why(door('starting'), MYSQL)).toMatchObject({ listening: false, absence: 'starting' })
  expect(why(door('in trouble'), MYSQL)).toMatchObject({ listening: false, absence: 'trouble' })
})
