import { expect, test } from 'vitest'
import { rawMembers } from './raw-members.ts'

test('values stay as they are written, with all digits', () => {
  const text = ' { "a" : 9007199254740993 , "b":{"c":[1,{"d":"}]\\",{"}]} ,"\\u0065":"x","n":null}'
  expect([...rawMembers(text)]).toEqual([
    ['a', '9007199254740993'],
    ['b', '{"c":[1,{"d":"}]\\",{"}]}'],
    ['e', '"x"'],
    ['n', 'null'],
  ])
  expect([...rawMembers('{}')]).toEqual([])
})

test.each(['', '[]', '{"a"', '{"a":', '{"a":1', '{a:1}', '{"a" 1}', '{"a":"'])('%j is refused', (text) => {
  expect(() => rawMembers(text)).toThrow(SyntaxError)
})
