import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en } from './en.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en }
    interpolationPrefix: '{'
    interpolationSuffix: '}'
  }
}

/** Importing this file is enough: the texts are bundled, so it is ready at once. */
export const i18n = i18next.use(initReactI18next)

void i18n.init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: en } },
  initAsync: false,
  // React escapes what it shows; the texts keep the specification's {label} form.
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
})
