import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { renderApp, signedIn } from '../testing/render-app.tsx'

const HOME = '/local-1/ABC12345/home'
const EDITOR = '/local-1/ABC12345/editor'
const menu = () => screen.getByRole('navigation', { name: 'Main menu' })
const panel = () => menu().firstElementChild as HTMLElement
const isOpen = () => panel().dataset['open'] === 'true'
const link = (name: string) => screen.getByRole('link', { name })

async function openAt(address: string) {
  signedIn()
  const app = renderApp(address)
  await screen.findByRole('navigation', { name: 'Main menu' })
  return app
}

test('the menu is narrow automatically on the editor, and open elsewhere, until a mode is chosen [SHELL-45]', async () => {
  const app = await openAt(HOME)
  expect(menu().dataset['mode']).toBe('Expand')
  await act(() => app.router.navigate({ href: EDITOR }))
  await waitFor(() => expect(menu().dataset['mode']).toBe('Auto'))
  expect(menu().style.width).toBe('64px')
  expect(session.get().menuCollapseType).toBeNull()
  await app.user.click(screen.getByRole('button', { name: 'Menu width' }))
  await app.user.click(await screen.findByRole('menuitemradio', { name: 'Expand' }))
  await waitFor(() => expect(menu().style.width).toBe('194px'))
  app.screen.unmount()
  await openAt(EDITOR)
  expect(menu().style.width).toBe('194px')
})

test('a narrow menu is opened by a click, and closed by Escape, a press elsewhere and a choice', async () => {
  session.setMenuMode('Auto')
  const app = await openAt(HOME)
  const open = () => {
    fireEvent.click(panel())
    expect(isOpen()).toBe(true)
  }
  expect(isOpen()).toBe(false)
  open()
  fireEvent.keyDown(link('Home'), { key: 'Escape' })
  expect(isOpen()).toBe(false)
  open()
  fireEvent.pointerDown(screen.getByRole('main'))
  expect(isOpen()).toBe(false)
  open()
  await app.user.click(link('SQL editor'))
  expect(isOpen()).toBe(false)
})

test('a pointer that chose a page in the wide menu does not hold the narrow one open over it', async () => {
  const app = await openAt(HOME)
  vi.useFakeTimers()
  fireEvent.mouseEnter(panel())
  act(() => void vi.advanceTimersByTime(400))
  vi.useRealTimers()
  await app.user.click(link('SQL editor'))
  await waitFor(() => expect(menu().dataset['mode']).toBe('Auto'))
  expect(isOpen()).toBe(false)
})
