import type { BrowserContext } from '@playwright/test'

/** What no page may ever do: throw, or try what its Content-Security-Policy forbids. */
export function watchForTrouble(context: BrowserContext): readonly string[] {
  const seen: string[] = []
  context.on('weberror', (webError) =>
    seen.push(`thrown: ${webError.error().stack ?? webError.error().message}`),
  )
  context.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Permissions-Policy/i.test(message.text()))
      seen.push(`refused: ${message.text()}`)
  })
  return seen
}
