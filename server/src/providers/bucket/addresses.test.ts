import { expect, test } from 'vitest'
import { ClosedAddress, isPublic, publicLookup } from './addresses.ts'

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a00:1',
  'fe80::1',
  'fd00::1',
  '2002:7f00:1::',
  '2001:db8::1',
  'ff02::1',
  'localhost',
  '',
])('%s is no public address', (address) => {
  expect(isPublic(address)).toBe(false)
})

test.each(['8.8.8.8', '52.219.72.1', '172.32.0.1', '2600:1f18::1'])('%s is one', (address) => {
  expect(isPublic(address)).toBe(true)
})

test('a name that means this machine is refused where it is looked up', async () => {
  const refused = await new Promise((resolve) => {
    publicLookup('localhost', { all: true }, (error) => resolve(error))
  })
  expect(refused).toBeInstanceOf(ClosedAddress)
})
