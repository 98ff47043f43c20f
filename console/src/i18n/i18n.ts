import { en } from './en.ts'
import { i18n } from './start.ts'

/** Importing this file is enough to have every text. */
i18n.addResourceBundle('en', 'translation', en)

export { i18n }
