import * as React from 'react'
import { configure, getConfig } from '@testing-library/react'

const INTERNALS = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'

const DONE = Symbol.for('boathouse.quick-diagnostics')

/** React's own limit within a second; above it, elements are made without the stack of where that was. */
const ABOVE_LIMIT = 10_001

/** A stack for each element is a tenth of what tests take, and only names the place of a warning. */
function keepNoStacks(): void {
  const internals: unknown = Reflect.get(React, INTERNALS)
  if (typeof internals !== 'object' || internals === null) return
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => ABOVE_LIMIT,
    // What React counts is not kept.
    set() {},
  })
}

/** What fails while something is waited for is tried again: the page is printed once, when the wait has ended. */
function printPagesAtTheEnd(): void {
  const { getElementError } = getConfig()
  configure({
    getElementError: (message, container) =>
      isWaiting() ? new Error(message ?? undefined) : getElementError(message, container),
  })
}

const isWaiting = (): boolean => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true

/** Makes what explains a failure when there is one. */
export function diagnoseLate(window: Window): void {
  // The files of a worker share React and the library as they share the window.
  if (DONE in window) return
  Object.assign(window, { [DONE]: true })
  keepNoStacks()
  printPagesAtTheEnd()
}
