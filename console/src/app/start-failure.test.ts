import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const place = document.createElement('div')
place.id = 'root'

const expected = (event: ErrorEvent) => event.stopImmediatePropagation()

/** As the page loads it, before anything else of the console. */
beforeAll(() => {
  const script = document.createElement('script')
  script.textContent = readFileSync(join(import.meta.dirname, '../../public/start-watch.js'), 'utf8')
  document.head.append(script)
  // Behind the script: what it has seen is expected here, and is not for the runner of the tests.
  window.addEventListener('error', expected, true)
})

afterAll(() => window.removeEventListener('error', expected, true))

afterEach(() => {
  place.replaceChildren()
  place.remove()
})

const alert = () => screen.queryByRole('alert')?.textContent

const FAILURES: Record<string, () => void> = {
  'an error of a module': () =>
    window.dispatchEvent(new ErrorEvent('error', { error: new Error('no storage'), cancelable: true })),
  'an error without an object': () =>
    window.dispatchEvent(new ErrorEvent('error', { message: 'no storage', cancelable: true })),
  'a promise that nobody catches': () =>
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new Error('no storage') })),
  'a part that is not fetched': () => {
    const part = document.createElement('script')
    part.type = 'text/plain'
    part.src = '/assets/no storage.js'
    document.head.append(part)
    part.dispatchEvent(new Event('error'))
    part.remove()
  },
}

test.each(Object.keys(FAILURES))(
  'a start that fails by %s shows an alert with the message [SHELL-99]',
  (how) => {
    document.body.append(place)
    FAILURES[how]?.()
    expect(alert()).toMatch(/^Boathouse could not start in this browser: .*no(%20| )storage/)
    FAILURES[how]?.()
    expect(place.children).toHaveLength(1)
  },
)

test('a page that is on the screen is not replaced', () => {
  document.body.append(place)
  place.append(document.createElement('main'))
  for (const fail of Object.values(FAILURES)) fail()
  expect(alert()).toBeUndefined()
})
