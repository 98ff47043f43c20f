/**
 * jsdom matches every element against every rule of every style sheet, whenever somebody asks for a style: queries by role
 * ask for whole pages of them. Our own style sheets are not loaded in tests, so what is asked for most follows from the
 * name of the element and from styles on elements themselves. Everything else is still answered by jsdom.
 */
type Asked = (element: Element) => string

const DONE = Symbol.for('boathouse.quick-styles')

/** Attributes by which a browser's own style sheet shows an element or does not. */
const SHOWING = ['hidden', 'open', 'type', 'popover'] as const

const inlineOf = (element: Element): CSSStyleDeclaration | undefined => (element as HTMLElement).style

/** Of the nearest element that says so. */
const inherited =
  (property: 'visibility' | 'pointerEvents', initial: string): Asked =>
  (element) => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      const said = inlineOf(one)?.[property]
      if (said) return said
    }
    return initial
  }

export function answerStylesQuickly(window: Window & typeof globalThis): void {
  // The files of a worker share a window.
  if (DONE in window) return
  Object.assign(window, { [DONE]: true })
  const slowly = window.getComputedStyle.bind(window)
  const displays = new Map<string, string>()

  function ownDisplay(element: Element): string {
    const key = JSON.stringify([element.localName, ...SHOWING.map((name) => element.getAttribute(name))])
    const known = displays.get(key)
    if (known !== undefined) return known
    const plain = element.cloneNode() as Element
    for (const name of plain.getAttributeNames())
      if (!SHOWING.some((one) => one === name)) plain.removeAttribute(name)
    const { display } = slowly(plain)
    displays.set(key, display)
    return display
  }

  const quick: Readonly<Record<string, Asked>> = {
    display: (element) => inlineOf(element)?.display || ownDisplay(element),
    visibility: inherited('visibility', 'visible'),
    pointerEvents: inherited('pointerEvents', 'auto'),
  }
  const names: Readonly<Record<string, string>> = { 'pointer-events': 'pointerEvents' }

  window.getComputedStyle = (element, pseudo) => {
    if (pseudo) return slowly(element, pseudo)
    const answer = (name: string): unknown => {
      const asked = quick[names[name] ?? name]
      return asked ? asked(element) : undefined
    }
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_, name: string) => {
        if (name === 'getPropertyValue')
          return (property: string) => answer(property) ?? slowly(element).getPropertyValue(property)
        const style = answer(name)
        if (style !== undefined) return style
        const all = slowly(element)
        const value = Reflect.get(all, name) as unknown
        return typeof value === 'function' ? (value as () => unknown).bind(all) : value
      },
    })
  }
}
