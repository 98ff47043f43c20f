import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'

export type ColorSchemeChoice = 'auto' | 'light' | 'dark'

interface ColorScheme {
  /** What is on the screen now. */
  readonly scheme: 'light' | 'dark'
  /** What the user chose; `auto` follows the system. */
  readonly choice: ColorSchemeChoice
  readonly choose: (choice: ColorSchemeChoice) => void
  readonly toggle: () => void
}

export function useColorScheme(): ColorScheme {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  return {
    scheme,
    choice: colorScheme,
    choose: setColorScheme,
    toggle: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
  }
}
