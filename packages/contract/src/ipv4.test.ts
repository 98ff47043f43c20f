import { expect, test } from 'vitest'
import { FirewallAddresses, FirewallRuleName } from './firewall.ts'
import { holdsAddress, plainAddress, readRanges } from './ipv4.ts'

const complaint = (schema: typeof FirewallAddresses, text: string) =>
  schema.safeParse(text).error?.issues[0]?.message

test.each([
  '10.0.0.1',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '255.255.255.255/32',
  '10.0.0.1, 192.168.0.0/16,8.8.8.8',
  ' 10.0.0.1 ',
])('%j is a list of addresses [SEC-09]', (list) => {
  expect(complaint(FirewallAddresses, list)).toBeUndefined()
  expect(readRanges(list)).not.toBeNull()
})

test.each([
  '',
  ',',
  '10.0.0.1,',
  '10.0.0',
  '10.0.0.256',
  '010.0.0.1',
  '10.0.0.1/',
  '10.0.0.1/40',
  '10.0.0.1/008',
  '10.0.0.1 10.0.0.2',
  '::1',
  'example.com',
  '10.0.0.1-10.0.0.9',
])('%j is invalid [SEC-09, SEC-10]', (list) => {
  expect(complaint(FirewallAddresses, list)).toBe('Enter valid IPV4 addresses')
  expect(readRanges(list)).toBeNull()
})

test.each(['10.0.0.0/33', '10.0.0.0/39'])(
  'the pattern takes the prefix of %j, which nobody can be in [SEC-10, SEC-11]',
  (list) => {
    expect(complaint(FirewallAddresses, list)).toBeUndefined()
    expect(readRanges(list)).toBeNull()
  },
)

test('a list has 999 characters, a rule a name [SEC-08, SEC-12]', () => {
  const list = Array.from({ length: 124 }, () => '10.0.0.1').join()
  expect(complaint(FirewallAddresses, list.slice(0, 998))).toBeUndefined()
  expect(complaint(FirewallAddresses, `${list.slice(0, 989)}10.100.0.10`)).toBe('The maximum length is 999')
  expect(complaint(FirewallRuleName, '  ')).toBe('Enter rule name')
  expect(complaint(FirewallRuleName, 'x'.repeat(65))).toBe('The maximum length is 64')
})

test.each([
  ['10.0.0.5/8', '10.255.255.255', true],
  ['10.0.0.5/8', '11.0.0.0', false],
  ['128.0.0.0/1', '255.255.255.255', true],
  ['128.0.0.0/1', '127.255.255.255', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['192.0.2.4/31', '192.0.2.5', true],
  ['192.0.2.4/31', '192.0.2.6', false],
  ['192.0.2.4', '::ffff:192.0.2.4', true],
  ['0.0.0.0/0', '::1', false],
  ['0.0.0.0/0', '2001:db8::192.0.2.4', false],
  ['0.0.0.0/0', '', false],
])('%s holds %s: %s', (list, address, isHeld) => {
  expect(holdsAddress(readRanges(list) ?? [], address)).toBe(isHeld)
})

test('an address of IPv4 that came over IPv6 is shown as one of IPv4', () => {
  expect(plainAddress('::ffff:192.0.2.4')).toBe('192.0.2.4')
  expect(plainAddress('::ffff:c000:204')).toBe('::ffff:c000:204')
})
