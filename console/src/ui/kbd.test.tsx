import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Kbd, keyName, keyNames } from './kbd.tsx'

test('keys have the names that are on the keyboard of the platform', () => {
  expect(['Mod', 'Shift', 'Alt', 'K'].map((key) => keyName(key, 'MacIntel'))).toEqual(['⌘', '⇧', '⌥', 'K'])
  expect(['Mod', 'Shift', 'Alt', 'K'].map((key) => keyName(key, 'Win32'))).toEqual([
    'Ctrl',
    'Shift',
    'Alt',
    'K',
  ])
})

test('neither a hint nor a key that is drawn says Mod', () => {
  expect(keyNames('Mod', 'Shift', 'T')).toBe('Ctrl + Shift + T')
  const { container } = render(<Kbd keys={['Mod', 'K']} />)
  expect(container.textContent).toBe('CtrlK')
})
