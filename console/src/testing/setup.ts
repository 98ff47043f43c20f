import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { removeStubServer } from './stub-server.ts'

// Pages and dialogs are fetched when they are first needed, which takes a busy machine longer than a second.
configure({ asyncUtilTimeout: 5_000 })

// jsdom has no layout and no media; these answer what a wide window without preferences would.
window.matchMedia = (query) => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => undefined,
  removeListener: () => undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  dispatchEvent: () => false,
})

class NeverResized implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
window.ResizeObserver = NeverResized
Element.prototype.scrollIntoView = () => undefined
// It hides what floats and has no layers to show it on.
HTMLElement.prototype.showPopover = function show() {
  this.style.display = 'block'
}
HTMLElement.prototype.hidePopover = function hide() {
  this.style.display = ''
}

afterEach(() => {
  cleanup()
  removeStubServer()
  window.localStorage.clear()
  // What a browser tells every other window, so the session starts anew as well.
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
})

// The first test of a file also waits for the page's code.
configure({ asyncUtilTimeout: 5_000 })
