import { describe, expect, test } from 'vitest'
import { editorPath, homePath, inRegion, isPlace, loginPath, returnPath, signInPath } from './paths.ts'
import { parseSearch, readEditorSearch, readLoginSearch, stringifySearch } from './search.ts'

const read = (text: string) => readLoginSearch(parseSearch(text))

const place = { region: 'local-1', aid: 'ABC12345' }

describe('addresses', () => {
  test('begin with region and account [SHELL-07]', () => {
    expect(homePath(place)).toBe('/local-1/ABC12345/home')
    expect(editorPath(place, { activeTab: 't 1', tabName: 'a&b' })).toBe(
      '/local-1/ABC12345/editor?activeTab=t+1&tabName=a%26b',
    )
  })

  test('of sign-in carry no region or account prefix [SIGNIN-02]', () => {
    expect(loginPath()).toBe('/login')
    expect(signInPath('ABC12345', 'local-1')).toBe('/login?step=signin&aid=ABC12345&region=local-1')
    expect(signInPath(null, null)).toBe('/login?step=account')
  })

  test('are places only with a region and an account that can be', () => {
    expect(isPlace(place)).toBe(true)
    expect(isPlace({ region: 'local-1', aid: 'abc' })).toBe(false)
    expect(isPlace({ region: '../x', aid: 'ABC12345' })).toBe(false)
  })

  test('keep everything but the region when that is corrected', () => {
    expect(inRegion('/old/ABC12345/editor?activeTab=1#x', 'new')).toBe('/new/ABC12345/editor?activeTab=1#x')
  })
})

describe('the page to return to after sign-in', () => {
  test.each([
    ['/local-1/ABC12345/editor?activeTab=1', '/local-1/ABC12345/editor?activeTab=1'],
    ['/other/ABC12345/home', '/local-1/ABC12345/home'],
    ['/local-1/XYZ00001/home', null],
    ['https://evil.example/ABC12345/home', null],
    ['//evil.example/ABC12345/home', null],
    ['/login', null],
    [undefined, null],
  ])('%s leads to %s', (next, expected) => {
    expect(returnPath(next, place)).toBe(expected)
  })

  test('never becomes an address of another site', () => {
    expect(returnPath('//ABC12345/home', place)).toBe('/local-1/ABC12345/home')
  })
})

describe('query parameters', () => {
  test.each(['12', 'true', 'null', '{"a":1}', '"quoted"', 'Ümläut & 数 ?#/%'])(
    'of the editor keep the text %s as it is [SHELL-10]',
    (tabName) => {
      const search = { activeTab: '7', tabName }
      expect(readEditorSearch(parseSearch(stringifySearch(search)))).toEqual(search)
    },
  )

  test('of sign-in are step, aid and region [SIGNIN-04, SIGNIN-05, SIGNIN-06]', () => {
    expect(read('?step=signin&aid=ABC12345&region=local-1&other=1')).toEqual({
      step: 'signin',
      aid: 'ABC12345',
      region: 'local-1',
    })
    expect(read('?step=account')).toEqual({ step: 'account' })
    expect(read('?step=nonsense')).toEqual({})
  })
})
