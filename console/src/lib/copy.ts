/** Rejects when the browser does not let the text into the clipboard. */
export async function copyText(text: string): Promise<void> {
  // Absent from pages served without TLS other than localhost, where a console must copy too.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  copyBySelection(text)
}

function copyBySelection(text: string): void {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.setAttribute('aria-hidden', 'true')
  area.style.cssText = 'position:fixed;top:0;opacity:0'
  // Inside an open dialog: it keeps the focus within itself.
  const parent = focused?.closest('[role="dialog"]') ?? document.body
  parent.append(area)
  try {
    area.focus()
    area.select()
    // Deprecated, and the only way left without a secure context.
    if (!document.execCommand('copy')) throw new Error('The browser refused to copy the text.')
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
