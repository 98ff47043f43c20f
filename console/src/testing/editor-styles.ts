/** What the editor asks of its own style sheet where nothing is laid out: whether lines are wrapped. */
const WRAPPING = '.cm-content { white-space: pre } .cm-lineWrapping { white-space: break-spaces }'

/**
 * CodeMirror writes its style sheet again whenever a theme is added, and each test file brings its own. jsdom would read
 * all of them every time, longer from file to file, and match their rules for nothing.
 */
export function shortenEditorStyles({ HTMLStyleElement, Node }: Window & typeof globalThis): void {
  const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
  if (!text) throw new Error('Elements of this window have no text.')
  Object.defineProperty(HTMLStyleElement.prototype, 'textContent', {
    ...text,
    set(this: HTMLStyleElement) {
      if (this.textContent !== WRAPPING) text.set?.call(this, WRAPPING)
    },
  })
}
