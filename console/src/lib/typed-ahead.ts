/**
 * Between the click for a new query and its text on the screen are a call and perhaps a page. What the user types until
 * then belongs into that text, and Enter must not press the focused button again.
 */
interface Awaited {
  text: string
  /** Null until the query is made. */
  tabId: string | null
  readonly since: number
  readonly stop: () => void
}

/** Milliseconds: after that, the user types for something else. */
const LONGEST = 10_000

let awaited: Awaited | null = null

/** Nothing is awaited any more; the focus stays where it is. */
export function forgetTyped(): void {
  awaited?.stop()
  awaited = null
}

function take(event: KeyboardEvent): void {
  if (!awaited || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  const { text, since } = awaited
  if (performance.now() - since > LONGEST) return forgetTyped()
  if (event.key === 'Escape' || event.key === 'Tab') return forgetTyped()
  if (event.key === 'Backspace') awaited.text = text.slice(0, -1)
  else if (event.key === 'Enter') awaited.text = `${text}\n`
  else if (/^.$/u.test(event.key)) awaited.text = text + event.key
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** From now on letters are kept for the query that is made. */
export function awaitTyped(): void {
  forgetTyped()
  window.addEventListener('keydown', take, true)
  // Who points at something else has gone there.
  window.addEventListener('pointerdown', forgetTyped, true)
  const stop = () => {
    window.removeEventListener('keydown', take, true)
    window.removeEventListener('pointerdown', forgetTyped, true)
  }
  awaited = { text: '', tabId: null, since: performance.now(), stop }
}

export function typedIsFor(tabId: string): void {
  if (awaited) awaited.tabId = tabId
}

/** What was typed for this query, once; null when it did not wait for it. */
export function takeTyped(tabId: string): string | null {
  if (awaited?.tabId !== tabId) return null
  const { text } = awaited
  forgetTyped()
  return text
}
