import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { en } from './en.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { ui } from './en/ui.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en }
    interpolationPrefix: '{'
    interpolationSuffix: '}'
  }
}

/** With what the sign-in page says; the texts of other pages come with i18n.ts and editor.ts. Ready at once: they are bundled. */
export const i18n = createInstance().use(initReactI18next)

void i18n.init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: { shell, signIn, ui } } },
  initAsync: false,
  // React escapes what it shows; the texts keep the specification's {label} form.
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
})
