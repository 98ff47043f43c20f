/** jsdom has no layout: from here on, everything is as large as a result area on a small screen. */
export function giveLayout(): void {
  const sizes = { offsetWidth: 1000, offsetHeight: 548, clientWidth: 1000, clientHeight: 548 }
  for (const [name, value] of Object.entries(sizes))
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value })
}
