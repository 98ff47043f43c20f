import { expect, test } from 'vitest'
import { parseOperatorLine } from './operator-line.ts'

const parse = (text: string) => parseOperatorLine(text.split(' '))

test('words, values and options become a command and its input', () => {
  expect(parse('account freeze ABC12345')).toEqual({
    command: 'account freeze',
    input: { account: 'ABC12345' },
  })
  expect(parse('account create 7 quay --admin ann --email a@b.example --samples')).toEqual({
    command: 'account create',
    input: { org: '7', name: 'quay', admin: 'ann', email: 'a@b.example', samples: true },
  })
  expect(parse('user create ABC12345 ann --roles db_admin,public').input).toMatchObject({
    roles: ['db_admin', 'public'],
  })
  expect(parse('user set-email ABC12345 ann a@b.example')).toEqual({
    command: 'user set-email',
    input: { account: 'ABC12345', user: 'ann', email: 'a@b.example' },
  })
  expect(parse('api key create ABC12345 robot etl --doors http,mysql')).toEqual({
    command: 'api key create',
    input: { account: 'ABC12345', user: 'robot', name: 'etl', doors: ['http', 'mysql'] },
  })
  expect(parse('audit verify').input).toEqual({})
})

test.each([
  ['account thaw ABC12345', "There is no command 'account thaw'."],
  ['account freeze', 'usage: boathouse account freeze ACCOUNT'],
  ['account freeze ABC12345 DEF12345', 'usage: boathouse account freeze ACCOUNT'],
  ['api key', "There is no command 'api key'."],
  ['api key revoke ABC12345 robot', 'usage: boathouse api key revoke ACCOUNT USER KEY'],
  ['account list A B', 'usage: boathouse account list [ORG]'],
  ['account freeze ABC12345 --now', "'--now' is not an option of 'boathouse account freeze'."],
  ['account delete ABC12345 --confirm', '--confirm needs a value.'],
])('%s is refused in words', (line, message) => {
  expect(() => parse(line)).toThrow(message)
})
