import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { diagnoseLate } from './quick-diagnostics.ts'
import { shortenEditorStyles } from './editor-styles.ts'
import { answerStylesQuickly } from './quick-styles.ts'
import { removeStubServer } from './stub-server.ts'

// The files of one worker share a window, which takes longer to make than most files run. Our own modules are each
// file's own: they hold what a page would forget when it is left.
vi.resetModules()

// Pages and dialogs are fetched when they are first needed, which takes a busy machine longer than a second.
configure({ asyncUtilTimeout: 120_000 })

diagnoseLate(window)
answerStylesQuickly(window)
shortenEditorStyles(window)

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
  vi.useRealTimers()
  cleanup()
  removeStubServer()
  window.localStorage.clear()
  window.sessionStorage.clear()
  document.body.replaceChildren()
  // A browser reports this to every other window, so the session starts again as well.
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
})

// Modules of a file that has ended hear nothing more of the window.
const listen = window.addEventListener
const listening: Parameters<typeof listen>[] = []
window.addEventListener = (...listener: Parameters<typeof listen>) => {
  listening.push(listener)
  listen(...listener)
}
afterAll(() => {
  window.addEventListener = listen
  for (const listener of listening) window.removeEventListener(...listener)
})

// Pages are fetched beforehand: what is still on its way when a file ends would come into a window that is gone, and fail the run.
afterAll(() => vi.dynamicImportSettled())
