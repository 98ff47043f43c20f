import { createTheme } from '@mantine/core'
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core'

/** Shade 7 keeps white text at AA on both schemes. */
const brand: MantineColorsTuple = [
  '#eef3fd',
  '#dbe5fa',
  '#b7caf4',
  '#92aeee',
  '#82a9ff',
  '#5c85e3',
  '#3a6de0',
  '#2457c5',
  '#1d49a8',
  '#163a87',
]

/** Mantine derives inputs, menus and borders of the dark scheme from this scale. */
const dark: MantineColorsTuple = [
  '#dde3ec',
  '#c3ccd8',
  '#98a3b3',
  '#6d7889',
  '#465062',
  '#2a313d',
  '#202733',
  '#12161d',
  '#0e1218',
  '#090c11',
]

export const theme = createTheme({
  colors: { brand, dark },
  primaryColor: 'brand',
  primaryShade: 7,
  defaultRadius: 6,
  respectReducedMotion: true,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '14px', xl: '16px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '20px', xl: '24px' },
})

const fromTokens = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-error': 'var(--err)',
  '--mantine-color-default': 'var(--bg)',
  '--mantine-color-default-hover': 'var(--panel)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-primary-color-filled': 'var(--accent)',
}

export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: fromTokens,
  dark: fromTokens,
})
