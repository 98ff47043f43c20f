import { home } from './en/home.ts'
import { i18n } from './start.ts'

/** Importing this file gives every text but those of large pages, which bring theirs. */
i18n.addResourceBundle('en', 'translation', { home }, true)

export { i18n }
