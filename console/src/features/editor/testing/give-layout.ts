import { afterAll } from 'vitest'

/** jsdom has no layout: to the tests of this file, everything is as large as a result area on a small screen. */
export function giveLayout(): void {
  const sizes = { offsetWidth: 1000, offsetHeight: 548, clientWidth: 1000, clientHeight: 548 }
  const before = Object.keys(sizes).map(
    (name) => [name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)] as const,
  )
  for (const [name, value] of Object.entries(sizes))
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value })
  afterAll(() => {
    for (const [name, own] of before) {
      Reflect.deleteProperty(HTMLElement.prototype, name)
      if (own) Object.defineProperty(HTMLElement.prototype, name, own)
    }
  })
}
