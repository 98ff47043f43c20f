import { useSyncExternalStore } from 'react'

export type ColorSchemeChoice = 'auto' | 'light' | 'dark'
type Scheme = 'light' | 'dark'

/** public/color-scheme.js reads the same key and sets the same attribute before the bundle runs. */
const KEY = 'boathouse.colorScheme'
const ATTRIBUTE = 'data-scheme'

const systemIsDark = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)')

const listeners = new Set<() => void>()
let choice: ColorSchemeChoice | undefined

function read(): ColorSchemeChoice {
  try {
    const kept = window.localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'auto'
  } catch {
    // A browser that refuses storage follows the system.
    return 'auto'
  }
}

function keep(chosen: ColorSchemeChoice): void {
  try {
    if (chosen === 'auto') window.localStorage.removeItem(KEY)
    else window.localStorage.setItem(KEY, chosen)
  } catch {
    // Then it holds until the page is left.
  }
}

const currentChoice = (): ColorSchemeChoice => (choice ??= read())

function currentScheme(): Scheme {
  const chosen = currentChoice()
  if (chosen !== 'auto') return chosen
  return systemIsDark().matches ? 'dark' : 'light'
}

function show(): void {
  document.documentElement.setAttribute(ATTRIBUTE, currentScheme())
  for (const listener of listeners) listener()
}

/** Another window, or the system, has changed its mind. */
function changedElsewhere(event: Event): void {
  if (event instanceof StorageEvent && event.key !== null && event.key !== KEY) return
  choice = undefined
  show()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('storage', changedElsewhere)
    systemIsDark().addEventListener('change', changedElsewhere)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('storage', changedElsewhere)
    systemIsDark().removeEventListener('change', changedElsewhere)
  }
}

function choose(chosen: ColorSchemeChoice): void {
  choice = chosen
  keep(chosen)
  show()
}

interface ColorScheme {
  /** What is on the screen now. */
  readonly scheme: Scheme
  /** What the user chose; `auto` follows the system. */
  readonly choice: ColorSchemeChoice
  readonly choose: (choice: ColorSchemeChoice) => void
  readonly toggle: () => void
}

export function useColorScheme(): ColorScheme {
  const scheme = useSyncExternalStore(subscribe, currentScheme)
  const chosen = useSyncExternalStore(subscribe, currentChoice)
  return {
    scheme,
    choice: chosen,
    choose,
    toggle: () => choose(scheme === 'dark' ? 'light' : 'dark'),
  }
}
