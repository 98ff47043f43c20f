import { afterEach, expect, test } from 'vitest'
import { pageHosts, signInOrigin } from './hosts.ts'

/** What the page says of itself. */
function page(facts: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(facts)) {
    const meta = document.createElement('meta')
    meta.name = `boathouse-${name}`
    meta.content = content
    document.head.append(meta)
  }
}

const here = window.location.origin

afterEach(() => {
  for (const meta of document.head.querySelectorAll('meta[name^="boathouse-"]')) meta.remove()
})

test('without further regions, everybody signs in here, whatever an address says', () => {
  expect(signInOrigin(null)).toBe(here)
  expect(signInOrigin('eu-1')).toBe(here)
})

test('the page of the central server leads to those of the regions, and calls itself [REAL-05, API-02]', () => {
  page({ region: 'us-1', regions: 'eu-1=https://eu-1.example.com ap-1=https://ap-1.example.com' })
  expect(signInOrigin('us-1')).toBe(here)
  expect(signInOrigin('eu-1')).toBe('https://eu-1.example.com')
  expect(signInOrigin('ap-1')).toBe('https://ap-1.example.com')
  expect(signInOrigin('mars-1'), 'nobody knows it').toBe(here)
  expect(pageHosts.central()).toBe(here)
})

test('the page of a region leads to the central one for every other, and sends its central calls there [REAL-05, API-02]', () => {
  page({ region: 'eu-1', 'central-host': 'https://data.example.com' })
  expect(signInOrigin('eu-1')).toBe(here)
  expect(signInOrigin('us-1')).toBe('https://data.example.com')
  expect(pageHosts.central()).toBe('https://data.example.com')
  expect(pageHosts.regional()).toBe(here)
})
