import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy.ts'

afterEach(() => {
  Reflect.deleteProperty(navigator, 'clipboard')
  Reflect.deleteProperty(document, 'execCommand')
})

const setClipboard = (writeText: (text: string) => Promise<void>) =>
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })

test('puts the text into the clipboard', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined)
  setClipboard(writeText)
  await copyText('SELECT 1')
  expect(writeText).toHaveBeenCalledWith('SELECT 1')
})

test('rejects when the browser does not allow it', async () => {
  setClipboard(() => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')))
  await expect(copyText('x')).rejects.toThrow('Write permission denied.')
})

/** What the browser has to copy from a page without TLS, and its answer. */
function withoutTls(agrees: boolean) {
  const asked = { text: '' }
  document.execCommand = () => {
    asked.text = (document.activeElement as HTMLTextAreaElement).value
    return agrees
  }
  const button = document.createElement('button')
  document.body.append(button)
  button.focus()
  return { asked, button }
}

test('copies by selection on pages without TLS, and leaves the focus where it was', async () => {
  const { asked, button } = withoutTls(true)
  await copyText('SELECT 1')
  expect(asked.text).toBe('SELECT 1')
  expect(document.activeElement).toBe(button)
  expect(document.querySelector('textarea')).toBeNull()
})

test('rejects when the selection is not copied either, and cleans up', async () => {
  const { button } = withoutTls(false)
  await expect(copyText('SELECT 1')).rejects.toThrow('refused to copy')
  expect(document.activeElement).toBe(button)
  expect(document.querySelector('textarea')).toBeNull()
})
